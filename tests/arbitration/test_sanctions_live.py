"""The seat of a suspended player is refused over the socket and over HTTP, on both databases."""

import json

import pytest
from django.test import Client

from tests.live.sockets import Socket, login_of, off_loop
from tock_league.common import clock
from tock_league.competitions.models import Match

from .sanctions import Struck, about_to_be_struck, next_match
from .world import a_world

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def struck(transactional_db: None, hand) -> Struck:
    return about_to_be_struck(a_world())


@pytest.fixture
def match(struck: Struck) -> Match:
    """The player's next match, its table open; the suspension comes afterwards."""
    match = next_match(struck)
    struck.sign()
    return Match.objects.select_related("table").get(pk=match.pk)


async def test_the_socket_refuses_the_seat_of_a_suspended_player(struck: Struck, match: Match) -> None:
    slug = match.table.slug
    end = clock.ms(clock.now()) + 90 * 86_400_000
    own = await Socket.of(slug, struck.player)
    refused = await own.command("ready")
    assert (refused["t"], refused["code"], refused["why"], refused["until"]) == ("nak", "illegal", "suspended", end)
    partner = await off_loop(lambda: match.table.seatings.exclude(player=struck.player).first().player)()
    other = await Socket.of(slug, partner)
    answer = await other.command("ready")
    assert answer["t"] == "ack"
    assert "until" not in answer
    await own.reach(answer["seq"])
    assert own.view["ready"].count(True) == 1
    await own.leave()
    await other.leave()


def test_the_http_door_refuses_the_seat_of_a_suspended_player(struck: Struck, match: Match) -> None:
    client = Client()
    client.force_login(login_of(struck.player), backend="allauth.account.auth_backends.AuthenticationBackend")
    sent = {"id": "5f0c0e9e-7a1c-4a3e-9c55-2f2a9e3f7c11", "turn": "0.0", "kind": "ready", "args": {}}
    answer = client.post(f"/api/tables/{match.table.slug}/commands", json.dumps(sent), content_type="application/json")
    assert (answer.status_code, answer.json()["why"]) == (409, "suspended")
