"""An open socket and a waiting poll end with their login or seat; idle and superfluous sockets are closed."""

import asyncio
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import AsyncClient

from games.live import doors
from games.live.hub import hub
from games.models import Table
from games.permissions import GUEST_KEY
from tests.games.conftest import Sat, appoint_referee
from tock_league.accounts import sessions
from tock_league.accounts.models import Player, User
from tock_league.common import clock
from tock_league.embedded import patience

from .sockets import Socket, login_of, off_loop

pytestmark = pytest.mark.django_db(transaction=True)
PROMISED_S = 3.0


def sign_in(player: Player) -> tuple[User, SessionStore]:
    """Return the player's user and a session as the login page creates it."""
    user = login_of(player)
    user.set_password("la première phrase")
    user.save()
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return user, session


def change_password(user: User, session: SessionStore, sat: Sat) -> None:
    user.set_password("une autre phrase")
    user.save()


def deactivate(user: User, session: SessionStore, sat: Sat) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def sign_out(user: User, session: SessionStore, sat: Sat) -> None:
    Session.objects.filter(session_key=session.session_key).delete()


def expire(user: User, session: SessionStore, sat: Sat) -> None:
    past = clock.now() - timedelta(seconds=1)
    Session.objects.filter(session_key=session.session_key).update(expire_date=past)


def substitute(user: User, session: SessionStore, sat: Sat) -> None:
    sat.table.seatings.filter(seat=0).update(bot="club")


def sign_out_elsewhere(user: User, session: SessionStore, sat: Sat) -> None:
    """As the page does that lists the sessions, and as a change of the second factor does."""
    UserSession.objects.create(user=user, session_key=session.session_key, ip="192.0.2.7", user_agent="")
    assert sessions.end_others(user, but="this one") == 1


def give_the_player_to_another_login(user: User, session: SessionStore, sat: Sat) -> None:
    thief = User.objects.create(username="thief", email="thief@example.org")
    Player.objects.filter(user=user).update(user=thief)


def take_the_player_away(user: User, session: SessionStore, sat: Sat) -> None:
    Player.objects.filter(user=user).update(user=None)


ENDS_A_LOGIN = [
    *(change_password, deactivate, sign_out, expire, sign_out_elsewhere),
    *(give_the_player_to_another_login, take_the_player_away),
]
WAYS = [(end, 4001) for end in ENDS_A_LOGIN] + [(substitute, 4003)]


@pytest.fixture
async def nobody_left_behind() -> Any:
    yield
    assert not hub().feeds
    assert not doors.watch().inside
    assert not doors.watch()._sockets


async def entered(sat: Sat, **more: Any) -> tuple[Socket, User, SessionStore]:
    user, session = await off_loop(sign_in)(sat.players[0])
    socket = Socket(sat.table.slug, user=user, session=session, **more)
    await socket.enter()
    return socket, user, session


@pytest.mark.parametrize(("end", "code"), WAYS)
async def test_an_open_socket_ends_with_its_login_or_seat(
    sat_table: Sat, nobody_left_behind: None, end: Callable[..., None], code: int
) -> None:
    socket, user, session = await entered(sat_table)
    staying = await Socket.of(sat_table.table.slug, sat_table.players[1])
    await off_loop(end)(user, session, sat_table)
    since = time.monotonic()
    assert await socket.closed(timeout=10) == code
    assert time.monotonic() - since < PROMISED_S
    assert (await staying.command("ready"))["t"] == "ack"
    await socket.leave()
    await staying.leave()


async def test_who_watches_a_table_for_its_seats_alone_sees_it_no_longer_than_the_own_seat_is_held(
    sat_table: Sat, nobody_left_behind: None
) -> None:
    await off_loop(Table.objects.filter(pk=sat_table.table.pk).update)(seated_only=True)
    socket, user, session = await entered(sat_table, role="spectator")
    await off_loop(substitute)(user, session, sat_table)
    assert await socket.closed(timeout=10) == 4003
    await socket.leave()


