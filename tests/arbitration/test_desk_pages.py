"""The referees' desk: who sees it, what waits there, and how it follows what happens."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tests.competitions.world import a_player
from tock_league.arbitration.services.referees import leases

from .browsers import digest_of, signed_in, to, typed, words_of
from .world import World

pytestmark = pytest.mark.django_db


def test_the_desk_shows_the_call_with_its_time_and_who_may_take_it(world: World, called, hand) -> None:
    _sat, case = called
    hand.move(timedelta(seconds=72)) if hasattr(hand, "move") else None
    page = signed_in(world.referees[0]).get(reverse("arbitration:desk", args=[world.competition.slug]))
    words = words_of(page)
    assert "calls: talking" in words
    assert "If nobody takes the case, play goes on by itself in:" in words
    assert "Take the case" in words
    assert "Clocks stopped" in words  # the list of tables
    assert case.number[-6:] not in words_of(signed_in(a_player("Quidam")).get(page.request["PATH_INFO"]))


@pytest.mark.parametrize("who", ["stranger", "party", "visitor"])
def test_the_desk_is_the_referees_and_the_organisers(world: World, called, who: str) -> None:
    person = {"stranger": a_player("Quidam"), "party": world.players[0], "visitor": None}[who]
    answer = signed_in(person).get(reverse("arbitration:desk", args=[world.competition.slug]))
    assert answer.status_code == (302 if who == "visitor" else 403)


def test_the_desk_polls_and_reloads_when_something_changed(world: World, called) -> None:
    _sat, case = called
    browser = signed_in(world.referees[0])
    first = browser.get(reverse("arbitration:news", args=[world.competition.slug])).json()
    assert first["waiting"] == 1
    assert first["key"] in browser.get(reverse("arbitration:desk", args=[world.competition.slug])).content.decode()
    leases.take(by=world.referees[1], case=case)
    second = browser.get(reverse("arbitration:news", args=[world.competition.slug])).json()
    assert second["waiting"] == 0
    assert second["key"] != first["key"]


def test_from_the_table_a_referee_comes_to_its_case(world: World, called) -> None:
    _sat, case = called
    address = reverse("arbitration:table_case", args=[world.match.table.slug])
    assert signed_in(world.referees[0]).get(address).url == to("case", case.number)
    assert signed_in(world.players[0]).get(address).status_code == 403
    leases.take(by=world.head, case=case)
    browser = signed_in(world.head)
    decided = typed(world, remedies=["blind_burn"])
    seen = browser.post(to("rule", case.number), decided | {"do": "preview"})
    browser.post(to("rule", case.number), decided | {"do": "sign", "preview_digest": digest_of(seen)})
    assert signed_in(world.referees[0]).get(address).url == reverse("arbitration:desk", args=[world.competition.slug])
