"""Helpers for the tests of the rules pages."""

from typing import Any

from games.engine.cards import TEXTS
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.boards import at, lines


def hand(p: Position, seat: int) -> list[str]:
    """Return a seat's cards as text, sorted."""
    return [TEXTS[card] for card in p.hands[seat]]


def places(p: Position, seat: int) -> list[str]:
    """Return the places of a seat's marbles, sorted, without those in reserve."""
    return [name for name in p.marbles(seat) if name != "r"]


def does(rules: str, card: str, marbles: str, *, seats: int = 4, **others: Any) -> list[str]:
    """Return the plays of seat 0 with only this card in hand, without the card: `t12-t21`, `out`; [] for a burn."""
    p = at(rules=rules, seats=seats, marbles=marbles, hands=f"0: {card}", **others)
    return [line.partition(" ")[2] for line in lines(p) if not line.startswith(("burn ", "throw"))]


def played(rules: str, line: str, marbles: str, *, seats: int = 4, **others: Any) -> Position:
    """Return the position after seat 0 has played this line."""
    p = at(rules=rules, seats=seats, marbles=marbles, hands=f"0: {line.split()[0]}", **others)
    return GAME.apply(p, GAME.parse_play(p, line))
