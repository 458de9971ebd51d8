"""Log lines have fields; secrets of records, rows and cards are left out; requests have numbers."""

import json
import logging
import logging.config
import sys
from typing import Any

import pytest
from django.test import Client

from tock_league.common import logs, refusals
from tock_league.embedded.requests import RequestIds


def line_of(record: logging.LogRecord, *, json: bool = True) -> str:
    return logs.formatter(json=json).format(record)


def record_of(message: str = "it happened", **more: Any) -> logging.LogRecord:
    fields = {"name": "games.live", "levelname": "WARNING", "levelno": logging.WARNING, "msg": message, "created": 0.0}
    return logging.makeLogRecord(fields | more)


def failed(error: Exception) -> logging.LogRecord:
    try:
        raise error
    except Exception:
        return record_of(exc_info=sys.exc_info())


@pytest.fixture(autouse=True)
def about_nothing() -> Any:
    before = logs.get_context()
    yield
    logs.set_context(before)


def test_a_line_has_time_level_logger_context_and_details() -> None:
    logs.set_context({"request": "r1"})
    logs.add_context(table="g7q2")
    assert json.loads(line_of(record_of("%s of it", args=("most",), details={"ms": 12.5}))) == {
        "event": "most of it",
        "timestamp": "1970-01-01T00:00:00.000+00:00",
        "level": "warning",
        "logger": "games.live",
        "request": "r1",
        "table": "g7q2",
        "ms": 12.5,
    }


def test_a_line_for_people_holds_the_same() -> None:
    logs.set_context({"table": "g7q2"})
    text = line_of(record_of(details={"ms": 12.5}), json=False)
    assert text == "1970-01-01T00:00:00.000+00:00 [warning  ] it happened [games.live] table=g7q2 ms=12.5"


def test_attributes_of_a_record_are_not_written() -> None:
    assert "secret" not in line_of(record_of(request="secret", sql="secret", params=["secret"]))


def test_a_traceback_is_one_field_and_shows_no_local_variable() -> None:
    secret = "the hand"
    line = json.loads(line_of(failed(ZeroDivisionError("by nothing"))))
    assert line["exception"].endswith("ZeroDivisionError: by nothing")
    assert secret not in line["exception"]


@pytest.mark.parametrize("card", ["9C", "10H", "AS", "KD", "JK", "RJ"])
def test_a_card_is_masked_in_messages_and_tracebacks(card: str) -> None:
    assert json.loads(line_of(record_of(f"no {card} t0-t9\n{card}")))["event"] == "no ??\n??"
    assert "KeyError: '??'" in json.loads(line_of(failed(KeyError(card))))["exception"]
    assert (
        "ValueError: 'a\\n??'" in json.loads(line_of(failed(ValueError(repr(f"a\n{card} r-t18 t3-h1")))))["exception"]
    )


def test_text_that_is_not_a_card_is_not_masked() -> None:
    text = "table 2DB9Cx, 9c, command 5f0c9C1d-6D1E, AS2, 110H"
    assert json.loads(line_of(record_of(text)))["event"] == text


def test_the_values_in_a_database_error_are_left_out() -> None:
    error = ValueError('null value in column "at"\nDETAIL:  Failing row contains (1, my secret).\nHINT: none')
    text = json.loads(line_of(failed(error)))["exception"]
    assert "secret" not in text
    assert text.endswith('null value in column "at"\nHINT: none')


# --- the number of a request -----------------------------------------------------------------------------------------


async def asked(kind: str, *headers: tuple[bytes, bytes]) -> tuple[str, list[tuple[bytes, bytes]]]:
    """Return the fields of the application's log lines, and the response's headers."""
    found, sent = [], []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        found.append(json.loads(line_of(record_of()))["request"])
        start = "http.response.start" if kind == "http" else "websocket.accept"
        await send({"type": start, "status": 200, "headers": [(b"a", b"b")]})

    async def send(message: Any) -> None:
        sent.extend(message["headers"])

    logs.set_context({"left": "over"})
    await RequestIds(application)({"type": kind, "headers": list(headers)}, None, send)
    assert logs.get_context() == {"left": "over"}
    return found[0], sent


async def test_a_sane_number_is_kept_and_comes_back() -> None:
    number, headers = await asked("http", (b"x-request-id", b"proxy-01.7f3a"))
    assert number == "proxy-01.7f3a"
    assert headers == [(b"a", b"b"), (b"x-request-id", b"proxy-01.7f3a")]


