"""The token of an application sits at a table, and its socket ends with the access."""

import time
from typing import Any

import pytest
from django.test import Client

from games.live import doors
from games.live.hub import hub
from tests.games.conftest import Sat
from tests.oauth.world import Program, an_application
from tock_league.accounts.permissions import SITE
from tock_league.oauth import services
from tock_league.oauth.models import Access

from .sockets import Socket, login_of, off_loop

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
PROMISED_S = 3.0  # as for a personal token (tests/live/test_tokens.py)


def connected(sat: Sat, scope: str = "read play") -> tuple[Program, str]:
    """Return a program, and its access token for the player of the first seat."""
    for player in sat.players[:2]:
        login_of(player)
    program = Program(an_application(sat.players[1]))
    return program, program.connect(sat.players[0], scope)["access_token"]


def end_by_person(program: Program) -> None:
    access = Access.objects.get()
    services.end_own(by=access.user, pk=access.pk)


def suspend(program: Program) -> None:
    services.suspend(by=SITE, application=program.application)


def delete(program: Program) -> None:
    services.delete(by=program.application.owner, client_id=program.application.client_id)


def use_twice(program: Program) -> None:
    token = program.tokens["refresh_token"]
    program.refresh(token)
    program.refresh(token)


@pytest.mark.parametrize("end", [end_by_person, suspend, delete, use_twice])
async def test_a_socket_of_an_application_plays_and_ends_with_its_access(sat_table: Sat, end: Any) -> None:
    program, token = await off_loop(connected)(sat_table)
    socket = Socket(sat_table.table.slug, token=token)
    await socket.enter()
    assert socket.frames[0]["you"]["seat"] == 0
    assert (await socket.command("ready"))["t"] == "ack"
    await off_loop(end)(program)
    since = time.monotonic()
    assert await socket.closed(timeout=10) == 4001
    assert time.monotonic() - since < PROMISED_S
    await socket.leave()
    assert not hub().feeds
    assert not doors.watch().inside


async def test_an_application_that_may_only_read_sits_nowhere(sat_table: Sat) -> None:
    _program, token = await off_loop(connected)(sat_table, "read")
    socket = Socket(sat_table.table.slug, token=token)
    await socket.connect()
    assert await socket.closed() == 4003
    await socket.leave()


def test_long_polls_and_idempotent_writes_take_the_token_of_an_application(sat_table: Sat) -> None:
    _program, token = connected(sat_table)
    holder = Client(headers={"authorization": f"Bearer {token}"}, raise_request_exception=False)
    state = holder.get(f"/api/v1/play/{sat_table.table.slug}")
    assert state.status_code == 200
    assert state.json()["you"]["seat"] == 0
    made = [
        holder.post(
            "/api/v1/tables",
            {"rules": "shawinigan/1"},
            "application/json",
            headers={"idempotency-key": "made-by-quilles"},
        )
        for _time in range(2)
    ]
    assert [answer.status_code for answer in made] == [201, 201]
    assert made[0].json() == made[1].json()
    assert made[1]["Idempotency-Replayed"] == "true"
