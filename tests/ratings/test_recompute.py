"""Tests of the fold: incremental steps equal a replay; corrections, voids, merges, seasons; invalid entries."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import sqrt

import pytest

from ratings.core.engines import ClosedForm, engine_for
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT, Params
from ratings.core.recompute import Entry, State, States, apply, check, digest, entries_in_force, replay

ENGINE = ClosedForm(DEFAULT)
START = datetime(2026, 1, 5, 19, 0, tzinfo=UTC)


def game(number: int, a: tuple[int, ...], b: tuple[int, ...], *, hours: float | None = None, **more) -> Entry:  # type: ignore[no-untyped-def]
    at = START + timedelta(hours=number if hours is None else hours)
    return Entry(f"g{number:04d}", at, (a, b), **{"ranks": (0, 1), **more})


def test_a_game_of_four_newcomers_rates_four_players_and_two_pairs() -> None:
    states: States = {}
    changes = apply(states, game(1, (7, 3), (5, 4)), ENGINE)
    assert [change.subject for change in changes] == [(7,), (3,), (5,), (4,), (3, 7), (4, 5)]
    assert states[(7,)].mu == states[(3,)].mu > 25 > states[(5,)].mu
    # The pair starts as the sum of its players and is rated as one subject.
    assert changes[4].before == Estimate(50.0, sqrt(2 * (25 / 3) ** 2 + 4))
    assert states[(3, 7)].mu > 50
    assert [change.chance for change in changes] == [0.5] * 6
    assert [change.won for change in changes] == [True, True, False, False, True, False]


def test_individual_play_creates_no_teams() -> None:
    states: States = {}
    apply(states, Entry("g1", START, ((1,), (2,)), (1, 0)), ENGINE)
    assert set(states) == {(1,), (2,)}
    assert states[(2,)].wins == 1


def test_games_partners_and_opposing_teams_are_counted() -> None:
    states: States = {}
    for number, (a, b) in enumerate([((1, 2), (3, 4)), ((1, 2), (4, 3)), ((1, 5), (3, 4)), ((1, 2), (3, 6))], start=1):
        apply(states, game(number, a, b), ENGINE)
    assert states[(1,)].games == 4
    assert states[(1,)].partners == {2: 3, 5: 1}
    assert states[(1,)].opponents == {(3, 4): 3, (3, 6): 1}
    assert states[(3, 4)].opponents == {(1, 2): 2, (1, 5): 1}
    assert states[(3, 4)].partners == {}


def test_a_pair_is_seeded_from_its_players_estimates_before_the_game() -> None:
    states: States = {}
    for number in range(1, 6):
        apply(states, game(number, (1, 9), (2, 8)), ENGINE)
    one, two = states[(1,)].estimate, states[(2,)].estimate
    late = game(6, (1, 2), (3, 4), hours=6 + 24 * 100)
    pair = apply(states, late, ENGINE)[4]
    assert pair.subject == (1, 2)
    assert pair.before.mu == one.mu + two.mu
    grown = one.sigma**2 + two.sigma**2 + 2 * 100 * DEFAULT.idle_per_day
    assert pair.before.sigma == pytest.approx(sqrt(grown + 4), rel=1e-12)


def test_idle_days_grow_the_uncertainty_only_when_the_subject_plays_again() -> None:
    states: States = {(1,): State(25.0, 1.5, games=9, last=START), (2,): State(25.0, 1.5, games=9, last=START)}
    year = Entry("g1", START + timedelta(days=365, hours=5), ((1,), (2,)), (0, 1))
    changes = apply(states, year, ENGINE)
    assert [change.idle for change in changes] == [365, 365]
    assert changes[0].before == Estimate(25.0, 1.5)
    # After a year sigma is 3.0 instead of 1.5: the update equals that of two players with 3.0.
    other: States = {(1,): State(25.0, sqrt(1.5**2 + 365 * 0.0185)), (2,): State(25.0, sqrt(1.5**2 + 365 * 0.0185))}
    apply(other, replace(year, source="g2"), ENGINE)
    assert states[(1,)].estimate == other[(1,)].estimate
    assert sqrt(1.5**2 + 365 * 0.0185) == pytest.approx(3.0, abs=0.01)


def test_idle_growth_stops_at_the_uncertainty_of_a_newcomer() -> None:
    states: States = {(1,): State(25.0, 8.0, last=START), (2,): State(25.0, 8.0, last=START)}
    apply(states, Entry("g1", START + timedelta(days=9999), ((1,), (2,)), (0, 1)), ENGINE)
    fresh: States = {}
    apply(fresh, Entry("g1", START, ((1,), (2,)), (0, 1)), ENGINE)
    assert states[(1,)].sigma == fresh[(1,)].sigma


@pytest.mark.parametrize("entry", [game(2, (1, 2), (3, 4), rated=False), replace(game(2, (1, 2), (3, 4)), kind="void")])
def test_an_unrated_or_voided_game_changes_no_state(entry: Entry) -> None:
    states = replay([game(1, (1, 2), (3, 4))], ENGINE)
    before = digest(states)
    assert apply(states, entry, ENGINE) == []
    assert digest(states) == before


def test_a_correction_keeps_the_place_of_the_first_revision() -> None:
    first = [game(n, (1, 2), (3, 4), ranks=(n % 2, 1 - n % 2)) for n in range(1, 8)]
    turned = replace(first[2], revision=2, ranks=first[2].ranks[::-1], completed_at=START + timedelta(days=9))
    played_so = [replace(e, ranks=e.ranks[::-1]) if e.source == first[2].source else e for e in first]
    assert digest(replay([*first, turned], ENGINE)) == digest(replay(played_so, ENGINE))
    # Reversing the correction restores the states exactly.
    back = replace(first[2], revision=3)
    assert digest(replay([*first, turned, back], ENGINE)) == digest(replay(first, ENGINE))


def test_only_the_first_seed_of_a_player_counts() -> None:
    seed = Entry("a-seed", START, ((1,),), kind="seed", start=Estimate(31.0, 5.0))
    changes = apply(states := {}, seed, ENGINE)
    assert changes == []
    apply(states, replace(seed, start=Estimate(1.0, 1.0)), ENGINE)
    assert states[(1,)].estimate == Estimate(31.0, 5.0)


def test_merged_accounts_are_read_as_one_person() -> None:
    log = [game(1, (1, 2), (3, 4)), game(2, (9, 2), (3, 5)), game(3, (1, 9), (3, 4))]
    merge = Entry("m1", START + timedelta(days=5), ((9,), (1,)), kind="merge")
    merged = replay([*log, merge], ENGINE)
    assert digest(merged) == digest(replay([log[0], game(2, (1, 2), (3, 5))], ENGINE))
    assert (9,) not in merged
    # Voiding the merge restores the states.
    undone = Entry("m1", START + timedelta(days=6), ((9,), (1,)), kind="void", revision=2)
    assert digest(replay([*log, merge, undone], ENGINE)) == digest(replay(log, ENGINE))


def test_a_season_increases_every_uncertainty() -> None:
    states = replay([game(1, (1, 2), (3, 4)), game(2, (1, 2), (3, 4))], ENGINE)
    before = {subject: state.sigma for subject, state in states.items()}
    apply(states, Entry("s1", START + timedelta(days=2), kind="season"), ENGINE)
    assert states[(1,)].sigma == pytest.approx(sqrt(before[(1,)] ** 2 + 1), rel=1e-12)
    assert states[(1, 2)].sigma == pytest.approx(sqrt(before[(1, 2)] ** 2 + 2), rel=1e-12)


def random_history(dice: random.Random) -> list[Entry]:
    """Return a log in the order of arrival: games, late games, corrections, voids, merges, seasons."""
    log: list[Entry] = []
    for number in range(1, 31):
        roll = dice.random()
        played = [e for e in log if e.kind == "result" and e.revision == 1]
        if roll < 0.12 and played:
            old = dice.choice(played)
            revision = max(e.revision for e in log if e.source == old.source) + 1
            kind = dice.choice(["result", "void"])
            log.append(replace(old, revision=revision, kind=kind, ranks=old.ranks[::-1], completed_at=START))
        elif roll < 0.16:
            log.append(Entry(f"s{number}", START + timedelta(hours=number * 40), kind="season"))
        elif roll < 0.20:
            a, b = dice.sample(range(1, 9), 2)
            log.append(Entry(f"m{number}", START + timedelta(hours=number * 40), ((a,), (b,)), kind="merge"))
        else:
            people = dice.sample(range(1, 9), 4)
            late = dice.choice([0, 0, 0, 400])
            ranks = dice.choice([(0, 1), (1, 0)])
            entry = game(number, tuple(people[:2]), tuple(people[2:]), hours=number * 40 - late, ranks=ranks)
            log.append(replace(entry, rated=dice.random() > 0.1))
    return log


@pytest.mark.parametrize("seed", range(40))
def test_incremental_steps_equal_a_replay_exactly(seed: int) -> None:
    dice = random.Random(seed)
    log = random_history(dice)
    ordered = entries_in_force(log)
    cut = dice.randrange(len(ordered) + 1)
    states: States = {}
    for entry in ordered[:cut]:
        apply(states, entry, ENGINE)
    for entry in ordered[cut:]:
        apply(states, entry, ENGINE)
    shuffled = log[:]
    dice.shuffle(shuffled)
    assert digest(states) == digest(replay(log, ENGINE)) == digest(replay(shuffled, ENGINE))


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        (game(1, (1, 2), (2, 3)), "sides: one person cannot play twice"),
        (game(1, (1, 2), (3,)), "sides: teams of different sizes"),
        (game(1, (1, 2), ()), "sides: a game has at least two teams"),
        (Entry("g1", START, ((1, 2),), (0,)), "sides: a game has at least two teams"),
        (game(1, (1, 2), (3, 4), ranks=(0, 0)), "ranks: a rated game of two teams has a winner"),
        (game(1, (1, 2), (3, 4), ranks=(0,)), "ranks: 1 ranks for 2 teams"),
        (game(1, (1, 2), (3, 4), ranks=(1, 2)), "ranks: the best team has rank 0"),
        (game(1, (1, 2), (3, 4), kind="guess"), "kind: 'guess' is none of"),
        (game(1, (1, 2), (3, 4), revision=0), "revision: 0 is less than 1"),
        (Entry("x", START, ((1,),), kind="seed", start=Estimate(float("nan"), 5.0)), "start: .* is not a finite"),
        (Entry("x", START, ((1,),), kind="seed"), "sides: a seed names one player"),
        (Entry("x", START, ((1,),), kind="merge"), "sides: a merge names"),
    ],
)
def test_an_invalid_entry_is_refused_with_field_and_rule(entry: Entry, rule: str) -> None:
    with pytest.raises(ValueError, match=rule):
        check(entry)


def test_a_revision_that_is_not_the_next_one_is_refused() -> None:
    log = [game(1, (1, 2), (3, 4)), game(1, (1, 2), (3, 4), revision=3)]
    with pytest.raises(ValueError, match="revision: 3 of g0001 is not the next one"):
        entries_in_force(log)


def test_invalid_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="beta: nan"):
        Params(beta=float("nan"))
    with pytest.raises(ValueError, match="sigma0 and beta"):
        Params(beta=0.0)
    with pytest.raises(ValueError, match="tie_probability"):
        Params(tie_probability=0.0)
    with pytest.raises(ValueError, match="gamma: no such parameter"):
        Params.from_json({"gamma": 1})
    assert Params.from_json(DEFAULT.to_json()) == DEFAULT


def test_an_engine_is_chosen_by_name_and_version() -> None:
    assert isinstance(engine_for(DEFAULT), ClosedForm)
    with pytest.raises(ValueError, match="engine: closed_form 9 is not known"):
        engine_for(replace(DEFAULT, engine_version="9"))
