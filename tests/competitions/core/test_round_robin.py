"""The circle method: the structure for every size, and the format that uses it."""

from collections import Counter
from itertools import pairwise

import pytest

from tests.every import every
from tock_league.competitions.core import berger, registry
from tock_league.competitions.core.format import FormatError, History, Over

SIZES = range(2, 41)


def sides_by_round(rounds, n):
    """Return, for each entry, the letters H and A of its matches in round order."""
    seen = {entry: "" for entry in range(n)}
    for meetings in rounds:
        for home, away in meetings:
            seen[home] += "H"
            seen[away] += "A"
    return seen


@every("n", SIZES)
def test_a_single_leg_pairs_everybody_once_and_nobody_twice_in_a_round(n):
    rounds = berger.single(n)
    assert len(rounds) == (n - 1 if n % 2 == 0 else n)
    pairs = Counter(frozenset(meeting) for meetings in rounds for meeting in meetings)
    assert len(pairs) == n * (n - 1) // 2
    assert set(pairs.values()) == {1}
    for meetings in rounds:
        busy = [entry for meeting in meetings for entry in meeting]
        assert len(busy) == len(set(busy)) == n - n % 2


@every("n", SIZES)
def test_homes_differ_by_at_most_one_and_repeats_of_a_side_are_the_fewest(n):
    sides = sides_by_round(berger.single(n), n)
    homes = [letters.count("H") for letters in sides.values()]
    assert max(homes) - min(homes) <= (1 if n % 2 == 0 else 0)
    repeats = sum(a == b for letters in sides.values() for a, b in pairwise(letters))
    assert repeats == (n - 2 if n % 2 == 0 else 0)


@every("n", SIZES)
def test_two_legs_hold_each_ordered_pair_once_and_balance_homes_exactly(n):
    rounds = berger.double(n)
    ordered = Counter(meeting for meetings in rounds for meeting in meetings)
    assert len(ordered) == n * (n - 1)
    assert set(ordered.values()) == {1}
    homes = {entry: letters.count("H") for entry, letters in sides_by_round(rounds, n).items()}
    assert set(homes.values()) == {n - 1}


@every("n", SIZES)
def test_an_odd_field_rests_everybody_once_a_leg(n):
    plan = registry.format_of("round_robin/1").plan(
        list(range(100, 100 + n)), registry.options_of("round_robin/1", {"legs": 1})
    )
    rests = Counter(entry for made in plan for entry in made.rests)
    assert rests == (Counter({entry: 1 for entry in range(100, 100 + n)}) if n % 2 else Counter())


def test_rounds_follow_the_plan_until_all_have_met():
    made = registry.format_of("round_robin/1")
    options = registry.options_of("round_robin/1", {"legs": 2})
    plan = made.plan([7, 5, 3, 1], options)
    history = History((7, 5, 3, 1), options)
    for expected in plan:
        following = made.next_round(history, "seed")
        assert following == expected
        history = History(history.entries, options, (*history.rounds, following))
    assert made.next_round(history, "seed") == Over("all_met")
    assert len(plan) == 6


@pytest.mark.parametrize(
    ("entries", "code"), [([1], "too_few_entries"), ([], "too_few_entries"), ([1, 2, 1], "entry_twice")]
)
def test_impossible_fields_are_refused_with_a_code(entries, code):
    made = registry.format_of("round_robin/1")
    with pytest.raises(FormatError) as refusal:
        made.plan(entries, registry.options_of("round_robin/1", {}))
    assert refusal.value.code == code


@pytest.mark.parametrize("values", [{"legs": 3}, {"legs": "2"}, {"lap": 1}])
def test_unknown_or_impossible_options_are_refused(values):
    with pytest.raises(FormatError) as refusal:
        registry.options_of("round_robin/1", values)
    assert refusal.value.code == "bad_options"


def test_an_unknown_format_names_the_known_ones():
    with pytest.raises(FormatError, match="round_robin/1"):
        registry.format_of("swiss/9")
