"""The numbers of the plays of a game, as a reader of the replay counts them, and the cards that a play names."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from games.models import Game, GameEvent

_CARD = re.compile(r"\b(?:JK|RJ|BJ|(?:10|[2-9AJQK])[SHDC])\b", re.ASCII)


@dataclass(frozen=True, slots=True)
class Numbering:
    """The plays of a game in order; play 1 is the first one that a seat made.

    The table's own decks and draws have no number, and acts (calls, touches, rulings) have none. A play that was taken
    back keeps its number. `static/live/record.js` counts the same for the replay.
    """

    seqs: tuple[int, ...]  # of the numbered plays

    def upto(self, seq: int) -> int:
        """Return the number of the play at `seq`, or of the last one before it; 0 before the first."""
        return bisect_right(self.seqs, seq)

    def is_play(self, seq: int) -> bool:
        """Return whether the row at `seq` is a numbered play."""
        return seq in self.seqs


def numbering(game: Game) -> Numbering:
    """Return the numbering of the game's plays so far. One query."""
    plays = GameEvent.objects.filter(game=game, kind="play").exclude(body__play__startswith="deck")
    return Numbering(tuple(plays.exclude(body__play="draw").order_by("seq").values_list("seq", flat=True)))


def cards_in(line: str) -> tuple[str, ...]:
    """Return the cards that the notation of a play names, in its order; hidden ones (`??`) are omitted."""
    return tuple(_CARD.findall(line))
