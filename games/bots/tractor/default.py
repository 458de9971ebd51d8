"""The default play of a seat whose time is up: it shows nothing, and plays the lowest cards by the order of a trick."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.bots.tractor.sight import NONE, Sight, sight
from games.engine.cards import TEXTS
from games.engine.tractor import follow, plays
from games.engine.tractor.order import TRUMP, Order
from games.engine.tractor.plays import Cards, kinds, numbers, size, without
from games.engine.tractor.shapes import run_of, windows

Key = tuple[bool, int, str]


def default_play(view: Mapping[str, Any], legal: Sequence[str]) -> str:
    """Return the line for the seat whose view this is; it is legal. Raises ValueError when there is no play.

    A pass while shows are made; the eight lowest cards to bury; the lowest card to lead; the lowest legal follow:
    required pairs first, then single cards. Lowest: plain cards before trumps, then by level, then by suit C D H S.
    Deterministic, so that a replay can verify it.
    """
    if not legal:
        raise ValueError("no play to choose from")
    if view["phase"] not in ("bury", "play"):
        return next(line for line in legal if line.startswith("pass "))
    at = sight(view)
    if view["phase"] == "bury":
        return plays.bury(*_filled(at.held, NONE, at.hand, at.rules.talon)).text
    return plays.play(*(_filled(at.held, NONE, at.hand, 1) if at.lead is None else _followed(at))).text


def key(held: Order, card: int) -> Key:
    """Return the sorting key of a card, the lowest first."""
    return held.suits[card] == TRUMP, held.levels[card], TEXTS[card][-1]


def _followed(at: Sight) -> Cards:
    held, lead = at.held, at.lead
    assert lead is not None
    mask = held.masks[lead.suit]
    suit = at.hand[0] & mask, at.hand[1] & mask
    if size(*suit) < lead.size:
        return _filled(held, suit, (at.hand[0] & ~mask, at.hand[1] & ~mask), lead.size)
    pairs = _owed_run(at) if at.rules.tractor_duty else 0
    owed = follow.owed_pairs(held, lead, at.hand)
    more = sorted(kinds(suit[1] & ~pairs), key=lambda k: key(held, k))[: max(0, owed - pairs.bit_count())]
    pairs |= sum(1 << k for k in more)
    return _filled(held, (pairs, pairs), without(pairs, pairs, *suit), lead.size)


def _owed_run(at: Sight) -> int:
    """Return the lowest tractor that the house rule makes the hand play, as a mask; 0 if none is required."""
    held, lead = at.held, at.lead
    assert lead is not None
    many = follow.owed_run(held, lead, at.hand)
    if not many:
        return 0
    two = at.hand[1] & held.masks[lead.suit]
    return run_of(held, two, min(kinds(windows(held.ladder(two), many))), many)


def _filled(held: Order, laid: Cards, rest: Cards, count: int) -> Cards:
    """Return the cards laid, filled up to the count with the lowest remaining cards."""
    one, two = laid
    for k in sorted(numbers(*rest), key=lambda k: key(held, k))[: count - size(one, two)]:
        two |= one & 1 << k
        one |= 1 << k
    return one, two
