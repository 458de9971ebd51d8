"""The board as text: exact drawings, and no hidden card in the drawing of a view."""

import pytest

from games.engine.game import SPECTATOR
from games.engine.tock.drawing import draw
from games.engine.tock.game import GAME
from tests.boards import after, at, new
from tests.engine.test_2_deals import DECK

FOUR = """\
shawinigan/1, 4 seats, 2 teams
phase play; turn of seat 0; deal 3, dealer 3

case    18  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17
t0       s  .  .  .  .  .  .  .  3  .  .  .  .  .  .  .  p  .
t18      1* .  .  .  .  .  .  .  .  .  .  .  0  .  .  .  p  .
t36      s  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  1  .
t54      0  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  p  0

seat    h1 h2 h3 h4  reserve  hand
> 0      .  .  .  0        0  10H 9C KS
  1      .  .  .  .        2  2H 3H
  2      .  .  .  .        4  2C
  3      3  .  3  .        1  2D

blind burns owed: 1 (2)
stock: 47 cards"""

EIGHT = """\
tock/1, 8 seats, 4 teams
phase play; turn of seat 2; deal 3, dealer 1

case    18  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17
t0       0* .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  p  .
t18      s  .  .  .  .  .  .  2  .  .  .  .  .  .  .  .  p  .
t36      s  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  p  .
t54      s  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  p  .
t72      s  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  p  .
t90      s  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  p  .
t108     s  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  p  .
t126     s  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  p  7

seat    h1 h2 h3 h4  reserve  hand
  0      .  .  .  0        1  ?
  1      .  .  .  .        4  ?
> 2      .  .  .  .        3  ? ?
  3      .  .  .  .        4  ?
  4      .  .  .  .        4  ?
  5      .  .  .  .        3  ?
  6      .  .  .  .        4  ?
  7      7  7  7  .        0  ?

centre: 0 (x7), 5 (x25)"""


def four() -> object:
    return at(
        marbles="0: t30 t54 t71 h4 / 1: t18* t52 / 3: t8 h1 h3", hands="0: KS 9C 10H / 1: 2H 3H", penalties=[0, 2, 0, 0]
    )


def test_a_position_of_four_seats_is_drawn_with_every_hand_open() -> None:
    assert str(four()) == FOUR


def test_a_view_of_eight_seats_is_drawn_with_hidden_hands_and_the_centre() -> None:
    p = at(
        rules="tock/1", seats=8, teams=4, turn=2, dealer=1, hands="2: KS KD",
        marbles="0: t0* x7 h4 / 2: t25 / 5: x25 / 7: h1 h2 h3 t143",
    )  # fmt: skip
    assert draw(GAME.view(p, SPECTATOR)) == EIGHT


def test_six_seats_have_six_sides() -> None:
    lines = str(new(rules="tock/1", seats=6, teams=3)).splitlines()
    assert [line.split()[0] for line in lines[4:10]] == ["t0", "t18", "t36", "t54", "t72", "t90"]
    assert lines[-2:] == ["", "stock: 0 cards"]


def test_the_drawing_of_a_seats_view_differs_from_the_positions_by_the_hidden_cards_alone() -> None:
    shown, whole = draw(GAME.view(four(), 1), 1).splitlines(), FOUR.splitlines()[:-1]  # the stock is hidden
    changed = [(was, now) for was, now in zip(whole, shown, strict=True) if was != now]
    assert [now.split("  ")[-1] for _, now in changed] == ["? ? ?", "?", "?"]
    assert "  1      .  .  .  .        2  2H 3H" in shown


def test_a_card_laid_aside_stays_hidden_in_every_view() -> None:
    p = after(new(), DECK)
    card = GAME.view(p, 0)["hand"][0]
    p = after(p, f"give {card}")
    assert f"laid a card aside: 0 ({card})" in str(p)
    for viewer in (1, 2, 3, SPECTATOR):
        drawn = draw(GAME.view(p, viewer), None if viewer is SPECTATOR else viewer)
        assert "laid a card aside: 0" in drawn.splitlines()
        assert "stock" not in drawn
        assert drawn.count("?") == sum(len(hand) for seat, hand in enumerate(p.hands) if seat != viewer)


@pytest.mark.parametrize(
    ("described", "line"),
    [
        ({"phase": "joker", "joker": "t30"}, "phase joker, marble t30; turn of seat 0; deal 3, dealer 3"),
        ({"rules": "tock-air/1", "thrown": [2]}, "thrown in: 2"),
    ],
)
def test_values_other_than_defaults_are_drawn(described: dict[str, object], line: str) -> None:
    assert line in str(at(marbles="0: t30", hands="0: 9C", **described)).splitlines()


def test_a_drawing_has_no_trailing_spaces_and_changes_nothing() -> None:
    p = four()
    before = GAME.to_json(p), repr(p)
    assert all(line == line.rstrip() for line in str(p).split("\n"))
    assert (GAME.to_json(p), repr(p)) == before
    assert repr(p).startswith("Position({'rules'")
