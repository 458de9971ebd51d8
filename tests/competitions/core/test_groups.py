"""Groups before a knockout, seeds, and ties that a person must settle."""

from fractions import Fraction

import pytest

from tock_league.competitions.core.format import FormatError
from tock_league.competitions.core.groups import Qualified, Tie, crossing, distribute, qualified
from tock_league.competitions.core.lots import lot
from tock_league.competitions.core.scoring import MatchResult, PointsRule, SideResult
from tock_league.competitions.core.seeding import by_hand, by_lots, by_rating
from tock_league.competitions.core.standings import standings
from tock_league.competitions.core.tiebreaks import record


def table(*results, entries="ABCD", criteria=("points",)):
    """Return the rows of a group from (winner, loser) pairs."""
    made = [
        MatchResult(number, 1, "played", (SideResult(winner, "win"), SideResult(loser, "loss")))
        for number, (winner, loser) in enumerate(results, start=1)
    ]
    return standings(record(list(entries), made, PointsRule(), lots_seed="s"), criteria)


def test_the_snake_turns_at_each_end():
    assert distribute(range(1, 9), 2) == ((1, 4, 5, 8), (2, 3, 6, 7))
    assert distribute(range(1, 8), 3) == ((1, 6, 7), (2, 5), (3, 4))


def test_drawn_groups_are_dealt_pot_by_pot_from_the_published_seed():
    names = {n: f"team-{n}" for n in range(1, 9)}
    drawn = distribute(range(1, 9), 4, "drawn", seed="cup", names=names)
    assert drawn == distribute(range(1, 9), 4, "drawn", seed="cup", names=names)
    assert drawn != distribute(range(1, 9), 4, "drawn", seed="other", names=names)
    tops = [group[0] for group in drawn]
    assert tops == sorted(range(1, 5), key=lambda n: lot("cup", names[n]))


@pytest.mark.parametrize(
    ("entries", "count", "how", "code"),
    [
        ([1, 2, 3], 2, "snake", "groups_too_small"),
        ([1, 2], 0, "snake", "groups_too_small"),
        ([1, 1], 1, "snake", "entry_twice"),
        ([1, 2, 3, 4], 2, "by eye", "bad_options"),
    ],
)
def test_impossible_groups_are_refused(entries, count, how, code):
    with pytest.raises(FormatError) as refusal:
        distribute(entries, count, how)
    assert refusal.value.code == code


def test_two_groups_cross_over_and_four_meet_in_order():
    assert crossing(2, 2) == ((1, 1), (2, 1), (1, 2), (2, 2))  # A1 against B2, B1 against A2
    winners, seconds = crossing(4, 2)[:4], crossing(4, 2)[4:]
    assert winners == ((1, 1), (2, 1), (3, 1), (4, 1))
    assert seconds == ((3, 2), (4, 2), (1, 2), (2, 2))


def test_the_first_of_the_table_qualify():
    rows = table(("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D"))
    assert qualified(rows, 2) == Qualified(("A", "B"))


def test_a_tie_across_the_line_blocks_and_names_the_ways_to_settle_it():
    rows = table(("A", "B"), ("A", "C"), ("A", "D"))
    tie = qualified(rows, 2)
    assert tie == Tie(("B", "C", "D"), 2, 4, across=True)
    assert tie.ways == ("play_off", "lots", "hand")
    assert qualified(rows, 2, settled=("D", "B", "C")) == Qualified(("A", "D"))
    assert isinstance(qualified(rows, 2, settled=("D", "B")), Tie), "an order that forgets somebody settles nothing"


def test_a_tie_above_the_line_blocks_too_for_the_bracket_needs_the_order():
    rows = table(("A", "C"), ("B", "C"), entries="ABC")
    assert qualified(rows, 2) == Tie(("A", "B"), 1, 2, across=False)
    assert qualified(rows, 2, settled=("B", "A")) == Qualified(("B", "A"))


def test_a_tie_below_the_line_does_not_block():
    rows = table(("A", "C"), ("A", "B"), ("B", "C"), ("A", "D"), ("B", "D"))
    assert qualified(rows, 2) == Qualified(("A", "B"))


def test_lots_among_the_criteria_leave_no_tie():
    assert isinstance(qualified(table(criteria=("points", "lots")), 2), Qualified)


def test_more_than_the_whole_group_cannot_qualify():
    with pytest.raises(FormatError):
        qualified(table(entries="AB"), 3)


def test_seeds_by_rating_put_the_unrated_last_and_draw_lots_among_equals():
    names = {1: "a", 2: "b", 3: "c", 4: "d", 5: "e"}
    order = by_rating({1: 10, 2: Fraction(25, 2), 3: 10.0, 4: None}, names, "s")
    assert order[0] == 2
    assert order[1:3] == tuple(sorted((1, 3), key=lambda n: lot("s", names[n])))
    assert order[3:] == tuple(sorted((4, 5), key=lambda n: lot("s", names[n])))


def test_seeds_by_lots_depend_on_the_seed_and_the_names_only():
    assert by_lots("s", {1: "a", 2: "b", 3: "c"}) == by_lots("s", {3: "c", 1: "a", 2: "b"})
    assert len({by_lots(f"s{n}", {1: "a", 2: "b", 3: "c", 4: "d"}) for n in range(20)}) > 5
    with pytest.raises(FormatError):
        by_lots("s", {1: "a", 2: "a"})


def test_seeds_by_hand_name_everybody_once():
    assert by_hand([3, 1, 2], [1, 2, 3]) == (3, 1, 2)
    for order in ([1, 2], [1, 2, 2], [1, 2, 4]):
        with pytest.raises(FormatError) as refusal:
            by_hand(order, [1, 2, 3])
        assert refusal.value.code == "bad_order"