async def test_commands_at_a_table_keep_the_session_and_heartbeats_do_not(
    sat_table: Sat, nobody_left_behind: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who plays for an hour without opening a page stays signed in; a page that lies open and forgotten does not help."""
    kept: list[str] = []
    monkeypatch.setattr(sessions, "keep", kept.append)
    monkeypatch.setattr(doors, "LOOK_S", 0.05)
    socket, _user, session = await entered(sat_table)
    await socket.send(t="hb", n=1, have=socket.seq, hash=socket.hash)
    await asyncio.sleep(0.3)
    assert kept == []
    for _command in range(2):
        await socket.command("ready")
        await asyncio.sleep(0.2)
    assert kept == [session.session_key], "at most once a minute"
    await socket.leave()


@pytest.mark.parametrize("end", ENDS_A_LOGIN)
async def test_a_command_from_an_ended_login_is_refused_and_the_socket_closed(
    sat_table: Sat, nobody_left_behind: None, monkeypatch: pytest.MonkeyPatch, end: Callable[..., None]
) -> None:
    monkeypatch.setattr(doors, "LOOK_S", 60.0)  # only the command can detect it
    socket, user, session = await entered(sat_table)
    await off_loop(end)(user, session, sat_table)
    nak = await socket.command("ready")
    assert (nak["t"], nak["code"]) == ("nak", "auth")
    assert await socket.closed() == 4001
    assert not (await off_loop(lambda: sat_table.state)()).ready[0]
    await socket.leave()


async def test_a_guests_socket_ends_with_the_session(sat_table: Sat, nobody_left_behind: None) -> None:
    session = SessionStore()
    session[GUEST_KEY] = "somebody"
    await off_loop(session.save)()
    socket = Socket(sat_table.table.slug, session=session, role="spectator")
    await socket.enter()
    await off_loop(session.flush)()
    assert await socket.closed(timeout=10) == 4001
    await socket.leave()


@pytest.mark.parametrize(("end", "code"), WAYS)
async def test_a_waiting_poll_ends_with_its_login_or_seat(
    sat_table: Sat, nobody_left_behind: None, end: Callable[..., None], code: int
) -> None:
    user, session = await off_loop(sign_in)(sat_table.players[0])
    polling = await begin_poll(sat_table, session)
    await off_loop(end)(user, session, sat_table)
    since = time.monotonic()
    answer = await polling
    assert time.monotonic() - since < PROMISED_S
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, {4001: "auth", 4003: "seat_lost"}[code])


async def test_a_referees_poll_ends_with_the_role(sat_table: Sat, nobody_left_behind: None) -> None:
    rosalie = await off_loop(appoint_referee)(sat_table)
    _, session = await off_loop(sign_in)(rosalie)
    polling = await begin_poll(sat_table, session)
    from games.services import referee

    await off_loop(lambda: referee.appoint(table_id=sat_table.table.pk, roles=[]))()
    since = time.monotonic()
    assert (await polling).status_code == 403
    assert time.monotonic() - since < PROMISED_S


async def test_before_a_stop_a_waiting_poll_gets_503_and_retry_after(
    sat_table: Sat, nobody_left_behind: None, caplog: pytest.LogCaptureFixture
) -> None:
    _, session = await off_loop(sign_in)(sat_table.players[0])
    polling = await begin_poll(sat_table, session)
    doors.watch().end_polls()
    answer = await polling
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert not [record for record in caplog.records if record.levelname == "ERROR"]  # a restart is not an error


async def begin_poll(sat: Sat, session: SessionStore) -> "asyncio.Future[Any]":
    """Begin a long poll of that session; return its future response, once it waits."""
    client = AsyncClient()
    client.cookies["sessionid"] = session.session_key
    seq = (await off_loop(lambda: sat.game)()).last_seq
    path = f"/api/tables/{sat.table.slug}/events?epoch=0&since={seq}&wait=20"
    polling = asyncio.ensure_future(client.get(path))
    while not any(visit.poll for visit in doors.watch().inside):
        assert not polling.done(), polling.result().content
        await asyncio.sleep(0.01)
    return polling


class TestIdle:
    async def test_a_socket_that_never_joins_is_closed(
        self, sat_table: Sat, nobody_left_behind: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(doors, "LOOK_S", 0.05)
        monkeypatch.setattr(doors, "JOIN_S", 0.3)
        joined = await Socket.of(sat_table.table.slug, sat_table.players[1])
        socket = Socket(sat_table.table.slug)
        await socket.connect()
        assert await socket.closed() == 4011
        assert (await joined.command("ready"))["t"] == "ack"
        await socket.leave()
        await joined.leave()

    async def test_a_silent_socket_is_closed(
        self, sat_table: Sat, nobody_left_behind: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(doors, "LOOK_S", 0.05)
        monkeypatch.setattr(doors, "SILENT_S", 0.5)
        silent = await Socket.of(sat_table.table.slug, sat_table.players[0])
        speaking = await Socket.of(sat_table.table.slug, sat_table.players[1])
        since = time.monotonic()
        while time.monotonic() - since < 1.0:
            await speaking.send(t="hb", n=1, have=speaking.seq, hash=speaking.hash)
            await asyncio.sleep(0.1)
        assert await silent.closed() == 4011
        assert (await speaking.command("ready"))["t"] == "ack"
        await silent.leave()
        await speaking.leave()

    def test_the_limits_of_ten_and_ninety_seconds_are_kept(self) -> None:
        assert doors.JOIN_S + doors.LOOK_S + patience.GOODBYE_S <= 10
        assert doors.SILENT_S + doors.LOOK_S <= 95


class TestCrowds:
    async def test_if_a_person_opens_too_many_sockets_the_most_silent_one_is_closed(
        self, sat_table: Sat, nobody_left_behind: None, settings: Any
    ) -> None:
        settings.LIVE_SOCKETS_PER_PERSON = 3
        sockets = [await Socket.of(sat_table.table.slug, sat_table.players[0]) for _ in range(3)]
        await sockets[0].send(t="hb", n=1, have=sockets[0].seq, hash=sockets[0].hash)
        await sockets[0].until("hb")
        other = await Socket.of(sat_table.table.slug, sat_table.players[1])
        newest = await Socket.of(sat_table.table.slug, sat_table.players[0])
        assert await sockets[1].closed() == 4008
        assert (await newest.command("ready"))["t"] == "ack"
        assert (await other.command("ready"))["t"] == "ack"
        for socket in (*sockets, other, newest):
            await socket.leave()

    async def test_too_many_joins_close_the_socket(self, sat_table: Sat, nobody_left_behind: None) -> None:
        socket = await Socket.of(sat_table.table.slug, sat_table.players[0])
        for _ in range(12):
            await socket.join()
        assert await socket.closed() == 4008
        await socket.leave()

    async def test_sockets_that_end_in_any_way_leave_nothing_behind(
        self, sat_table: Sat, nobody_left_behind: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slug = sat_table.table.slug
        mute = Socket(slug)
        await mute.connect()
        await mute.leave()
        wrong = await Socket.of(slug, sat_table.players[0])
        await wrong.raw("no json")
        assert await wrong.closed() == 4002
        await wrong.leave()
        cut = await Socket.of(slug, sat_table.players[0])
        await cut.send(t="cmd", id=str(uuid.uuid4()), turn="0.1", kind="ready", args={})
        await cut.leave()
        cancelled = await Socket.of(slug, sat_table.players[0])
        cancelled.inner.future.cancel()
        await asyncio.gather(cancelled.inner.future, return_exceptions=True)
        broken = await Socket.of(slug, sat_table.players[1])

        async def fail(*args: Any) -> None:
            raise OSError("the hub is away")

        monkeypatch.setattr(type(hub()), "join", fail)
        await broken.join()
        with pytest.raises(OSError, match="away"):
            await broken.inner.wait(5)
