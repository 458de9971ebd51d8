"""Play over HTTP: what each seat sees and no more, commands, and polls that wait."""

import asyncio
import json
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.testing import ApplicationCommunicator

from games.fold import Viewer, merge, view, view_hash
from games.live import doors, http, polls
from tests.games.conftest import Sat
from tests.live.conftest import open_table, players, sat_table
from tests.live.sockets import login_of, off_loop
from tock_league.accounts import tokens
from tock_league.common.gate import Pages

from .calling import promised

__all__ = ["open_table", "players", "sat_table"]  # fixtures
pytestmark = pytest.mark.django_db(transaction=True)
Ask = Callable[..., Awaitable[tuple[int, dict[str, Any]]]]
SHOWN = {
    "": "/api/v1/play/{table}",
    "events": "/api/v1/play/{table}/events",
    "commands": "/api/v1/play/{table}/commands",
}


@pytest.fixture
def ask(sat_table: Sat) -> Ask:
    """Return a function that calls an endpoint through the site's whole handler, and judges the answer by the document."""
    pages = Pages()

    async def asked(
        at: str = "", token: str = "", body: Any = None, *, method: str = "", **query: Any
    ) -> tuple[int, dict[str, Any]]:
        headers = [(b"host", b"tock.test"), (b"accept-language", b"en")]
        if token:
            headers.append((b"authorization", f"Bearer {token}".encode()))
        text = json.dumps(body).encode() if body is not None else b""
        if body is not None:
            headers += [(b"content-type", b"application/json"), (b"content-length", str(len(text)).encode())]
        other, method = method, "GET" if body is None else "POST"
        scope = {
            "type": "http",
            "method": other or method,
            "path": "/".join(filter(None, (f"/api/v1/play/{sat_table.table.slug}", at))),
            "query_string": urlencode({key.rstrip("_"): value for key, value in query.items()}).encode(),
            "headers": headers,
        }
        request = ApplicationCommunicator(pages, scope)
        await request.send_input({"type": "http.request", "body": text})
        start, sent = await request.receive_output(30), await request.receive_output(30)
        await request.wait(10)
        told = json.loads(sent["body"])
        if other:
            return start["status"], told | {"allow": dict(start["headers"])[b"Allow"].decode()}
        found = dict(start["headers"])
        assert found[b"Cache-Control"] == b"no-store"
        validators = dict(promised(SHOWN[at], method.lower(), start["status"]))
        validators[found[b"Content-Type"].decode()].validate(told)
        return start["status"], told

    return asked


def secret(sat: Sat, seat: int, *scopes: str) -> str:
    return tokens.make(by=login_of(sat.players[seat]), name="Programme", scopes=scopes or ("play",), days=30).secret


def cmd(turn: str, kind: str, **args: str) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "turn": turn, "kind": kind, "args": args}


async def test_each_seat_sees_its_own_hand_and_its_plays_alone(sat_table: Sat, ask: Ask) -> None:
    seat = await off_loop(sat_table.begin)()
    state = await off_loop(lambda: sat_table.state)()
    for number in range(4):
        told = (await ask(token=await off_loop(secret)(sat_table, number, "read")))[1]
        assert told["you"]["seat"] == number
        assert told["view"] == view(state, Viewer(number))
        assert ("legal" in told["view"]) == (number == seat)
    for token in ("", await off_loop(secret)(sat_table, 0)):
        told = (await ask(token=token, as_="spectator"))[1]
        assert told["you"]["role"] == "spectator"
        assert not {"hand", "legal", "laid"} & told["view"].keys()


@pytest.mark.both_databases
async def test_a_command_is_carried_out_once_and_a_refusal_says_why(sat_table: Sat, ask: Ask) -> None:
    seat = await off_loop(sat_table.begin)()
    token = await off_loop(secret)(sat_table, seat)
    told = (await ask(token=token))[1]["view"]
    play = cmd(told["decision"], "play", play=told["legal"][0])
    first, again = await ask("commands", token, play), await ask("commands", token, play)
    assert (first[0], again) == (200, (200, first[1] | {"dup": True}))
    late = await ask("commands", token, play | {"id": str(uuid.uuid4())})
    assert (late[0], late[1]["code"], late[1]["details"]["retry"]) == (409, "stale_turn", False)
    other = await off_loop(secret)(sat_table, (seat + 2) % 4)
    status, told = await ask("commands", other, cmd((await ask(token=other))[1]["view"]["decision"], "play", play="x"))
    assert (status, told["code"]) == (409, "not_your_turn")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "kind"),
        ({"kind": "play", "args": {"play": "7D"}, "turn": "0.1"}, "id"),
        (cmd("0", "ready"), "turn"),
        (cmd("0.1", "win"), "kind"),
        ({**cmd("0.1", "ready"), "seat": 2}, "seat"),
        ([], "frame"),
    ],
)
async def test_a_command_of_the_wrong_form_is_refused_by_its_field(
    sat_table: Sat, ask: Ask, body: Any, field: str
) -> None:
    status, told = await ask("commands", await off_loop(secret)(sat_table, 0), body)
    assert (status, told["code"], told["field"]) == (400, "bad_frame", field)


