"""Long polls share a check, hold no connection, and end with the session or the seat of their client."""

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.db.backends.utils import CursorWrapper
from django.test import Client

from games.live import http, polls
from tock_league.accounts.models import User
from tock_league.common.gate import Pages
from tock_league.common.transactions import writing

from .sockets import off_loop

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def pages() -> Pages:
    """The site's handler, with its middleware."""
    return Pages()


def sign_in(sat_table: Any, seat: int) -> str:
    """Return the session key of a login of that seat's player."""
    player = sat_table.players[seat]
    with writing():
        player.user = User.objects.create(email=f"poll{seat}@example.org")
        player.save()
    client = Client()
    client.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return client.cookies[site.SESSION_COOKIE_NAME].value


async def get(pages: Pages, address: str, session: str = "") -> tuple[int, dict[str, Any]]:
    """Return status and JSON of a GET, as a request of its own."""
    parts = urlsplit(address)
    headers = [(b"host", b"tock.test")]
    if session:
        headers.append((b"cookie", f"{site.SESSION_COOKIE_NAME}={session}".encode()))
    scope = {
        "type": "http", "method": "GET", "path": parts.path, "query_string": parts.query.encode(), "headers": headers,
    }  # fmt: skip
    request = ApplicationCommunicator(pages, scope)
    await request.send_input({"type": "http.request", "body": b""})
    start, body = await request.receive_output(30), await request.receive_output(30)
    await request.wait(10)
    return start["status"], json.loads(body["body"])


def events(sat_table: Any, **more: Any) -> str:
    words = "&".join(f"{name}={value}" for name, value in more.items())
    return f"/api/tables/{sat_table.table.slug}/events?epoch=0&{words}"


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give the tables that the polls have read."""
    seen: list[int] = []
    real = polls.look

    def counted(table_id: int, **more: Any) -> polls.Look:
        seen.append(table_id)
        return real(table_id, **more)

    monkeypatch.setattr(polls, "look", counted)
    return seen


async def settled(looks: list[int], waiting: int) -> None:
    """Wait until this many polls wait at the table."""
    async with asyncio.timeout(20):
        while sum(watch.polls for watches in polls._watches.values() for watch in watches.values()) < waiting:
            await asyncio.sleep(0.01)


async def test_twenty_polls_at_a_table_share_one_look_at_each_play(
    pages: Pages, sat_table: Any, looks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polls, "LOOK_S", 60.0)  # only hints
    waiting = [asyncio.create_task(get(pages, events(sat_table, since=1, wait=25))) for _ in range(20)]
    await settled(looks, 20)
    await off_loop(lambda: sat_table.send(0, "ready"))()
    answers = await asyncio.gather(*waiting)
    assert {(status, body["t"], body["list"][-1]["seq"]) for status, body in answers} == {(200, "ev", 2)}
    assert len(looks) <= 3  # the first, one for the play, and one if the play came during it
    assert not any(polls._watches.values())


@pytest.mark.both_databases
async def test_a_poll_finds_a_play_without_a_hint(
    pages: Pages, sat_table: Any, looks: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polls, "LOOK_S", 0.05)
    monkeypatch.setattr(polls.hints, "tell", lambda news: None)
    monkeypatch.setattr(polls.hints, "listen", lambda listener: -1)
    session = await off_loop(sign_in)(sat_table, 1)
    waiting = asyncio.create_task(get(pages, events(sat_table, since=1, wait=25), session))
    await settled(looks, 1)
    await off_loop(lambda: sat_table.send(0, "ready"))()
    status, body = await waiting
    assert (status, body["t"], body["list"][-1]["seq"]) == (200, "ev", 2)


async def test_without_news_a_poll_ends_with_a_heartbeat(pages: Pages, sat_table: Any) -> None:
    status, body = await get(pages, events(sat_table, since=1, wait=1))
    assert (status, body["t"], body["seq"]) == (200, "hb", 1)


def sign_out(session: str, sat_table: Any) -> None:
    Session.objects.filter(session_key=session).delete()


def lose_the_seat(session: str, sat_table: Any) -> None:
    with writing():
        sat_table.table.seatings.filter(seat=1).update(player=sat_table.players[2])


@pytest.mark.parametrize(("end", "code"), [(sign_out, "auth"), (lose_the_seat, "seat_lost")])
async def test_a_poll_ends_with_the_session_or_the_seat_and_sends_no_news(
    pages: Pages,
    sat_table: Any,
    looks: list[int],
    monkeypatch: pytest.MonkeyPatch,
    end: Callable[[str, Any], None],
    code: str,
) -> None:
    monkeypatch.setattr(polls, "LOOK_S", 0.05)
    session = await off_loop(sign_in)(sat_table, 1)
    waiting = asyncio.create_task(get(pages, events(sat_table, since=1, wait=25), session))
    await settled(looks, 1)
    await off_loop(end)(session, sat_table)
    if end is lose_the_seat:
        await off_loop(lambda: sat_table.send(0, "ready"))()
    status, body = await waiting
    assert (status, body["error"]["code"]) == (403, code)


async def test_a_poll_whose_seat_is_lost_while_it_reads_sends_no_news(
    pages: Pages, sat_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await off_loop(sign_in)(sat_table, 1)
    real = http.reader.current_game

    def read(table_id: int) -> Any:
        monkeypatch.setattr(http.reader, "current_game", real)
        lose_the_seat(session, sat_table)
        sat_table.send(0, "ready")
        return real(table_id)

    monkeypatch.setattr(http.reader, "current_game", read)
    status, body = await get(pages, events(sat_table, since=1, wait=25), session)
    assert (status, body["error"]["code"]) == (403, "seat_lost")


async def test_only_threads_of_the_live_room_touch_the_database_for_a_snap(
    pages: Pages, sat_table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await off_loop(sign_in)(sat_table, 1)
    threads: set[str] = set()
    real = CursorWrapper.execute

    def noted(cursor: Any, *args: Any) -> Any:
        threads.add(threading.current_thread().name.rsplit("_")[0])
        return real(cursor, *args)

    monkeypatch.setattr(CursorWrapper, "execute", noted)
    status, body = await get(pages, f"/api/tables/{sat_table.table.slug}/snap", session)
    assert (status, body["you"]["seat"]) == (200, 1)
    assert threads == {"table"}
