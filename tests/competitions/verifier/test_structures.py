"""The verifier accepts the three formats for every size from 2 to 64, and rejects broken structures.

Swiss events of many sizes take half a minute, so some sizes are left out; `TOCK_SIZES=all` in the environment plays them.
"""

import os
import random
from dataclasses import replace

import pytest

from tests.every import every
from tock_league.competitions.core import registry
from tock_league.competitions.core.bracket import single_elimination
from tock_league.competitions.core.format import History, Over
from tock_league.competitions.core.groups import crossing, distribute
from tock_league.competitions.core.scoring import MatchResult, SideResult
from tock_league.competitions.verifier import groups, swiss
from tock_league.competitions.verifier.bracket import MatchRow, check

SIZES = range(2, 65)
SWISS_SIZES = SIZES if os.environ.get("TOCK_SIZES") == "all" else (*range(2, 14), 16, 17, 23, 32, 33, 64)


def rows(n, third_place=False):
    """Return the bracket of `n` as the verifier reads it."""
    made = single_elimination(n, third_place)
    return (
        [MatchRow(node.number, node.round, node.seeds) for node in made.nodes],
        [(edge.source, edge.outcome, edge.target, edge.position) for edge in made.edges],
    )


@every("third_place", [False, True])
@every("n", SIZES)
def test_a_bracket_of_every_size_is_accepted(n, third_place):
    assert check(n, *rows(n, third_place), third_place=third_place) == ()


@every("n", SIZES)
def test_groups_of_every_size_are_accepted_with_their_rounds(n):
    entries = list(range(100, 100 + n))
    robin = registry.format_of("round_robin/1")
    for count in range(1, n // 2 + 1):
        for how in ("snake", "drawn"):
            made = distribute(entries, count, how, seed="s")
            assert groups.check_groups(entries, made) == ()
    for group in distribute(entries, max(1, n // 5)):
        plan = robin.plan(group, registry.options_of("round_robin/1", {"legs": 1}))
        rounds = [[(p.sides[0], p.sides[1]) for p in made.pairings] for made in plan]
        assert groups.check_rounds(group, rounds) == ()


@every("count", range(1, 33))
def test_entries_of_one_group_meet_as_late_as_the_bracket_allows(count):
    for qualify in range(1, 5):
        if 2 <= count * qualify <= 64:
            assert groups.check_crossing(crossing(count, qualify), count, qualify) == ()


@pytest.mark.parametrize("n", SWISS_SIZES)
def test_a_swiss_event_of_any_size_is_accepted_up_to_the_bound_without_a_rematch(n):
    """Play as many rounds as Dirac's theorem allows, at most seven; the better seed wins, with some ties."""
    dice = random.Random(n)
    made = registry.format_of("swiss/1")
    rounds = min(7, (n + n % 2) // 2)
    history = History(tuple(range(1, n + 1)), registry.options_of("swiss/1", {"rounds": rounds}))
    seen = set()
    byes = []
    while not isinstance(plan := made.next_round(history, f"seed {len(history.rounds)}"), Over):
        assert swiss.check(plan.certificate) == ()
        pairs = {frozenset(pairing.sides) for pairing in plan.pairings}
        assert len(pairs) == n // 2
        assert not pairs & seen
        seen |= pairs
        byes += plan.byes
        results = [
            MatchResult(
                table,
                plan.number,
                "played",
                tuple(
                    SideResult(entry, "tie" if tied else "win" if entry == min(pairing.sides) else "loss")
                    for entry in pairing.sides
                ),
            )
            for table, pairing in enumerate(plan.pairings)
            for tied in [dice.random() < 0.15]
        ]
        history = replace(history, rounds=(*history.rounds, plan), results=(*history.results, *results))
    assert len(history.rounds) == rounds
    assert len(set(byes)) == len(byes) == rounds * (n % 2)


@pytest.mark.parametrize("n", [4, 6, 11, 16, 33])
def test_a_bracket_that_was_tampered_with_is_rejected(n):
    matches, edges = rows(n, third_place=True)
    late = next(match for match in matches if None not in match.seeds)
    broken = {
        "a match dropped": (matches[1:], edges),
        "an edge dropped": (matches, edges[1:]),
        "an edge turned to its loser": (
            matches,
            [
                (source, "loss" if index == 0 else outcome, to, at)
                for index, (source, outcome, to, at) in enumerate(edges)
            ],
        ),
        "a seed doubled": ([replace(late, seeds=(late.seeds[0], late.seeds[0])), *matches[1:]], edges),
        "the top two in one half": (swapped(matches, 2, 4), edges),
    }
    for what, (some_matches, some_edges) in broken.items():
        assert check(n, some_matches, some_edges, third_place=True), what


def swapped(matches, one, other):
    """Return the matches with two seeds exchanged."""
    turn = {one: other, other: one}
    return [replace(match, seeds=tuple(turn.get(seed, seed) for seed in match.seeds)) for match in matches]


def test_a_bye_for_a_weak_seed_is_rejected():
    matches, edges = rows(7)
    assert {fault.code for fault in check(7, swapped(matches, 1, 7), edges)} == {"byes", "draw"}


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ([[1, 2, 3], [4, 5]], "partition"),
        ([[1, 2, 3, 4], [5, 6]], "sizes"),
        ([[1, 2, 5], [3, 4, 6]], "pots"),
    ],
)
def test_unfair_groups_are_rejected(made, code):
    assert code in {fault.code for fault in groups.check_groups([1, 2, 3, 4, 5, 6], made)}


def test_a_crossing_that_brings_a_group_together_early_is_rejected():
    good = crossing(4, 2)
    assert groups.check_crossing(good, 4, 2) == ()
    early = [(1, 1), (2, 1), (3, 1), (4, 1), (4, 2), (3, 2), (2, 2), (1, 2)]
    assert {fault.code for fault in groups.check_crossing(early, 4, 2)} == {"too_early"}
    assert {fault.code for fault in groups.check_crossing(good[::-1], 4, 2)} == {"winners"}
    assert {fault.code for fault in groups.check_crossing(good[1:], 4, 2)} == {"places"}


def test_a_round_robin_with_a_pair_missing_or_a_double_booking_is_rejected():
    assert groups.check_rounds([1, 2, 3, 4], [[(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]]) == ()
    short = groups.check_rounds([1, 2, 3, 4], [[(1, 2), (3, 4)], [(1, 3)], [(1, 4), (2, 3)]])
    assert {fault.code for fault in short} == {"pairs"}
    booked = groups.check_rounds([1, 2, 3, 4], [[(1, 2), (1, 3)], [(3, 4), (2, 4)], [(1, 4), (2, 3)]])
    assert {fault.code for fault in booked} == {"twice_in_round"}