async def test_who_may_not_is_told_so(sat_table: Sat, ask: Ask) -> None:
    ready = cmd("0.1", "ready")
    assert (await ask("commands", "", ready))[1]["code"] == "not_authenticated"
    assert (await ask("commands", await off_loop(secret)(sat_table, 0, "read"), ready))[1]["code"] == "token_scope"
    for at, body in (("", None), ("events", None), ("commands", ready)):
        assert (await ask(at, "tock_nothing", body))[1]["code"] == "token_unknown"
    assert (await ask(nothing=1))[1]["field"] == "nothing"
    assert (await ask(method="DELETE"))[1]["allow"] == "GET, HEAD"
    status, told = await ask("commands", method="GET")
    assert (status, told["code"], told["allow"]) == (405, "method_not_allowed", "POST")
    assert (await ask("events", after="x"))[1]["field"] == "after"
    assert (await ask("events", as_="captain"))[1]["field"] == "as"
    stranger = await off_loop(
        lambda: tokens.make(by=login_of(_stranger()), name="P2", scopes=["play"], days=1).secret
    )()
    assert (await ask("commands", stranger, ready))[0] == 403
    await off_loop(lambda: type(sat_table.table).objects.update(seated_only=True))()
    assert (await ask(token=stranger))[0] == 404


def _stranger() -> Any:
    from tock_league.accounts.services import create_player

    return create_player(display_name="Une autre")


async def waits(at_least: int) -> None:
    """Wait until this many polls wait at the table."""
    until = time.monotonic() + 5
    while sum(watch.polls for watch in polls._watches.get(asyncio.get_running_loop(), {}).values()) < at_least:
        assert time.monotonic() < until
        await asyncio.sleep(0.01)


@pytest.mark.both_databases
async def test_a_poll_waits_for_the_next_event_and_keeps_the_view(sat_table: Sat, ask: Ask) -> None:
    token, other = await off_loop(secret)(sat_table, 0), await off_loop(secret)(sat_table, 1)
    snap = (await ask(token=token))[1]
    poll = asyncio.create_task(ask("events", token, after=snap["seq"], epoch=snap["epoch"], wait=20))
    await waits(1)
    assert (await ask("commands", other, cmd("0.1", "ready")))[0] == 200
    status, ev = await asyncio.wait_for(poll, 5)
    assert (status, ev["t"]) == (200, "ev")
    seen = snap["view"]
    for event in ev["list"]:
        seen = merge(seen, event["set"])
    assert seen["ready"] == [False, True, False, False]
    assert view_hash(seen) == ev["hash"]
    assert (await ask("events", token, after=ev["list"][-1]["seq"], wait=0))[1]["t"] == "hb"
    assert (await ask("events", token, after=99))[1]["t"] == "snap"


async def test_one_request_of_a_token_waits_at_a_table(
    sat_table: Sat, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "MAX_WAIT", 0.6)
    token, other = await off_loop(secret)(sat_table, 0), await off_loop(secret)(sat_table, 0)
    first = asyncio.create_task(ask("events", token, after=1, wait=25))
    beside = asyncio.create_task(ask("events", other, after=1, wait=25))
    await waits(2)
    second = asyncio.create_task(ask("events", token, after=1, wait=25))
    status, told = await asyncio.wait_for(first, 5)
    assert (status, told["code"]) == (409, "other_poll")
    assert [(await task)[1]["t"] for task in (beside, second)] == ["hb", "hb"]
    assert not doors.watch()._alone


async def test_a_poll_ends_with_its_token(sat_table: Sat, ask: Ask) -> None:
    token = await off_loop(secret)(sat_table, 0)
    poll = asyncio.create_task(ask("events", token, after=1, wait=20))
    await waits(1)
    await off_loop(lambda: tokens.revoke_all(login_of(sat_table.players[0])))()
    since = time.monotonic()
    status, told = await asyncio.wait_for(poll, 10)
    assert (status, told["code"]) == (401, "auth")
    assert time.monotonic() - since < 3
