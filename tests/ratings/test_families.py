"""Tests of ladders of every rule-set family, with teams of two to four players."""

from collections.abc import Sequence
from datetime import timedelta
from math import sqrt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.engine import registry
from games.selectors import rule_sets
from ratings import selectors, services
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT
from ratings.core.score import points, score_milli
from ratings.core.two_teams import update
from ratings.models import Ladder, RatedResult, Rating, Subject
from ratings.selectors import boards, pairings, words
from ratings.selectors.pairs import drawn_only, team_of
from ratings.selectors.starts import starts
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import clock

from .announced import Finished, evening

SIX = {"rules": "tock/1"}


def rating(ladder: str, people: Sequence[Player]) -> Rating:
    key = "-".join(str(pk) for pk in sorted(player.pk for player in people))
    return Rating.objects.select_related("subject").get(
        generation__ladder__key=ladder, generation__state="live", subject__key=key
    )


def play(
    at: clock.Frozen, finished: Finished, a: Sequence[Player], b: Sequence[Player], rules: str, games: int = 1
) -> None:
    """Let `a` beat `b` under `rules` on so many evenings, and rate the games."""
    for _ in range(games):
        evening(at)
        finished(a, b, rules=rules)
    at.advance(seconds=2)
    while services.rate_waiting(ladder_key=f"{rules.split('/')[0]}:2").resting is not None:
        pass


def test_every_family_has_a_name_and_says_whether_its_teams_are_pairs():
    with translation.override("en"):
        names = {family: words.ladder_name(family, 2) for family in (rules.split("/")[0] for rules in registry.ids())}
    assert names["tock-air"] == "Tock air, 2 teams"
    assert names["toc"] == "Toc, 2 teams"
    assert all(name[0].isupper() for name in names.values())
    assert [words.of_pairs(family, 2) for family in ("shawinigan", "tock-air", "toc", "tock")] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_team_of_any_size_is_seeded_from_its_players_and_rated_as_one(at, people, finished, size):
    a, b = people[:size], people[size : 2 * size]
    play(at, finished, a, b, "tock/1")
    sigma = sqrt(size * DEFAULT.sigma0**2 + size * DEFAULT.synergy)
    start = [Estimate(size * DEFAULT.mu0, sigma)]
    won, lost = update(start, start, beta2=DEFAULT.beta**2, tau2=DEFAULT.tau**2, weights=(size, size))
    for side, expected in ((a, won[0]), (b, lost[0])):
        row = rating("tock:2", side)
        assert (row.kind, row.subject.size) == (Subject.Kind.TEAM, size)
        assert (row.mu, row.sigma) == pytest.approx(tuple(expected), abs=1e-9)
        assert row.score_milli == score_milli(expected, size)
    alone = update(
        [Estimate(DEFAULT.mu0, DEFAULT.sigma0)] * size,
        [Estimate(DEFAULT.mu0, DEFAULT.sigma0)] * size,
        beta2=DEFAULT.beta**2,
        tau2=DEFAULT.tau**2,
    )
    assert rating("tock:2", a[:1]).mu == pytest.approx(alone[0][0].mu, abs=1e-9)
    assert rating("tock:2", a[:1]).partners == 0  # too few games with each
    assert Rating.objects.filter(kind="team").count() == 2


def test_pairs_and_teams_of_three_share_a_board_under_their_own_names(at, people, finished, client: Client):
    three = clubs.form_team(by=SITE, name="Les Trois Rivières", players=people[:3])
    pair = clubs.form_team(by=SITE, name="La Mauricie", players=people[:2])
    play(at, finished, people[:3], people[3:6], "tock/1", games=2)
    play(at, finished, people[:2], people[4:6], "tock/1", games=2)
    rows = [*boards.board("tock:2", "team").rows, *boards.board("tock:2", "team").apart]
    assert {row.name for row in rows if row.team} == {"Les Trois Rivières", "La Mauricie"}
    assert {len(row.players) for row in rows} == {2, 3}
    assert team_of([tuple(sorted(p.pk for p in people[1:3]))]) == {}
    assert team_of([tuple(sorted(p.pk for p in people[:2]))])[tuple(sorted(p.pk for p in people[:2]))] == pair
    three.drawn = True
    three.save()
    assert drawn_only([tuple(sorted(p.pk for p in people[:3]))])
    page = client.get(reverse("ratings:ladder", args=["tock", 2]), headers={"accept-language": "en"}).content.decode()
    assert "Leaderboard of teams" in page
    assert people[2].display_name in page
    assert client.get(reverse("ratings:subject", args=["tock", 2, rows[0].subject_id])).status_code == 200


def test_the_overview_links_to_every_ladder_with_a_game(at, people, finished, client: Client):
    for rules in (one.id for one in rule_sets.offered()):
        play(at, finished, people[:2], people[2:4], rules)
    page = client.get(reverse("ratings:leaderboards")).content.decode()
    for rules in (one.id for one in rule_sets.offered()):
        family = rules.split("/")[0]
        for name in ("ladder", "players", "clubs"):
            address = reverse(f"ratings:{name}", args=[family, 2])
            assert f'href="{address}"' in page
            assert client.get(address).status_code == 200
    other = client.get(reverse("ratings:players", args=["toc", 2])).content.decode()
    assert reverse("ratings:players", args=["tock-air", 2]) in other


