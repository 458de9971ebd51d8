"""Read the notation of a play (rulebook T9). Parsing never looks at a position."""

import re

from games.engine.cards import NUMBER
from games.engine.errors import BadNotation, shown
from games.engine.tractor.plays import DRAW, PASSES, Kind, Play, bury, deck, masks, play, show

_CARD = r"(?:RJ|BJ|(?:10|[2-9AJQK])[SHDC])"
_CARDS = rf"({_CARD}(?: {_CARD})*)"
_LAY = re.compile(rf"(play|bury|deck) {_CARDS}", re.ASCII)
_SHOW = re.compile(rf"show ([0-3]): {_CARDS}", re.ASCII)
_PASS = re.compile(r"pass ([0-3])", re.ASCII)
LONGEST = 108 * 4 + 10
_LAID = {"play": play, "bury": bury}


def read(text: object) -> Play:
    """Return the play that a line means, its cards in any order; raises BadNotation."""
    if not isinstance(text, str):
        raise BadNotation("bad_notation", "play: a line of text is needed")
    if text == DRAW.text:
        return DRAW
    if len(text) <= LONGEST:
        if found := _LAY.fullmatch(text):
            if found[1] == Kind.DECK.name.lower():
                return deck([NUMBER[card] for card in found[2].split(" ")])
            return _LAID[found[1]](*_masks(found[2]))
        if found := _SHOW.fullmatch(text):
            return show(int(found[1]), *_masks(found[2]))
        if found := _PASS.fullmatch(text):
            return PASSES[int(found[1])]
    raise BadNotation("bad_notation", f"play: {shown(text)} is no line of the notation")


def _masks(cards: str) -> tuple[int, int]:
    try:
        return masks(NUMBER[card] for card in cards.split(" "))
    except ValueError as error:
        raise BadNotation("bad_notation", f"play: {error} a third time; every card exists exactly twice") from None
