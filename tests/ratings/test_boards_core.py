"""Tests of scores, ladder keys, and the conditions of places on boards."""

import random
import statistics
from datetime import UTC, datetime, timedelta
from math import sqrt

import pytest

from ratings.core import eligibility, ladders, score
from ratings.core.eligibility import CLUB, GLOBAL, Record
from ratings.core.engines import ClosedForm
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT
from ratings.core.recompute import Entry, States, apply

IDLE = DEFAULT.idle_per_day
LAST = datetime(2026, 11, 1, 21, 0, tzinfo=UTC)


def record(**more) -> Record:  # type: ignore[no-untyped-def]
    facts = {"members": 1, "estimate": Estimate(28.0, 1.5), "games": 30, "opponents": 7, "partners": 3, "last": LAST}
    return Record(**{**facts, **more})


def codes(facts: Record, board: eligibility.Board, at: datetime = LAST) -> list[tuple[str, int]]:
    return [(gap.code, gap.missing) for gap in eligibility.gaps(facts, board, at=at, idle_per_day=IDLE)]


def test_newcomers_start_at_1000_and_a_pair_of_them_at_986() -> None:
    engine = ClosedForm(DEFAULT)
    assert score.points(engine.score(engine.initial(), 1)) == 1000
    assert score.points(engine.score(engine.seed([engine.initial()] * 2), 2)) == 986


def test_the_interval_is_eighty_sigma_on_the_scale_of_one_player() -> None:
    assert score.interval(1.5) == 120
    assert score.interval(score.per_player(Estimate(50.0, 1.5 * sqrt(2)), 2).sigma) == 120


def test_a_bucket_has_four_points_of_score() -> None:
    assert [score.bucket(milli) for milli in (1_000_000, 1_003_999, 1_004_000, -1)] == [250, 250, 251, -1]


@pytest.mark.parametrize(("milli", "shown"), [(1_163_499, 1163), (1_163_500, 1164), (-1_500, -2), (-400, 0)])
def test_points_are_rounded_half_away_from_zero(milli: int, shown: int) -> None:
    assert score.points(milli) == shown


def test_a_ladder_is_the_family_and_the_number_of_teams() -> None:
    assert str(ladders.ladder_of("shawinigan/1", 2)) == "shawinigan:2"
    assert ladders.ladder_of("shawinigan/2", 2) == ladders.ladder_of("shawinigan/1", 2)
    assert ladders.parse("tock:6") == ("tock", 6)


@pytest.mark.parametrize("key", ["shawinigan", ":2", "tock:x", "tock:1", ""])
def test_an_invalid_ladder_key_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="ladder: "):
        ladders.parse(key)


def test_rules_without_edition_and_a_single_team_are_refused() -> None:
    for rules in ("shawinigan", "shawinigan/", "shawinigan/first", "/1"):
        with pytest.raises(ValueError, match=f"rules: '{rules}'"):
            ladders.ladder_of(rules, 2)
    with pytest.raises(ValueError, match="teams: 1"):
        ladders.ladder_of("shawinigan/1", 1)


def test_a_record_that_meets_all_conditions_is_on_both_boards() -> None:
    assert codes(record(), CLUB) == codes(record(), GLOBAL) == []


def test_every_unmet_condition_is_returned_with_the_missing_number() -> None:
    new = record(games=2, opponents=1, partners=0, estimate=Estimate(25.0, 6.0))
    assert codes(new, CLUB) == [("games", 6), ("uncertainty", 0), ("opponents", 2)]
    assert codes(new, GLOBAL) == [("games", 6), ("uncertainty", 0), ("opponents", 5), ("partners", 3)]


def test_only_the_global_board_requires_partners_and_only_of_players() -> None:
    tied = record(partners=1)
    assert codes(tied, CLUB) == []
    assert codes(tied, GLOBAL) == [("partners", 2)]
    assert codes(record(members=2, partners=0, estimate=Estimate(56.0, 2.0)), GLOBAL) == []


@pytest.mark.parametrize(("days", "club", "world"), [(29, [], []), (30, [], ["recent"]), (60, ["recent"], ["recent"])])
def test_a_place_expires_at_the_end_of_the_window_of_activity(days: int, club: list[str], world: list[str]) -> None:
    at = LAST + timedelta(days=days)
    assert [code for code, _ in codes(record(), CLUB, at)] == club
    assert [code for code, _ in codes(record(), GLOBAL, at)] == world


def test_a_place_expires_when_the_uncertainty_exceeds_the_limit() -> None:
    near = record(estimate=Estimate(28.0, 2.3))
    until = eligibility.eligible_until(near, GLOBAL, idle_per_day=IDLE)
    assert until == LAST + timedelta(days=(2.4**2 - 2.3**2) / IDLE)
    assert codes(near, GLOBAL, until - timedelta(seconds=1)) == []
    assert [code for code, _ in codes(near, GLOBAL, until + timedelta(seconds=1))] == ["uncertainty"]


def test_the_uncertainty_alone_ends_a_global_place_after_189_days() -> None:
    # Without the window of activity: the uncertainty alone decides.
    wide = eligibility.Board(sigma=2.4, games=8, opponents=6, days=9999, partners=0)
    until = eligibility.eligible_until(record(), wide, idle_per_day=IDLE)
    assert until is not None
    assert (until - LAST).days == 189


def test_limits_of_uncertainty_are_on_the_scale_of_one_player() -> None:
    pair = record(members=2, estimate=Estimate(50.0, 3.4 * sqrt(2)))
    assert codes(pair, CLUB) == []
    assert [code for code, _ in codes(record(members=2, estimate=Estimate(50.0, 3.6 * sqrt(2))), CLUB)] == [
        "uncertainty"
    ]


@pytest.mark.parametrize(
    ("facts", "provisional"),
    [
        (record(games=7), True),
        (record(games=8), False),
        (record(estimate=Estimate(25.0, 3.51)), True),
        (record(estimate=Estimate(25.0, 3.5)), False),
        (record(games=0, last=None), True),
    ],
)
def test_a_rating_is_provisional_with_few_games_or_much_uncertainty(facts: Record, provisional: bool) -> None:
    assert eligibility.is_provisional(facts, at=LAST, idle_per_day=IDLE) is provisional


@pytest.mark.parametrize(("limit", "about"), [(3.5, 10), (2.4, 20)])
def test_a_pair_needs_about_ten_games_for_a_place_and_twenty_for_the_global_board(limit: float, about: int) -> None:
    engine, dice = ClosedForm(DEFAULT), random.Random(2)
    strength = [dice.gauss(25, 5) for _ in range(16)]
    states: States = {}
    needed: dict[tuple[int, ...], int] = {}
    for number in range(240):
        a, b = ((2 * i, 2 * i + 1) for i in dice.sample(range(8), 2))
        gap = sum(strength[p] for p in a) - sum(strength[p] for p in b)
        won = gap + dice.gauss(0, DEFAULT.beta * 2) > 0
        apply(states, Entry(f"g{number:04d}", LAST, (a, b), (0, 1) if won else (1, 0)), engine)
        for pair in (a, b):
            if score.per_player(states[pair].estimate, 2).sigma <= limit:
                needed.setdefault(pair, states[pair].games)
    assert len(needed) == 8
    assert statistics.median(needed.values()) == pytest.approx(about, abs=3)
