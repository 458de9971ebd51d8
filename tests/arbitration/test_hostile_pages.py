"""Addresses and forms that only an attacker sends are refused and never cause a server error."""

import pytest
from django.test import Client
from django.urls import reverse

from tock_league.accounts.services import create_user

from .world import WORDS, World

pytestmark = pytest.mark.django_db


def client_of(player, email="x@example.org") -> Client:
    player.user = create_user(email=email, password="le tock du mercredi")
    player.save()
    client = Client(raise_request_exception=True)
    client.force_login(player.user)
    return client


@pytest.mark.parametrize("seq", ["9" * 5000, "-1", "1e9", "\x00", "9" * 30])
def test_a_dispute_at_an_impossible_play_is_a_page(world: World, seq: str) -> None:
    game = world.played()
    client = client_of(world.players[1])
    answer = client.get(reverse("arbitration:dispute", args=[game.slug]), {"seq": seq})
    assert answer.status_code in (200, 422)
    answer = client.post(reverse("arbitration:dispute", args=[game.slug]), {"seq": seq, "kind": "talk", "text": "x"})
    assert answer.status_code == 422


@pytest.mark.parametrize("number", ["%00", "TL-2026-000001%00", "%2e%2e", "'", "%C3%A9" * 500, "%3Cb%3E", "TL-2026-9"])
@pytest.mark.parametrize("page", ["/cases/{}/", "/cases/{}/rule/", "/rulings/{}/"])
def test_an_address_without_a_number_is_not_found(world: World, number: str, page: str) -> None:
    client = client_of(world.referees[0])
    assert client.post(page.format(number)).status_code == 404
    assert client.get(page.format(number)).status_code == 404


@pytest.mark.parametrize("number", ["0", "9" * 19, "9" * 40, "9" * 5000])
def test_a_number_beyond_every_row_is_not_found(world: World, number: str) -> None:
    client = client_of(world.referees[0])
    for address in (
        f"/invitations/{number}/answer/",
        f"/invitations/{number}/revoke/",
        f"/competitions/{world.competition.slug}/rounds/{number}.json",
        f"/leaderboards/shawinigan/{number}/",
        f"/leaderboards/shawinigan/2/{number}/",
    ):
        assert client.post(address).status_code in (404, 405), address
        assert client.get(address).status_code in (404, 405), address


def test_one_side_reads_nothing_of_another_match_s_case(world: World) -> None:
    case = world.dispute()
    stranger = world.competition.entries.exclude(side_rows__match=world.match).first().roster.first().player
    client = client_of(stranger)
    for page in (
        "case",
        "answer",
        "add",
        "withdraw",
        "take",
        "rule",
        "appeal",
        "vote",
        "panel",
        "seat",
        "review",
        "outsider",
    ):
        address = reverse(f"arbitration:{page}", args=[case.number])
        told = client.get(address) if page == "case" else client.post(address, {"text": "x", "reason": "x"})
        assert told.status_code in (403, 404), page
        assert WORDS not in told.content.decode()
    for public in (
        "/rulings/",
        f"/rulings/{case.number}/",
        f"/journal/competition:{world.competition.slug}/",
        "/cases/",
    ):
        assert WORDS not in client.get(public).content.decode()
    stream = f"/journal/competition:{world.competition.slug}/export/"
    assert WORDS not in client.get(stream).content.decode()
    assert case.events.count() == 1