def test_the_home_page_shows_the_ladder_with_the_most_ranked_rows(at, people, finished, client: Client):
    assert selectors.leading() is None
    assert client.get("/").status_code == 200
    play(at, finished, people[:2], people[2:4], "toc/1")
    assert selectors.leading().key == "toc:2"
    teams = [people[2 * i : 2 * i + 2] for i in range(8)]
    for _round in range(5):
        for number, team in enumerate(teams):
            for other in teams[number + 1 :]:
                at.advance(minutes=30)
                finished(team, other, rules="tock-air/1")
    at.advance(seconds=2)
    while services.rate_waiting(ladder_key="tock-air:2").applied:
        pass
    assert selectors.leading().key == "tock-air:2"
    page = client.get("/").content.decode()
    assert reverse("ratings:clubs", args=["tock-air", 2]) in page


# --- first estimates in a ladder


@pytest.fixture
def known(at: clock.Frozen, people: list[Player], finished: Finished) -> list[Player]:
    """Four players, the first two of whom have won 30 games under the Shawinigan rules."""
    play(at, finished, people[:2], people[2:4], "shawinigan/1", games=30)
    return people


def test_a_new_player_starts_from_the_most_certain_ladder_with_a_minimum_sigma(at, known):
    row = rating("shawinigan:2", known[:1])
    found = starts("toc:2", [player.pk for player in known[:5]], at=clock.now(), params=DEFAULT)
    assert found.keys() == {player.pk for player in known[:4]}
    assert found[known[0].pk].mu == row.mu
    assert found[known[0].pk].sigma == pytest.approx(row.sigma)
    assert row.sigma > DEFAULT.seed_floor
    Rating.objects.filter(pk=row.pk).update(sigma=1.5)
    [estimate] = starts("toc:2", [known[0].pk], at=clock.now(), params=DEFAULT).values()
    assert estimate == Estimate(row.mu, DEFAULT.seed_floor)
    assert starts("shawinigan:2", [known[0].pk], at=clock.now(), params=DEFAULT) == {}
    assert starts("tractor:2", [known[0].pk], at=clock.now(), params=DEFAULT) == {}
    later = clock.now() + timedelta(days=4000)
    assert starts("toc:2", [known[0].pk], at=later, params=DEFAULT)[known[0].pk].sigma > DEFAULT.seed_floor


def test_the_predicted_chance_of_a_first_game_equals_the_rated_one(at, known, finished):
    sides = [[player.pk for player in known[:2]], [player.pk for player in known[2:4]]]
    assert not Ladder.objects.filter(key="toc:2").exists()
    chance = pairings.win_chance("toc:2", sides)
    assert chance.by_players > 0.75
    finished(known[:2], known[2:4], rules="toc/1")
    at.advance(seconds=2)
    services.rate_waiting(ladder_key="toc:2")
    assert RatedResult.objects.filter(ladder__key="toc:2", kind="seed").count() == 4
    subject = rating("toc:2", known[:1]).subject
    [change] = selectors.history(subject, selectors.ladder("toc:2"))
    assert change.chance == round(100 * chance.by_players)


def test_ladders_of_tractor_are_seeded_only_from_variants_of_tractor(at, known, finished, monkeypatch):
    from games.engine.tractor.game import GAME
    from games.engine.tractor.rules import TractorRules

    found = dict(registry.entries())
    variant = registry.Entry(TractorRules(id="maison/1", tractor_duty=True), GAME)
    monkeypatch.setattr(registry, "entries", lambda: found | {"maison/1": variant})
    play(at, finished, known[:2], known[2:4], "tractor/1", games=12)
    assert not RatedResult.objects.filter(ladder__key="tractor:2", kind="seed").exists()
    row = rating("tractor:2", known[:1])
    assert row.games == 12
    [start] = starts("maison:2", [known[0].pk], at=clock.now(), params=DEFAULT).values()
    assert start.mu == pytest.approx(row.mu)
    play(at, finished, known[:2], known[2:4], "maison/1")
    assert RatedResult.objects.filter(ladder__key="maison:2", kind="seed").count() == 4
    # Ladders of Tock are unchanged, and seeds for them come from Tock only.
    best = rating("shawinigan:2", known[:1])
    assert starts("toc:2", [known[0].pk], at=clock.now(), params=DEFAULT)[known[0].pk].mu == best.mu
    assert selectors.is_coming("maison:2")


def test_a_tie_of_two_teams_is_logged_unrated_and_changes_no_rating(at, people, finished):
    finished(people[:2], people[2:4], rules="tractor/1", ranks=(0, 0), rated=False, unrated_reason="tied")
    [row] = RatedResult.objects.all()
    assert (row.ladder.key, row.ranks, row.rated, row.reason) == ("tractor:2", [0, 0], False, "tied")
    at.advance(seconds=2)
    services.rate_waiting(ladder_key="tractor:2")
    assert not Rating.objects.exists()


def test_a_teams_score_is_on_the_scale_of_one_player(at, people, finished):
    play(at, finished, people[:4], people[4:8], "tock/1")
    row = rating("tock:2", people[:4])
    assert points(row.score_milli) == round(1000 + 40 * (row.mu / 4 - 3 * row.sigma / 2))
