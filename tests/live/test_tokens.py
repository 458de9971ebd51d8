"""An access token opens the table's socket as its person, and the socket ends with the token."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games.live import doors, people
from games.live.hub import hub
from tests.games.conftest import Sat
from tock_league.accounts import tokens
from tock_league.accounts.models import Token, User
from tock_league.common import clock

from .sockets import NoSession, Socket, login_of, off_loop

pytestmark = pytest.mark.django_db(transaction=True)
PROMISED_S = 3.0  # as for a session that has ended (test_doors)
PLAY = (Token.Scope.PLAY,)


def a_token(sat: Sat, seat: int = 0, scopes: Any = PLAY) -> tokens.Made:
    return tokens.make(by=login_of(sat.players[seat]), name="Programme", scopes=scopes, days=30)


def revoke(made: tokens.Made) -> None:
    tokens.revoke(by=made.token.user, pk=made.token.pk)


def expire(made: tokens.Made) -> None:
    now = clock.now()
    Token.objects.filter(pk=made.token.pk).update(
        created_at=now - timedelta(days=2), expires_at=now - timedelta(seconds=1)
    )


async def refused(sat: Sat, **more: Any) -> int:
    """Return the code with which the handshake is answered."""
    socket = Socket(sat.table.slug, **more)
    await socket.connect()
    code = await socket.closed()
    await socket.leave()
    return code


@pytest.mark.both_databases
@pytest.mark.parametrize("way", ["header", "subprotocol"])
async def test_a_token_sits_down_as_its_person(sat_table: Sat, way: str) -> None:
    made = await off_loop(a_token)(sat_table, 2)
    more = {"token": made.secret} if way == "header" else {"offered": [people.BEARER + made.secret]}
    socket = Socket(sat_table.table.slug, **more)
    await socket.enter()
    assert socket.frames[0]["you"]["seat"] == 2
    assert (await socket.command("ready"))["t"] == "ack"
    await socket.leave()


async def test_a_token_counts_before_the_session_of_the_same_browser(sat_table: Sat) -> None:
    made = await off_loop(a_token)(sat_table, 1)
    other = await off_loop(login_of)(sat_table.players[3])
    socket = Socket(sat_table.table.slug, user=other, session=NoSession(), token=made.secret)
    await socket.enter()
    assert socket.frames[0]["you"]["seat"] == 1
    await socket.leave()


@pytest.mark.parametrize("end", [revoke, expire])
async def test_an_open_socket_ends_with_its_token_and_plays_nothing_meanwhile(
    sat_table: Sat, monkeypatch: pytest.MonkeyPatch, end: Callable[[tokens.Made], None]
) -> None:
    made = await off_loop(a_token)(sat_table)
    socket = Socket(sat_table.table.slug, token=made.secret)
    await socket.enter()
    await off_loop(end)(made)
    since = time.monotonic()
    nak = await socket.command("ready")
    assert (nak["t"], nak["code"]) == ("nak", "auth")
    assert await socket.closed(timeout=10) == 4001
    assert time.monotonic() - since < PROMISED_S
    await socket.leave()
    assert not hub().feeds
    assert not doors.watch().inside


async def test_what_opens_nothing_is_refused_at_the_door(sat_table: Sat) -> None:
    reads = await off_loop(a_token)(sat_table, scopes=(Token.Scope.READ,))
    gone = await off_loop(a_token)(sat_table)
    await off_loop(revoke)(gone)
    assert await refused(sat_table, token=reads.secret) == 4003
    assert await refused(sat_table, token=gone.secret) == 4001
    assert await refused(sat_table, token="tock_unknown") == 4001
    assert await refused(sat_table, token="x" * 200) == 4001
    assert await refused(sat_table, offered=[people.BEARER + gone.secret]) == 4001
    assert await refused(sat_table, offered=[people.BEARER]) == 4001


async def test_the_token_of_somebody_without_a_seat_watches(sat_table: Sat) -> None:
    made = await off_loop(lambda: tokens.make(by=User.objects.create(email="x@example.org"), name="Autre",
                                              scopes=PLAY, days=1))()  # fmt: skip
    seated = Socket(sat_table.table.slug, token=made.secret)
    await seated.connect()
    await seated.join()
    assert await seated.closed() == 4001
    await seated.leave()
    watching = Socket(sat_table.table.slug, token=made.secret, role="spectator")
    await watching.enter()
    assert "hand" not in watching.view
    await watching.leave()