@pytest.mark.parametrize(
    "bad", [b"", b"short", b"x" * 65, b"new\nline-and-more", b'{"a": "json"}', b"caf\xe9-caf\xe9-1"]
)
async def test_another_one_is_replaced(bad: bytes) -> None:
    number, headers = await asked("http", (b"x-request-id", bad))
    assert len(number) == 32
    assert headers[-1] == (b"x-request-id", number.encode())
    assert (await asked("http"))[0] != number


async def test_a_socket_has_a_number_too() -> None:
    number, headers = await asked("websocket", (b"x-request-id", b"handshake-1"))
    assert (number, headers) == ("handshake-1", [(b"a", b"b")])


async def test_other_connections_pass() -> None:
    seen = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    await RequestIds(application)({"type": "lifespan"}, None, None)
    assert seen == [{"type": "lifespan"}]


# --- where lines go --------------------------------------------------------------------------------------------------


def test_libraries_stay_at_warning_whatever_our_own_level(settings: Any) -> None:
    own = {"games", "ratings", "tock_league"}
    assert settings.LOGGING["root"]["level"] == "WARNING"
    for name, logger in settings.LOGGING["loggers"].items():
        assert name.split(".")[0] in own or logger["level"] in ("ERROR", "CRITICAL", "WARNING")


def test_uvicorns_lines_go_where_ours_go() -> None:
    from tock_league.embedded.server import config

    before = logging.getLogger("uvicorn.error").handlers[:]
    config()
    uvicorn = logging.getLogger("uvicorn.error")
    assert (uvicorn.handlers, uvicorn.propagate) == (before, True)
    assert not uvicorn.isEnabledFor(logging.DEBUG)


def test_workers_log_as_the_web_does_and_name_their_task(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from celery import signals

    from tock_league import celery

    configured: list[Any] = []
    monkeypatch.setattr(logging.config, "dictConfig", configured.append)
    assert signals.setup_logging.send(sender=None)
    assert configured == [settings.LOGGING]

    class Task:
        name = "tock_league.common.tasks.sweep_outbox"

    signals.task_prerun.send(sender=Task, task_id="t1", task=Task, args=(), kwargs={})
    assert logs.get_context() == {"task": Task.name, "task_id": "t1"}
    signals.task_postrun.send(sender=Task, task_id="t1", task=Task, args=(), kwargs={}, retval=None, state="SUCCESS")
    assert logs.get_context() == {}
    assert celery.app.conf.worker_hijack_root_logger is False


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "host"), [({}, "a b" * 2000), ({f"k{number}": "1" for number in range(1100)}, "testserver")]
)
def test_a_malformed_request_is_a_short_warning_without_a_traceback(
    client: Client, settings: Any, caplog: pytest.LogCaptureFixture, query: dict[str, str], host: str
) -> None:
    assert client.get("/practice/", query, headers={"host": host}).status_code in (400, 413)
    (record,) = (record for record in caplog.records if record.name.startswith("django.security"))
    assert "malformed" in settings.LOGGING["handlers"]["console"]["filters"]
    assert refusals.Malformed().filter(record)
    written = json.loads(line_of(record))
    assert (written["level"], "exception" in written) == ("warning", False)
    assert len(written["event"]) <= 200


def test_a_frame_that_is_no_utf8_is_a_short_warning_and_another_error_of_uvicorn_is_none() -> None:
    try:
        b"\xff".decode()
    except UnicodeDecodeError:
        fields = {"name": "uvicorn.error", "levelname": "ERROR", "levelno": logging.ERROR, "exc_info": sys.exc_info()}
    frame, other = (
        record_of("Invalid UTF-8", **fields),
        record_of(**fields | {"exc_info": failed(ValueError()).exc_info}),
    )
    assert refusals.Malformed().filter(frame)
    assert (frame.levelname, frame.exc_info) == ("WARNING", None)
    assert refusals.Malformed().filter(other)
    assert (other.levelname, other.exc_info is None) == ("ERROR", False)


def test_a_flood_of_malformed_requests_does_not_flood_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "_malformed", [])
    quiet = refusals.Malformed()
    passed = [quiet.filter(record_of(name="django.security.DisallowedHost")) for _ in range(500)]
    assert sum(passed) == refusals.MOST_LINES
    assert quiet.filter(record_of())
