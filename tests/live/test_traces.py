"""A slow command is one log line that names the slow stage; at DEBUG every command is one."""

import asyncio
import json
import logging
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from django.test import Client

from games.live import commands, hub, traces, writer
from games.live.hub import hub as the_hub
from games.services import play
from tests.games.conftest import Sat
from tock_league.common import clock

from .sockets import Socket, login_of, off_loop

pytestmark = pytest.mark.django_db(transaction=True)
HELD_UP_S = 100.0  # seconds on a clock set by the test: far more than a busy machine takes


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that advances the monotonic clock by a hundred seconds; no socket counts as idle for that."""
    real, passed = clock.monotonic, [0.0]

    def pass_by() -> None:
        passed[0] += HELD_UP_S

    monkeypatch.setattr("games.live.doors.SILENT_S", 1e6)
    monkeypatch.setattr("games.live.doors.JOIN_S", 1e6)
    monkeypatch.setattr(clock, "monotonic", lambda: real() + passed[0])
    return pass_by


@pytest.fixture
async def two(sat_table: Sat) -> AsyncIterator[list[Socket]]:
    sockets = [await Socket.of(sat_table.table.slug, sat_table.players[seat]) for seat in range(2)]
    yield sockets
    for socket in sockets:
        await socket.leave()


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [record.details for record in caplog.records if record.name == traces.__name__]  # type: ignore[attr-defined]


async def written(caplog: pytest.LogCaptureFixture, count: int) -> list[dict[str, Any]]:
    """Return the lines as soon as there are that many; they are logged after the response."""
    async with asyncio.timeout(5):
        while len(found := lines(caplog)) < count:
            await asyncio.sleep(0)
    return found


def hold_up(stage: str, later: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next command lose a hundred seconds in that stage."""
    owner, name = {
        "writer": (writer.Writer, "_start"),
        "thread": (writer, "in_lane"),
        "commit": (play, "submit_group"),
        "answer": (commands, "frame_of"),
        "tell": (hub.Hub, "tell_held_back"),
    }[stage]
    real = getattr(owner, name)

    def slow(*args: Any, **more: Any) -> Any:
        monkeypatch.setattr(owner, name, real)
        later()
        return real(*args, **more)

    monkeypatch.setattr(owner, name, slow)


@pytest.mark.parametrize("stage", ["writer", "thread", "commit", "answer", "tell"])
async def test_a_slow_command_is_logged_with_its_longest_stage(
    two: list[Socket],
    later: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    stage: str,
) -> None:
    hold_up(stage, later, monkeypatch)
    id = str(uuid.uuid4())
    assert (await two[0].command("ready", id=id, turn="0.1"))["t"] == "ack"
    (line,) = await written(caplog, 1)
    assert (line["command"], line["longest"], line["answer"]) == (id, stage, "ack")
    assert list(line["stages"]) == ["queue", "writer", "thread", "commit", "answer", "tell"]
    assert line["stages"][stage] >= 1000 * HELD_UP_S
    assert sum(line["stages"].values()) == pytest.approx(line["ms"], abs=1)
    assert (line["table"], line["seat"], line["kind"]) == (two[0].table, 0, "ready")
    assert (line["group"], line["tries"]) == (1, 1)
    assert [record.levelname for record in caplog.records if record.name == traces.__name__] == ["WARNING"]


async def test_a_command_behind_another_of_its_table_waits_in_the_queue(
    two: list[Socket], later: Callable[[], None], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, feed = writer.Writer.submit, next(iter(the_hub().feeds.values()))

    async def slow(self: Any, request: Any, trace: Any) -> Any:
        while request.seat == 0 and not feed.commands.qsize():
            await asyncio.sleep(0)
        answer = await real(self, request, trace)
        if request.seat == 0:
            later()
        return answer

    monkeypatch.setattr(writer.Writer, "submit", slow)
    await asyncio.gather(*(socket.command("ready", turn="0.1") for socket in two))
    first, second = await written(caplog, 2)
    assert (first["seat"], first["longest"]) == (0, "answer")
    assert (second["seat"], second["longest"]) == (1, "queue")


async def test_a_quick_command_is_logged_at_debug_only(two: list[Socket], caplog: pytest.LogCaptureFixture) -> None:
    await two[0].command("ready", turn="0.1")
    await two[1].command("ready", turn="0.1")
    assert lines(caplog) == []
    with caplog.at_level(logging.DEBUG, traces.__name__):
        await two[0].command("resign")
        (line,) = await written(caplog, 1)
    assert (line["kind"], line["answer"]) == ("resign", "illegal")
    assert "tell" in line["stages"]


async def test_a_command_that_is_refused_at_once_has_the_answer_stage_only(
    two: list[Socket], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, traces.__name__):
        the_hub().draining = True
        await two[0].command("ready")
        the_hub().draining = False
        (line,) = await written(caplog, 1)
    assert (line["answer"], list(line["stages"])) == ("internal", ["answer"])


async def test_commands_that_share_a_commit_are_logged_with_the_group_size(
    open_table: Callable[..., Sat], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    sats = [await off_loop(open_table)() for _ in range(3)]
    sockets = [await Socket.of(sat.table.slug, sat.players[0]) for sat in sats]
    real = writer.Writer._start

    def when_all_wait(self: writer.Writer) -> None:
        if len(self._waiting) == 3:
            real(self)

    monkeypatch.setattr(writer.Writer, "_start", when_all_wait)
    with caplog.at_level(logging.DEBUG, traces.__name__):
        await asyncio.gather(*(socket.command("ready", turn="0.1") for socket in sockets))
        found = await written(caplog, 3)
    assert [line["group"] for line in found] == [3, 3, 3]
    assert {line["table"] for line in found} == {sat.table.slug for sat in sats}
    for socket in sockets:
        await socket.leave()


def test_a_group_that_is_rolled_back_counts_as_a_try(
    open_table: Callable[..., Sat], monkeypatch: pytest.MonkeyPatch
) -> None:
    sats = [open_table() for _ in range(2)]
    requests = [play.Request(sat.table.pk, 0, str(uuid.uuid4()), "0.1", "ready", {}, sat.person(0)) for sat in sats]
    real = play._together
    monkeypatch.setattr(play, "_together", lambda *args: {})
    assert [answer.tries for answer in play.submit_group(requests) if answer] == [2, 2]
    monkeypatch.setattr(play, "_together", real)
    assert [answer.tries for answer in play.submit_group(requests) if answer] == [1, 1]


def test_a_slow_command_over_http_is_logged(
    sat_table: Sat, later: Callable[[], None], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = play.submit_one

    def slow(request: play.Request) -> play.Answer:
        later()
        return real(request)

    monkeypatch.setattr(play, "submit_one", slow)
    client = Client()
    client.force_login(login_of(sat_table.players[1]), backend="allauth.account.auth_backends.AuthenticationBackend")
    body = {"id": str(uuid.uuid4()), "turn": "0.1", "kind": "ready", "args": {}}
    client.post(f"/api/tables/{sat_table.table.slug}/commands", json.dumps(body), content_type="application/json")
    (line,) = lines(caplog)
    assert (line["command"], line["longest"], line["answer"]) == (body["id"], "commit", "ack")
