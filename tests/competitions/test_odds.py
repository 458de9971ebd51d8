"""Chances of open matches, as wins in a hundred: on the page of a match, in the list of matches, by its number of games."""

from typing import Any

from django.test import Client
from django.urls import reverse

from tests.competitions.world import a_league, first_match, play_match
from tests.documents import squeezed
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.rounds import matches, odds

ENGLISH = {"accept-language": "en"}


def test_the_list_and_the_page_tell_the_chance_of_an_open_match(hand: Any, db: Any, client: Client) -> None:
    league = a_league(4)
    match = first_match(league)
    view = matches.match_view(match.slug, None)
    chances = odds.of_matches([view])[match.pk]
    assert (chances.home, chances.away, chances.wins, chances.best_of) == (50, 50, 50, 1)
    page = squeezed(client.get(reverse("competitions:match", args=[match.slug]), headers=ENGLISH).content.decode())
    assert f"Of 100 such games, {view.home.name} wins 50." in page
    listed = squeezed(client.get(reverse("competitions:matches", args=[league.slug]), headers=ENGLISH).content.decode())
    assert f"{view.home.name} wins 50 of 100 such games" in listed


def test_a_match_of_several_games_has_a_chance_of_its_own(hand: Any, db: Any, client: Client) -> None:
    match = first_match(a_league(2))
    Match.objects.filter(pk=match.pk).update(best_of=3)
    page = squeezed(client.get(reverse("competitions:match", args=[match.slug]), headers=ENGLISH).content.decode())
    assert "Of 100 such matches of 3 games, 50." in page


def test_a_decided_match_has_none(hand: Any, db: Any) -> None:
    match = first_match(a_league(2))
    play_match(match, winner=0)
    assert odds.of_matches([matches.match_view(match.slug, None)]) == {}
