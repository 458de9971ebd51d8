"""The matches of an entry that leaves, and the effect of a ruling on the places of a bracket."""

import pytest

from tock_league.competitions.core.advancement import Link, places_move, played_again, seats_after
from tock_league.competitions.core.effective import Effective, Side
from tock_league.competitions.core.leaving import Award, LeaversMatch, awards

GROUP, SWISS, CUP = "round_robin/1", "swiss/1", "knockout/1"


def met(match, state="decided", *, played=True, position=0, opponent="in", format=GROUP, group=1):
    return LeaversMatch(match, format, group, position, state, state == "decided" and played, opponent)


def test_under_half_played_everything_is_void():
    own = [met(1), met(2, "open"), met(3, "open")]
    assert awards(own, "withdrawal") == tuple(Award(match, "void", None) for match in (1, 2, 3))


def test_from_half_on_the_rest_is_forfeited_and_the_played_matches_stand():
    own = [met(1), met(2, position=1), met(3, "open"), met(4, "open", position=1)]
    assert awards(own, "withdrawal") == (Award(3, "withdrawal", 1), Award(4, "withdrawal", 0))
    assert awards(own, "disqualification") == (Award(3, "disqualification", 1), Award(4, "disqualification", 0))


def test_unplayed_matches_do_not_count_for_the_half():
    own = [met(1), met(2, played=False), met(3, "open")]
    assert {award.fact for award in awards(own, "withdrawal")} == {"void"}


def test_another_policy_forfeits_the_rest_however_little_was_played():
    own = [met(1, "open"), met(2, "open")]
    assert awards(own, "withdrawal", policy="forfeit_rest") == (Award(1, "withdrawal", 1), Award(2, "withdrawal", 1))


def test_two_who_have_left_both_forfeit():
    own = [met(1), met(2, "open", opponent="out")]
    assert awards(own, "withdrawal") == (Award(2, "double_forfeit", None),)


@pytest.mark.parametrize("format", [SWISS, CUP])
def test_swiss_and_knockout_keep_what_was_played(format):
    own = [met(1, format=format, group=1), met(2, "open", format=format, group=2)]
    assert awards(own, "withdrawal") == (Award(2, "withdrawal", 1),)


def test_a_bracket_waits_for_the_opponent_and_a_void_match_stays_void():
    own = [met(1, "void", format=CUP), met(2, "open", opponent="unknown", format=CUP)]
    assert awards(own, "disqualification") == ()


def test_groups_are_looked_at_one_by_one():
    own = [met(1), met(2), met(3, "open", format=CUP, group=2)]
    assert awards(own, "withdrawal") == (Award(3, "withdrawal", 1),)


def test_unknown_policies_are_refused():
    with pytest.raises(ValueError, match="holiday"):
        awards([], "holiday")
    with pytest.raises(ValueError, match="keep_all"):
        awards([], "withdrawal", policy="keep_all")


# Semi-finals 1 and 2, final 3, third place 4.
LINKS = (
    Link(1, "winner", 3, 0, 1), Link(1, "loser", 4, 0, 1), Link(2, "winner", 3, 1, 2), Link(2, "loser", 4, 1, 2),
)  # fmt: skip
SEATS = {1: (11, 14), 2: (12, 13), 3: (11, 12), 4: (14, 13)}


def won(position, state="decided"):
    sides = tuple(Side(p, "win" if p == position else "loss", int(p == position), 0) for p in (0, 1))
    return Effective(state, "played", sides)


BEFORE = {1: won(0), 2: won(0), 3: won(None, "open"), 4: won(None, "open")}


def test_a_reversed_result_changes_only_the_two_places():
    after = {**BEFORE, 1: won(1)}
    assert places_move(BEFORE[1], after[1])
    assert seats_after(LINKS, SEATS, BEFORE.get, after.get) == {**SEATS, 3: (14, 12), 4: (11, 13)}


def test_a_result_taken_away_empties_the_places():
    after = {**BEFORE, 1: won(None, "open")}
    assert places_move(BEFORE[1], after[1])
    assert seats_after(LINKS, SEATS, BEFORE.get, after.get) == {**SEATS, 3: (None, 12), 4: (None, 13)}


def test_a_score_corrected_moves_nobody():
    assert not places_move(BEFORE[1], won(0))
    assert not places_move(BEFORE[3], won(1))  # no entry had advanced from it
    assert seats_after(LINKS, SEATS, BEFORE.get, BEFORE.get) == SEATS


def test_a_match_that_stands_keeps_its_seats():
    after = {**BEFORE, 1: won(1)}
    assert seats_after(LINKS, SEATS, BEFORE.get, after.get, fixed={3}) == {**SEATS, 4: (11, 13)}


def test_what_has_begun_on_a_place_is_played_again_and_what_came_of_it_too():
    links = (*LINKS, Link(3, "winner", 5, 0, 3), Link(9, "winner", 6, 0, 4))
    assert played_again(1, links, {3, 5, 6}) == (3, 5)
    assert played_again(1, links, {5}) == ()
    assert played_again(1, links, {3, 4}) == (3, 4)
