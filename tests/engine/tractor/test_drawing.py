"""A table of Tractor as text: exact drawings, and no hidden card in the drawing of a view."""

import re

from games.engine.game import SPECTATOR
from games.engine.tractor.drawing import draw
from games.engine.tractor.game import GAME

from .test_position import ALL, BURYING, DRAWING, PLAYING

TRICK = """\
tractor/1, round 2
phase play; turn of seat 2
ranks: 2 (seats 0 and 2), 2 (seats 1 and 3)
declarers: seats 0 and 2; starter 0
trumps: rank 2, suit H
shown: 2H by seat 0

seat  cards  trick            hand
  0       2  AS *             3C KD
  1       2  3S               4D KS
> 2       3                   4S 5D QS
  3       3                   5S 6D JS

buried: 2C 2C 2D 2D 2H 2H 2S 2S
points captured: 110 (seats 0 and 2), 60 (seats 1 and 3)
penalties paid: 0 (seats 0 and 2), 0 (seats 1 and 3)"""

DRAWN = """\
tractor/1, round 1
phase draw; turn of seat 0
ranks: 2 (seats 0 and 2), 2 (seats 1 and 3)

seat  cards  trick            hand
  0      12
  1      12                   2S 2S 5C QC QD QD QH QH QS QS RJ RJ
  2      12
  3      12

to be drawn: 52 cards"""


def test_a_trick_is_drawn_with_every_hand_open_and_its_winner_marked() -> None:
    assert str(PLAYING) == TRICK


def test_a_seats_view_shows_its_own_hand_alone() -> None:
    assert draw(GAME.view(DRAWING, 1), 1) == DRAWN


def test_the_talon_and_the_buried_cards_are_drawn_for_the_starter_alone() -> None:
    assert "talon: " in draw(GAME.view(BURYING, 0), 0)
    assert "buried: " in draw(GAME.view(PLAYING, 0), 0)
    for viewer in (1, 2, 3):
        assert "talon" not in draw(GAME.view(BURYING, viewer), viewer)
        assert "buried" not in draw(GAME.view(PLAYING, viewer), viewer)


def test_a_spectator_sees_no_hand() -> None:
    drawn = draw(GAME.view(PLAYING, SPECTATOR))
    assert re.findall(r"\b(?:10|[2-9AJQK])[SHDC]\b", drawn) == ["2H", "AS", "3S"]


def test_every_phase_is_drawn_and_the_position_stays_the_same() -> None:
    for p in ALL:
        before = GAME.to_json(p)
        assert f"phase {p.phase};" in str(p)
        assert GAME.to_json(p) == before
        assert repr(p) == f"Position({before!r})"
