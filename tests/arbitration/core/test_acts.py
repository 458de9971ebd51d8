"""Which plays a case is about, and whether two cases are about one act."""

from datetime import datetime, timedelta

import pytest

from tock_league.arbitration.core.acts import Act, act_at, same_act, same_plays

NOON = datetime(2026, 9, 2, 12)
PLAYS = [12, 16, 17, 20, 21]


def act(
    seq: int, *, call: bool = False, game: int | None = 1, match: int = 1, at: int = 0, ruled: int | None = None
) -> Act:
    called_at = NOON + timedelta(minutes=at) if call else None
    ruled_at = NOON + timedelta(minutes=ruled) if ruled is not None else None
    return act_at(match=match, game=game, seq=seq, plays=PLAYS, called_at=called_at, ruled_at=ruled_at)


@pytest.mark.parametrize(
    ("seq", "call", "plays", "point"),
    [
        (17, False, {17}, 17),
        (18, False, {18, 17, 20}, 18),  # a touch, between two plays
        (3, False, {3, 12}, 3),
        (30, False, {30, 21}, 30),
        (22, True, {22, 21, 20}, 21),
        (13, True, {13, 12}, 12),
        (3, True, {3}, 3),
    ],
)
def test_a_case_is_about_these_plays(seq: int, call: bool, plays: set[int], point: int) -> None:
    found = act(seq, call=call)
    assert (found.plays, found.point) == (plays, point)


@pytest.mark.parametrize(
    ("one", "other", "alike", "under_another_name"),
    [
        (act(17), act(17), True, True),
        (act(17), act(20), False, False),
        (act(18), act(20), True, False),  # the touch, and the play that it led to
        (act(22, call=True), act(21), True, True),
        (act(22, call=True), act(20), True, False),
        (act(22, call=True), act(17), False, False),
        (act(17), act(17, game=2), False, False),
        (act(17), act(17, game=None), False, False),
        (act(0, game=None), act(0, game=None), True, False),
        (act(0, game=None), act(0, game=None, match=2), False, False),
    ],
)
def test_two_cases_are_about_one_act(one: Act, other: Act, alike: bool, under_another_name: bool) -> None:
    for first, second in ((one, other), (other, one)):
        assert same_act(first, second, alike=True) == alike == same_plays(first, second)
        assert same_act(first, second, alike=False) == under_another_name


def test_a_call_after_the_ruling_of_another_call_is_about_something_new() -> None:
    first, again = act(22, call=True, at=0, ruled=3), act(24, call=True, at=4)
    assert same_plays(first, again)
    assert not same_act(first, again, alike=True)
    assert same_act(act(22, call=True, at=0), again, alike=True)
    assert same_act(first, act(21), alike=True)  # a dispute of what was ruled at the table
