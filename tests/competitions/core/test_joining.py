"""The schedule of a group that a late entry joins: a full round robin in the fewest rounds."""

from collections import Counter

import pytest

from tests.every import every
from tock_league.competitions.core.berger import double, single
from tock_league.competitions.core.joining import balanced, join


@every("legs", [1, 2])
@every("size", range(2, 17))
@every("missed", range(4))
def test_everybody_meets_the_late_entry_in_the_fewest_rounds(size, legs, missed):
    rounds = (single if legs == 1 else double)(size)
    late = size
    wanted = [(other, late) for other in range(size)]
    if legs == 2:
        wanted += [(late, other) for other in range(size)]
    made = join(rounds[missed:], wanted)
    left = [pair for row in rounds[missed:] for pair in row] + wanted
    assert Counter(pair for row in made for pair in row) == Counter(left)
    for row in made:
        busy = [entry for pair in row for entry in pair]
        assert len(busy) == len(set(busy))
    most = max(Counter(entry for pair in left for entry in pair).values())
    fewest = max(most, -(-len(left) // ((size + 1) // 2)))
    assert len(made) <= fewest + (legs == 2 and size == 16)  # one more round there
    assert made == join(rounds[missed:], wanted)


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_in_an_odd_group_no_meeting_moves(size):
    rounds = single(size)
    made = join(rounds[1:], [(other, size) for other in range(size)])
    assert all(set(row) >= set(own) for row, own in zip(made, rounds[1:], strict=False))
    assert len(made) == size  # one round after the planned ones, for the one that it missed


@pytest.mark.parametrize("size", range(2, 17))
def test_homes_stay_balanced(size):
    rounds = single(size)
    fixed = list(rounds[0])
    made = balanced(fixed, join(rounds[1:], [(other, size) for other in range(size)]), size)
    homes = Counter(home for row in (fixed, *made) for home, _away in row)
    aways = Counter(away for row in (fixed, *made) for _home, away in row)
    assert all(abs(homes[entry] - aways[entry]) <= 2 for entry in range(size + 1))
