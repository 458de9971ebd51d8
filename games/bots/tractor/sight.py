"""What a seat knows from its view: its cards, the trick, and which cards it has not seen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.engine import registry
from games.engine.tractor.order import TRUMP, Order, order
from games.engine.tractor.plays import NONE, Cards, kinds, masks, of, points, size, together, without
from games.engine.tractor.rules import DECK, RANKS, SUITS, TractorRules
from games.engine.tractor.shapes import Shape, shape
from games.engine.tractor.trick import lead_strength, strength

Roll = Callable[[int], int]
_ALL = masks(DECK)


@dataclass(frozen=True)
class Sight:
    """The knowledge of a seat in the phases `bury` and `play`."""

    seat: int
    rules: TractorRules
    held: Order  # the order of cards under the round's trumps
    hand: Cards  # the seat's own cards
    unseen: Cards  # the other hands and, unless the seat is the starter, the buried cards
    trick: tuple[Cards, ...]  # plays from the leader on
    leader: int  # the seat that leads the trick
    counts: tuple[int, ...]  # cards in each hand
    declares: bool  # whether the seat's team are the declarers

    @cached_property
    def lead(self) -> Shape | None:
        """The shape that was led, None for the leader."""
        return shape(self.held, *self.trick[0]) if self.trick else None

    @cached_property
    def standing(self) -> tuple[int, int]:
        """Who is winning the trick, and with what strength. Requires a lead."""
        assert self.lead is not None
        best, won = lead_strength(self.lead), self.leader
        for i, (one, two) in enumerate(self.trick[1:], 1):
            reached = strength(self.held, self.lead, one, two)
            if reached > best:
                best, won = reached, (self.leader + i) % 4
        return won, best

    @property
    def later(self) -> list[int]:
        """The seats that play after this one in the trick."""
        return [(self.seat + i) % 4 for i in range(1, 4 - len(self.trick))]

    @property
    def on_table(self) -> int:
        """The points in the trick so far."""
        return sum(points(*cards) for cards in self.trick)

    def unseen_of(self, suit: int) -> Cards:
        """Return the cards of an effective suit that the seat has not seen."""
        mask = self.held.masks[suit]
        return self.unseen[0] & mask, self.unseen[1] & mask

    def hidden(self) -> int:
        """Return the number of cards that the seat has not seen."""
        return max(1, size(*self.unseen))


def rules_of(view: Mapping[str, Any]) -> TractorRules:
    """Return the rule set of a view; raises ValueError for another family's."""
    rules = registry.rules(view["rules"])
    if not isinstance(rules, TractorRules):
        raise ValueError(f"{rules.id} is another family's")
    return rules


def order_of(rules: TractorRules, trump: Mapping[str, str]) -> Order:
    """Return the order of cards under a view's trumps."""
    suit = SUITS.index(trump["suit"]) if "suit" in trump else None
    return order(RANKS.index(trump["rank"]), suit, keeps_rank=rules.no_trump_keeps_rank)


def sight(view: Mapping[str, Any]) -> Sight:
    """Return what the seat to act knows; its view is of phase `bury` or `play`."""
    rules = rules_of(view)
    hand = of(*view["hand"])
    trick = tuple(of(*cards) for cards in view.get("trick", ()))
    seen = hand
    for cards in (of(*view.get("gone", ())), of(*view.get("buried", ())), *trick):
        seen = together(*seen, *cards)
    seat = int(view["turn"])
    return Sight(
        seat=seat,
        rules=rules,
        held=order_of(rules, view["trump"]),
        hand=hand,
        unseen=without(*seen, *_ALL),
        trick=trick,
        leader=int(view.get("leader", seat)),
        counts=tuple(view["count"]),
        declares=seat % 2 == view["declarers"],
    )


def side_suits(held: Order) -> list[int]:
    """Return the effective suits of the hand that are not trumps."""
    return [suit for suit in range(TRUMP) if held.masks[suit]]


def in_suit(cards: Cards, held: Order, suit: int) -> Cards:
    """Return the cards of one effective suit."""
    return cards[0] & held.masks[suit], cards[1] & held.masks[suit]


def lowest(held: Order, mask: int) -> int:
    """Return the number of the lowest card of a mask, which is not empty."""
    return min(kinds(mask), key=lambda k: (held.levels[k], k))


__all__ = ["NONE", "Cards", "Roll", "Sight", "in_suit", "lowest", "order_of", "rules_of", "side_suits", "sight"]
