"""Read and write the notation of a play (rulebook section 11). Parsing never looks at a position."""

import re
from dataclasses import dataclass

from games.engine.cards import NUMBER, TEXTS
from games.engine.errors import BadNotation, shown
from games.engine.tock.plays import Kind

_CARD = r"(JK|(?:10|[2-9AJQK])[SHDC])"
_PLACE = r"(?:t(?:0|[1-9][0-9]{0,2})|h[1-4]|x[1-9][0-9]{0,2})"
_LEG = rf"{_PLACE}-{_PLACE}"
THROW = "throw"
_BEFORE = {"give": Kind.GIVE, "burn": Kind.BURN, "blind": Kind.BLIND}
_AFTER = {"out": Kind.OUT, "skip": Kind.SKIP}
_WORD_CARD = re.compile(rf"(give|burn|blind) {_CARD}", re.ASCII)
_CARD_WORD = re.compile(rf"{_CARD} (out|skip)", re.ASCII)
_LEGS = re.compile(rf"{_CARD} ({_LEG}(?: {_LEG})*)", re.ASCII)
_SWAP = re.compile(rf"{_CARD} (t[0-9]+)x(t[0-9]+)", re.ASCII)
_DECK = re.compile(rf"deck((?: {_CARD})+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Line:
    """A parsed line."""

    text: str
    kind: Kind
    card: int = -1
    legs: tuple[tuple[str, str], ...] = ()  # pairs of place names, from and to; a swap is one pair
    cards: tuple[int, ...] = ()  # the cards of a deck


def read(text: object) -> Line:
    """Return the parts of a line; raises BadNotation.

    A line of one leg is a MOVE (or a CENTRE, which only the position tells), of several legs a SPLIT.
    """
    if not isinstance(text, str):
        raise BadNotation("bad_notation", "play: a line of text is needed")
    if text == THROW:
        return Line(text, Kind.THROW)
    if found := _LEGS.fullmatch(text):
        legs = tuple((src, end) for src, _, end in (leg.partition("-") for leg in found[2].split(" ")))
        return Line(text, Kind.MOVE if len(legs) == 1 else Kind.SPLIT, NUMBER[found[1]], legs)
    if found := _CARD_WORD.fullmatch(text):
        return Line(text, _AFTER[found[2]], NUMBER[found[1]])
    if found := _WORD_CARD.fullmatch(text):
        return Line(text, _BEFORE[found[1]], NUMBER[found[2]])
    if found := _SWAP.fullmatch(text):
        return Line(text, Kind.SWAP, NUMBER[found[1]], ((found[2], found[3]),))
    if found := _DECK.fullmatch(text):
        return Line(text, Kind.DECK, cards=tuple(NUMBER[card] for card in found[1].split()))
    raise BadNotation("bad_notation", f"play: {shown(text)} is no line of the notation")


def deck_line(cards: tuple[int, ...]) -> str:
    """Return the notation of a new deck."""
    return " ".join(("deck", *(TEXTS[card] for card in cards)))
