"""Rulebook section 1: the board."""

import pytest

from games.engine.tock.board import board
from tests.boards import at, lines

SHAWINIGAN = board(4, True, True)


@pytest.mark.parametrize("seats", [4, 6, 8])
def test_a_board_has_eighteen_spaces_a_seat_with_starts_and_pieux(seats: int) -> None:
    b = board(seats, False, False)
    assert b.length == 18 * seats
    assert b.starts == tuple(18 * i for i in range(seats))
    assert [b.case(start) for start in b.starts] == [18] * seats
    assert [b.case(pieu) for pieu in b.pieux] == [16] * seats
    assert b.pieux[0] == b.length - 2


def test_case_numbers_run_from_one_to_eighteen_in_every_section() -> None:
    assert [SHAWINIGAN.case(p) for p in range(1, 19)] == list(range(1, 19))
    assert SHAWINIGAN.case(0) == SHAWINIGAN.case(54) == 18


def test_the_opposite_case_seven_is_half_a_board_away() -> None:
    assert [SHAWINIGAN.opposite(p) for p in (7, 25, 43, 61)] == [43, 61, 7, 25]


def test_places_are_named_and_read_alike() -> None:
    for seat in range(4):
        for place in (*range(72), *(SHAWINIGAN.heaven(seat, k) for k in range(4))):
            assert SHAWINIGAN.place(SHAWINIGAN.names[place], seat) == place
    assert [SHAWINIGAN.place(name, 0) for name in ("t72", "t-1", "h0", "h5", "t01", "x7", "")] == [None] * 7
    assert SHAWINIGAN.followed_name(SHAWINIGAN.heaven(2, 0)) == "2h1"


@pytest.mark.parametrize(("card", "end"), [("3S", "h1"), ("5S", "h3"), ("6S", "h4")])
def test_a_marble_that_stepped_back_four_from_its_start_goes_home_by_three_five_or_six(card: str, end: str) -> None:
    p = at(marbles="0: t68", hands=f"0: {card}")
    assert f"{card} t68-{end}" in lines(p)
    assert "4S t0-t68" in lines(at(marbles="0: t0*", hands="0: 4S"))


def test_a_four_never_goes_home() -> None:
    assert lines(at(marbles="0: t68", hands="0: 4S")) == ["4S t68-t64"]
