"""The best of a rank over groups of different size, and their places in the bracket."""

import random
from itertools import combinations, permutations

import pytest

from tests.every import every
from tock_league.competitions.core.berths import compare, in_slots
from tock_league.competitions.core.groups import crossing, heights, meets
from tock_league.competitions.core.plan import PlanError, TournamentPlan
from tock_league.competitions.core.scoring import MatchResult, PointsRule, SideResult
from tock_league.competitions.core.standings import standings
from tock_league.competitions.core.tiebreaks.record import record
from tock_league.competitions.verifier.groups import check_best


def a_table(entries, won_by, margin=lambda winner, loser: 1):
    """Return the table of a group in which everybody has met everybody; `won_by` decides."""
    results = []
    for number, (home, away) in enumerate(combinations(entries, 2), start=1):
        winner = won_by(home, away)
        sides = tuple(
            SideResult(one, "win" if one == winner else "loss", 1, margin(home, away) * (1 if one == winner else -1))
            for one in (home, away)
        )
        results.append(MatchResult(number, number, "played", sides))
    made = record(entries, results, PointsRule(), lots_seed="s", names={one: str(one) for one in entries})
    return standings(made, ("points", "margin", "lots"))


def plain(table):
    return [(row.entry, [(m.opponent, m.points, m.margin, m.outcome == "win") for m in row.meetings]) for row in table]


def order(tables, rank):
    candidates = [table[rank - 1].entry if len(table) >= rank else None for table in tables]
    return compare(tables, candidates, seed="s", names={})


def test_matches_against_the_last_of_a_larger_group_do_not_count():
    """Third of four has beaten the fourth; that win would put it before the third of three, who has the better margin."""
    larger = a_table((1, 2, 3, 4), min, margin=lambda home, away: 4)
    smaller = a_table((11, 12, 13), min, margin=lambda home, away: 1)
    best, other = order([larger, smaller], 3)
    assert (best.entry, best.matches, best.left_out) == (13, 2, ())
    assert (other.entry, other.matches, other.left_out) == (3, 2, (4,))
    assert (best.points, other.points, best.separated_by) == (0, 0, "margin")


def test_equals_are_separated_by_published_lots_and_a_missing_rank_is_left_out():
    tables = [a_table((10 * n + 1, 10 * n + 2, 10 * n + 3), min) for n in range(3)]
    first = order(tables, 3)
    assert [one.separated_by for one in first] == ["lots", "lots", ""]
    assert first == order(tables, 3)
    assert order([*tables, a_table((41, 42), min)], 3)[0].group < 3


@every("n", range(6, 65))
def test_the_best_of_every_rank_are_those_that_the_verifier_finds(n):
    dice = random.Random(n)
    count = dice.randint(2, n // 3)
    entries = list(range(1, n + 1))
    tables = [
        a_table(tuple(entries[start::count]), lambda *two: dice.choice(two), lambda *_two: dice.randint(1, 5))
        for start in range(count)
    ]
    for rank in (1, 2, 3):
        found = [one.entry for one in order(tables, rank)]
        for best in range(1, len(found)):
            assert check_best([plain(table) for table in tables], rank, found[:best]) == ()
    values = order(tables, 2)
    if (values[0].points, values[0].margin) != (values[-1].points, values[-1].margin):
        assert check_best([plain(table) for table in tables], 2, [values[-1].entry])


def clashes(groups, qualify, chosen, slots):
    """Return how many of the best would meet their own group in the first round."""
    known = dict(enumerate(crossing(groups, qualify, len(slots)), start=1))
    height = heights(groups * qualify + len(slots))
    return sum(
        group - 1 == chosen[index] and meets(height[groups * qualify + slot + 1], height[other]) == 1
        for slot, index in enumerate(slots)
        for other, (group, _rank) in known.items()
    )


@every("groups", range(2, 17))
def test_the_best_of_a_rank_meet_their_own_group_as_late_as_the_bracket_allows(groups):
    """Every place is taken once; in the first round nobody meets the own group where that can be avoided."""
    for berths in (4, 8, 16, 32):
        qualify, best = divmod(berths, groups)
        if not best or qualify > 3:
            continue
        chosen = random.Random(groups * berths).sample(range(groups), best)
        slots = in_slots(groups, qualify, best, chosen)
        assert sorted(slots) == list(range(best))
        if best <= 5:
            least = min(clashes(groups, qualify, chosen, of) for of in permutations(range(best)))
            assert clashes(groups, qualify, chosen, slots) == least


@every("n", range(4, 129))
def test_the_field_decides_how_many_go_on(n):
    plan = TournamentPlan("groups_knockout", groups=min(16, max(1, n // 4)), berths=-1).for_field(n)
    assert plan.berths & (plan.berths - 1) == 0
    assert 2 * plan.berths <= n
    assert n < 4 * plan.berths or plan.berths in (8 * plan.groups, 32)
    stage = plan.stages[0]
    assert stage.groups * stage.qualify + stage.best == plan.berths
    assert stage.best < stage.groups
    assert n // stage.groups >= stage.needs or plan.least > n


@pytest.mark.parametrize("berths", [1, 3, 64, -2, True])
def test_another_number_of_berths_is_refused(berths):
    with pytest.raises(PlanError) as refusal:
        TournamentPlan("groups_knockout", groups=4, berths=berths)
    assert (refusal.value.code, refusal.value.field) == ("plan_berths", "berths")
