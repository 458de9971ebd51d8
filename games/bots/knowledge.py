"""A position as one seat knows it: the public board, its own hand, and the sizes of other hands."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.engine import registry
from games.engine.cards import NUMBER
from games.engine.tock.board import RESERVE
from games.engine.tock.position import Position
from games.engine.tock.rules import TockRules

# Stands for a card that the seat does not know.
UNKNOWN = -1
Roll = Callable[[int], int]


def position(view: Mapping[str, Any], seat: int) -> Position:
    """Return the position of a seat's view with that seat to act: its stock is empty, other hands' cards are UNKNOWN.

    Keys with default values may be missing, unknown keys are ignored. Raises ValueError for another family's rule set.
    """
    rules = registry.rules(view["rules"])
    if not isinstance(rules, TockRules):
        raise ValueError(f"{rules.id} is another family's")
    p = Position(rules, view["seats"], view["teams"], view["dealer"])
    p.turn = seat
    p.deal = view["deal"]
    p.phase = view["phase"]
    p.hands = [[UNKNOWN] * count for count in view["count"]]
    p.hands[seat] = sorted(NUMBER[card] for card in view["hand"])
    p.penalties = list(view.get("owed", p.penalties))
    p.thrown = tuple(view.get("thrown", ()))
    p.finished = tuple(view.get("finished", ()))
    p.full_ranking = bool(view.get("full_ranking"))
    for owner in range(p.seats):
        for name in view["marbles"][str(owner)]:
            place = p.board.place(name, owner)
            if place is not None and place != RESERVE:
                p.put(owner, place)
    for owner in view["fresh"]:
        p.guard |= 1 << owner
    if "joker" in view:
        p.joker = _followed(p, view["joker"])
    return p


def _followed(p: Position, name: str) -> int:
    """Return the place of the marble that a joker replays: `t12`, or `0h1` with its owner before it."""
    place = p.board.place(name.lstrip("0123456789"), int(name[0]) if name[0].isdecimal() else 0)
    return RESERVE if place is None else place


def unseen(p: Position, seat: int, seen: Iterable[int]) -> list[int]:
    """Return the cards that the seat cannot know, sorted: the deck without its hand and the cards laid, `seen`."""
    left = Counter(p.rules.deck(p.seats))
    left.subtract(p.hands[seat])
    left.subtract(seen)
    return sorted(left.elements())


def imagine(p: Position, seat: int, hidden: list[int], roll: Roll) -> Position:
    """Return a position that is possible for all the seat knows: `hidden` cards shuffled and dealt to the other hands,
    the rest in the stock. With too few hidden cards (a wrong `seen`) hands are short.
    """
    cards = hidden[:]
    for i in range(len(cards) - 1, 0, -1):
        j = roll(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    q = p.copy()
    for other in range(p.seats):
        if other != seat:
            count = len(p.hands[other])
            q.hands[other] = sorted(cards[:count])
            del cards[:count]
    q.stock = cards
    return q
