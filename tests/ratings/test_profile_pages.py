"""The page of a player or a pair in a ladder, and two of them compared: what is said, linked and counted, in few queries."""

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from ratings import selectors, services
from ratings.models import Ladder, RatedResult, Rating, RatingChange, Subject
from ratings.selectors import pairings, why
from ratings.selectors.chemistry import Chemistry
from ratings.selectors.profile_pages import PAGE
from tests.documents import squeezed
from tock_league.accounts.models import Player
from tock_league.common import clock

from .announced import Finished, evening
from .board_world import ADDRESS, LADDER, pairs_of
from .seasons import a_season

ENGLISH = {"accept-language": "en"}


@pytest.fixture
def season(at: clock.Frozen) -> list[Player]:
    """The sixteen people of a season."""
    played = a_season(25)
    at.set(played.ended)
    return played.people


def subject_of(*people: Player) -> Subject:
    return Subject.objects.get(key="-".join(str(pk) for pk in sorted(player.pk for player in people)))


def page_of(*people: Player, number: int = 1) -> selectors.ProfilePage:
    with translation.override("en"):
        return selectors.profile_page(LADDER, subject_of(*people).pk, number)


def test_a_page_costs_the_same_for_a_player_and_a_pair_and_at_any_depth(season: list[Player]) -> None:
    for players, number in (((season[0],), 1), ((season[0],), 2), (season[:2], 1), (season[:2], 2)):
        with CaptureQueriesContext(connection) as asked:
            page_of(*players, number=number)
        assert len(asked) <= 12


def test_a_history_is_paged_and_its_rows_fit_together(season: list[Player]) -> None:
    first, second = page_of(*season[:2]), page_of(*season[:2], number=2)
    assert (first.pages, len(first.games), len(second.games)) == (2, PAGE, 25 - PAGE)
    games = [*first.games, *second.games]
    assert all(later.before == earlier.after for later, earlier in pairwise(games))
    assert games[0].after == first.row.score
    assert [step.after for step in first.steps] == [game.after for game in reversed(games)]
    assert first.records is not None
    assert first.records.best == max(game.after for game in games)
    assert first.records.form == ["win" if game.won else "loss" for game in games[:10]]


def test_streaks_and_the_biggest_upset(at: clock.Frozen, people: list[Player], finished: Finished) -> None:
    pairs = pairs_of(people)
    for winner in (0, 0, 0, 1, 0):
        evening(at)
        finished(pairs[winner], pairs[1 - winner])
    at.advance(seconds=2)
    services.rate_waiting(ladder_key=LADDER)
    mine, yours = page_of(*pairs[0]), page_of(*pairs[1])
    assert mine.records is not None
    assert yours.records is not None
    assert (mine.records.longest, mine.records.running, yours.records.running) == (3, 1, -1)
    assert mine.records.longest_until == mine.games[2].at
    assert yours.upset is not None
    assert yours.upset.chance == 100 - mine.games[1].chance < 50
    assert [one.name for side in yours.upset.against for one in side.players] == sorted(
        player.display_name for player in pairs[0]
    )


def test_partners_have_their_games_results_and_chemistry(season: list[Player]) -> None:
    (partner,) = page_of(season[0]).partners
    together = Rating.objects.get(subject=subject_of(*season[:2]), generation__state="live")
    assert (partner.names, partner.games, partner.wins) == (season[1].display_name, 25, together.wins)
    assert partner.chemistry is not None
    assert partner.chemistry == page_of(*season[:2]).chemistry


@pytest.mark.parametrize(
    ("middle", "half", "said"),
    [(90, 40, "Stronger together"), (-90, 40, "Weaker together"), (30, 40, "No difference is proven")],
)
def test_chemistry_is_proven_only_where_its_interval_leaves_out_zero(middle: int, half: int, said: str) -> None:
    with translation.override("en"):
        sentence = Chemistry(middle, half).sentence
    assert sentence.startswith(said)
    assert f"{why.signed(middle - half)} and {why.signed(middle + half)}" in sentence


def test_each_sentence_about_a_change_fits_its_figures(
    at: clock.Frozen, people: list[Player], finished: Finished
) -> None:
    """A long absence lowers the rating of a winner, and the row says so with figures that add up."""
    strong, weak = pairs_of(people)[:2]
    for _ in range(25):
        evening(at)
        finished(strong, weak)
    evening(at, hours=24 * 200)
    finished(strong, weak, reason="forfeit_timeouts")
    at.advance(seconds=2)
    while services.rate_waiting(ladder_key=LADDER).applied:
        pass
    game = page_of(*strong).games[0]
    assert game.won
    assert game.difference < 0
    assert "200 days without a game had widened the margin" in game.why[1]
    assert game.why[0] == "One side ran out of time after enough plays; such a forfeit is rated."
    estimate, margin = (int(word.strip(".,").replace("−", "-")) for word in game.why[1].split() if word[0] in "+−")
    assert estimate + margin == game.difference
    assert page_of(*weak).games[0].why[1].startswith(("After 200 days", "Higher although lost"))


