"""Faults that the fuzz found, each with a test of its own."""

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from tests.games.conftest import Sat
from tock_league.common.transactions import writing

from .sockets import Socket, login_of, off_loop

pytestmark = pytest.mark.django_db(transaction=True)


def release_live(sat: Sat) -> None:
    with writing():
        sat.table.release = "live"
        sat.table.save()


async def test_a_late_spectator_sees_everything_released_and_disturbs_nobody(sat_table: Sat) -> None:
    await off_loop(release_live)(sat_table)
    slug = sat_table.table.slug
    seat = await Socket.of(slug, sat_table.players[0])
    gone = Socket(slug, role="spectator")
    await gone.enter()
    await gone.leave()
    await off_loop(sat_table.all_ready)()  # no feed keeps these rows for spectators
    before = (await off_loop(lambda: sat_table.game)()).last_seq
    await seat.reach(before)
    late = Socket(slug, role="spectator")
    await late.enter()
    assert late.seq == before
    for player in range(2):
        await off_loop(sat_table.exchange_of)(player)
        await seat.reach(before + player + 1)
        await late.reach(before + player + 1)
    await late.leave()
    await seat.leave()


@pytest.fixture
def seat_client(sat_table: Sat) -> Client:
    """Return the client of seat 0, which must send its CSRF token like a browser."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(login_of(sat_table.players[0]), backend="allauth.account.auth_backends.AuthenticationBackend")
    client.cookies["csrftoken"] = "a" * 32
    return client


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"content_type": "multipart/form-data; boundary=x"}, 400),
        ({"content_type": "application/json", "CONTENT_LENGTH": "abc"}, 413),
        ({"content_type": "application/json", "CONTENT_LENGTH": "-1"}, 413),
        ({"content_type": "text/plain"}, 200),
    ],
)
def test_a_command_as_a_form_or_of_invalid_length_is_refused_as_a_bad_frame(
    sat_table: Sat, seat_client: Client, more: dict[str, Any], status: int
) -> None:
    body = json.dumps({"id": str(uuid.uuid4()), "turn": "0.1", "kind": "ready", "args": {}})
    address = f"/api/tables/{sat_table.table.slug}/commands"
    answer = seat_client.generic("POST", address, body, HTTP_X_CSRFTOKEN="a" * 32, **more)
    assert answer.status_code == status
    assert status == 200 or answer.json()["error"]["code"] == "bad_frame"


async def test_a_command_whose_sender_joins_as_a_spectator_meanwhile_is_answered_without_an_error(
    sat_table: Sat, caplog: pytest.LogCaptureFixture
) -> None:
    """The command was taken from the seat and waited in the table's queue, when the socket had no seat any more."""
    seat = await Socket.of(sat_table.table.slug, sat_table.players[0])
    id = str(uuid.uuid4())
    await seat.send(t="cmd", id=id, turn=seat.view["decision"], kind="ready", args={})
    await seat.send(t="join", table=seat.table, **{"as": "spectator"})
    while (frame := await seat.frame()).get("id") != id:
        pass
    assert frame.get("code") != "internal"
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    await seat.leave()
