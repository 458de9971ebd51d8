"""The log at DEBUG of all modules while a table is played: it says what lines are about, and contains nothing hidden."""

import asyncio
import io
import json
import logging
import logging.config
import random
import re
import uuid
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.test import AsyncClient
from structlog.stdlib import ProcessorFormatter

from games import bots
from games.services import play
from tests.games.conftest import Sat
from tock_league.common import logs
from tock_league.embedded.requests import RequestIds

from .sockets import APP, Socket, login_of, off_loop

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "une phrase que personne ne sait"
PLAYS = 40
LEG = re.compile(r"\b(?:[thx][0-9]{1,3}|r)-(?:[thx][0-9]{1,3})\b")
CARD = re.compile(r"\b(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|JK)\b")


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Give what any module logs at DEBUG, in the format of production."""
    config = deepcopy(settings.LOGGING)
    config["formatters"]["lines"]["json"] = True
    formatter = logging.config.DictConfigurator(config).configure_formatter(config["formatters"]["lines"])
    assert isinstance(formatter, ProcessorFormatter)
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    loggers = [root, *(logging.getLogger(name) for name in settings.LOGGING["loggers"])]
    levels = [logger.level for logger in loggers]
    root.addHandler(handler)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


def sign_in(sat: Sat, seat: int) -> str:
    """Return the key of a session as the login page creates it."""
    user = login_of(sat.players[seat])
    user.set_password(PASSWORD)
    user.save()
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


async def socket_of(sat: Sat, key: str, request: str) -> Socket:
    """Return a joined socket with a session cookie, as a browser's has."""
    socket = Socket(sat.table.slug)
    cookie = f"{settings.SESSION_COOKIE_NAME}={key}"
    socket.scope["headers"] = [(b"cookie", cookie.encode()), (b"x-request-id", request.encode())]
    del socket.scope["session"], socket.scope["user"]
    await socket.enter()
    return socket


async def commanded(client: AsyncClient, sat: Sat, **body: Any) -> dict[str, Any]:
    path = f"/api/tables/{sat.table.slug}/commands"
    answer = await client.post(path, json.dumps({"id": str(uuid.uuid4())} | body), content_type="application/json")
    return dict(answer.json())


async def test_no_line_names_a_card_a_play_a_session_or_a_password(
    sat_table: Sat, no_limits: None, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.live.sockets.APP", RequestIds(APP))
    roll, keys = random.Random(5), [await off_loop(sign_in)(sat_table, seat) for seat in range(4)]
    token = "c" * 32  # a token's length; its cookie is sent with each request
    clients = [AsyncClient() for _ in range(4)]
    for client, key in zip(clients, keys, strict=True):
        client.cookies[settings.SESSION_COOKIE_NAME] = key
        client.cookies[settings.CSRF_COOKIE_NAME] = token
    await off_loop(sat_table.begin)()
    sockets = [await socket_of(sat_table, key, f"handshake-{seat}") for seat, key in enumerate(keys)]

    for number in range(PLAYS):
        state = await off_loop(lambda: sat_table.state)()
        for socket in sockets:
            await socket.reach(state.seq)
        seat = min(state.to_act)
        seen = sockets[seat].view
        line, turn = bots.choose(seen, seen["legal"], level="club", roll=roll.randrange), seen["decision"]
        if number % 3:
            assert (await sockets[seat].command("play", play=line))["t"] == "ack"
        else:
            answer = await commanded(clients[seat], sat_table, turn=turn, kind="play", args={"play": line})
            assert answer["t"] == "ack", answer
        wrong = await sockets[(seat + 1) % 4].command("play", play=line, turn=turn)
        assert wrong["t"] == "nak"

    with monkeypatch.context() as broken:
        broken.setattr(play, "_draft", fail)
        assert (await sockets[0].command("play", play=line))["code"] == "internal"
    await clients[0].post("/accounts/login/", {"login": "nobody@example.org", "password": PASSWORD})
    await sockets[1].raw('{"t":"cmd","kind":"play","args":{"play":"9C t0-t9"}}')
    assert await sockets[1].closed() == 4002
    for socket in sockets:
        await socket.leave()

    lines = written.getvalue().splitlines()
    assert len(lines) > PLAYS
    for text in lines:
        assert not CARD.search(text.replace("\\n", "\n")), text
        assert not LEG.search(text), text
        assert PASSWORD not in text
        assert token not in text
        assert not [key for key in keys if key in text], text
    check_what_lines_are_about([json.loads(text) for text in lines], sat_table)


def fail(locked: Any, asked: Any, command: play.Request) -> Any:
    raise RuntimeError(f"a fault of ours at {command.args['play']}\n9C: {command.args}")


def check_what_lines_are_about(lines: list[dict[str, Any]], sat: Sat) -> None:
    """Assert that the lines of commands name request, table, seat and command, and that there is a masked traceback."""
    commands = [line for line in lines if line["event"] == "command"]
    assert len(commands) >= PLAYS
    assert {line["table"] for line in commands} == {sat.table.slug}
    by_socket = [line for line in commands if "request" in line]
    assert {(line["request"], line["seat"]) for line in by_socket} == {(f"handshake-{n}", n) for n in range(4)}
    assert all(uuid.UUID(line["command"]) for line in commands)
    (failed,) = [line for line in lines if "a fault of ours" in line.get("exception", "")]
    assert re.search(r"RuntimeError: a fault of ours at (burn )?\?\?", failed["exception"])
    assert (failed["request"], failed["seat"], failed["table"]) == ("handshake-0", 0, sat.table.slug)
    assert failed["level"] == "error"
    assert any(line["event"].startswith("bad frame") and line["seat"] == 1 for line in lines)


async def test_a_group_names_all_its_commands(written: io.StringIO) -> None:
    from games.live.writer import _context

    class Stub:
        context: logs.Context = {"table": "t", "command": "1"}

    def request(id: str) -> play.Request:
        return play.Request(1, 0, id, "0.1", "ready", {}, None)  # type: ignore[arg-type]

    future: Any = asyncio.get_running_loop().create_future()
    alone = (request("1"), future, Stub())
    assert _context([alone]) == Stub.context  # type: ignore[list-item]
    assert _context([alone, (request("2"), future, Stub())]) == {"commands": ["1", "2"]}  # type: ignore[list-item]