def test_a_ruling_is_named_at_its_row_and_at_later_rows(season: list[Player], client: Client) -> None:
    ladder = Ladder.objects.get(key=LADDER)
    change = RatingChange.objects.filter(subject=subject_of(*season[:2])).order_by("-completed_at")[3]
    first = RatedResult.objects.get(source=change.source, revision=1)
    for ref, said in (
        ("TL-2026-000098/1", "Ruling TL-2026-000098 changed this result"),
        ("C-7", "corrected afterwards"),
    ):
        ranks = RatedResult.objects.filter(source=change.source).order_by("-revision")[0].ranks[::-1]
        services.revise(ladder=ladder, source=first.source, ranks=ranks, reason="ruling", ruling=ref)
        services.rebuild(ladder_key=LADDER, cause="test")
        games = page_of(*season[:2]).games
        assert any(said in sentence for sentence in games[3].why)
        assert all(any(why.startswith("Computed again on ") for why in game.why) for game in games[:3])
        assert not any("Computed again" in why for game in games[3:] for why in game.why)


def test_chances_of_a_match_follow_from_those_of_a_game() -> None:
    assert pairings.of_match(0.6, 1) == pytest.approx(0.6)
    assert pairings.of_match(0.6, 3) == pytest.approx(0.648)
    assert pairings.of_match(0.5, 5) == pytest.approx(0.5)
    assert [pairings.of_hundred(chance) for chance in (0.0, 0.574, 1.0)] == [1, 57, 99]


def test_many_chances_are_those_of_each_pairing_alone(season: list[Player]) -> None:
    pairs = [[player.pk for player in pair] for pair in pairs_of(season)]
    asked: list[Any] = [([pairs[0], pairs[5]], None), ([pairs[3], pairs[1]], clock.now() + timedelta(days=50))]
    with CaptureQueriesContext(connection) as queries:
        found = pairings.win_chances(LADDER, asked)
    assert len(queries) == 2
    assert found == [pairings.win_chance(LADDER, sides, at) for sides, at in asked]


def test_two_pairs_compared_show_their_games_and_the_chance_now(season: list[Player], client: Client) -> None:
    one, two = pairs_of(season)[:2]
    ids = [subject_of(*pair).pk for pair in (one, two)]
    with CaptureQueriesContext(connection) as queries:
        found = selectors.comparison(LADDER, *ids)
    assert len(queries) <= 9
    met = RatedResult.objects.all()
    sides = [{player.pk for player in pair} for pair in (one, two)]
    met_games = [row for row in met if {frozenset(side) for side in row.sides} == {frozenset(side) for side in sides}]
    assert found.won + found.lost == len(met_games) > 0
    chance = pairings.win_chance(LADDER, [[player.pk for player in pair] for pair in (one, two)])
    assert found.first.chance == pairings.of_hundred(chance.best) == 100 - found.second.chance
    text = squeezed(client.get(f"{ADDRESS}{ids[0]}/against/{ids[1]}/", headers=ENGLISH).content.decode())
    assert f"Of 100 such games, {found.first.name} wins {found.first.chance}." in text
    back = selectors.comparison(LADDER, *ids[::-1])
    assert (back.won, back.lost) == (found.lost, found.won)


def test_two_partners_compared_have_games_on_the_same_side(season: list[Player], client: Client) -> None:
    ids = [subject_of(player).pk for player in season[:2]]
    found = selectors.comparison(LADDER, *ids)
    assert (found.together, found.won, found.lost, list(found.games)) == (25, 0, 0, [])
    assert "They have not met" in client.get(f"{ADDRESS}{ids[0]}/against/{ids[1]}/", headers=ENGLISH).content.decode()


def test_somebody_to_compare_with_is_found_by_name(season: list[Player], client: Client) -> None:
    own, other = subject_of(season[0]).pk, subject_of(season[6]).pk
    text = client.get(
        f"{ADDRESS}{own}/against/", {"name": season[6].display_name[:5]}, headers=ENGLISH
    ).content.decode()
    assert f"{ADDRESS}{own}/against/{other}/" in text
    assert f"{ADDRESS}{own}/against/{own}/" not in text
    nobody = client.get(f"{ADDRESS}{own}/against/", {"name": "x" * 10_000}, headers=ENGLISH)
    assert "Nobody else called" in nobody.content.decode()


@pytest.mark.parametrize("page", ["0", "3", "-1", "x", "9" * 30, "²", "1.5"])
def test_a_page_of_games_that_does_not_exist_is_not_found(page: str, season: list[Player], client: Client) -> None:
    assert client.get(f"{ADDRESS}{subject_of(*season[:2]).pk}/", {"games": page}).status_code == 404


def test_what_cannot_be_compared_is_not_found(season: list[Player], client: Client) -> None:
    player, pair = subject_of(season[0]).pk, subject_of(*season[:2]).pk
    for first, second in ((player, player), (player, pair), (player, 10**9), (player, 10**40), (10**40, player)):
        assert client.get(f"{ADDRESS}{first}/against/{second}/").status_code == 404
    assert client.get(f"/leaderboards/tock/3/{player}/against/{pair}/").status_code == 404
    assert client.get(f"{ADDRESS}{10**40}/against/").status_code == 404
