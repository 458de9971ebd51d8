"""Pictures for Tractor's rules page: cards that a seat shows or leads, at a position that the engine has reached from a deck."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext_lazy

from games.engine import registry
from games.engine.cards import TEXTS

RULES = "tractor/1"
# What seat 0 draws; the other seats and the talon get the rest of the two packs.
HAND = [
    "AH",
    "AH",
    "KH",
    "9H",
    "9H",
    "8H",
    "8H",
    "QS",
    "QS",
    "JS",
    "10S",
    "2S",
    "3D",
    "4D",
    "5D",
    "6D",
    "7D",
    "3C",
    "4C",
    "5C",
    "6C",
    "7C",
    "8C",
    "9C",
    "10C",
]
SHOW, LEAD = "show", "play"


@dataclass(frozen=True, slots=True)
class Cards:
    """One picture: seat 0 shows or leads these cards."""

    heading: str
    caption: Any
    line: str

    @property
    def cards(self) -> list[str]:
        return self.line.partition(": " if self.line.startswith(SHOW) else " ")[2].split(" ")

    @property
    def position(self) -> Any:
        """The engine's position, in which seat 0 is to choose."""
        return reached()[self.line.partition(" ")[0]]


CARDS = (
    Cards(
        "drawing-and-showing", gettext_lazy("The 2 of spades is shown: the 2s and all spades are trumps."), "show 0: 2S"
    ),
    Cards("leading", gettext_lazy("A pair is led: two identical cards."), "play QS QS"),
    Cards("leading", gettext_lazy("A tractor is led: two pairs that touch."), "play 9H 9H 8H 8H"),
    Cards(
        "the-throw",
        gettext_lazy("A throw: nobody has a higher heart, so the two aces and the king stand."),
        "play AH AH KH",
    ),
)


@cache
def reached() -> dict[str, Any]:
    """Return the positions: before the first show, and before the first lead with spades as trumps."""
    engine, rules = registry.game(RULES), registry.rules(RULES)
    rest = list((Counter(TEXTS[card] for card in rules.deck(4)) - Counter(HAND)).elements())
    deck: list[str] = []
    for card in HAND:
        deck += [card, *(rest.pop() for _other in range(3))]
    p = engine.new(rules, seats=4, teams=2, dealer=0)
    p = engine.apply(p, engine.parse_play(p, "deck " + " ".join(deck + rest)))
    for _card in HAND:
        p = engine.apply(p, engine.parse_play(p, "draw 4"))
    found = {SHOW: p}
    p = engine.apply(p, engine.parse_play(p, "show 0: 2S", 0), 0)
    for seat in range(4):
        p = engine.apply(p, engine.parse_play(p, f"pass {seat}", seat), seat)
    spare = sorted(card for card in engine.view(p, 0)["hand"] if card[-1] in "DC")[:8]
    p = engine.apply(p, engine.parse_play(p, "bury " + " ".join(spare), 0), 0)
    return found | {LEAD: p}


@cache
def check(picture: Cards) -> None:
    """Raise the engine's IllegalPlay if seat 0 may not show or lead so."""
    engine, p = registry.game(RULES), picture.position
    engine.check(p, engine.parse_play(p, picture.line, 0), 0)
