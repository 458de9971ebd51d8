"""The numbers of the plays of a game, as a reader of the replay counts them, and the cards that a play names."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from games import store
from games.models import Game

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
    plays = ((row.seq, row.body["play"]) for row in store.rows_of(game) if row.kind == "play")
    return Numbering(tuple(seq for seq, line in plays if line != "draw" and not line.startswith("deck")))


def by_seats(game_id: int) -> list[int]:
    """Return the rows of the plays that seats made in the game, in order. Two queries; none for an unknown game."""
    game = Game.objects.filter(pk=game_id).first()
    rows = store.rows_of(game) if game is not None else ()
    return [row.seq for row in rows if row.code == "play" and row.actor.startswith("seat:")]


def at(game_id: int, seq: int) -> int | None:
    """Return when row `seq` of the game was written, in milliseconds since 1970; None where there is no such row."""
    game = Game.objects.filter(pk=game_id).first()
    rows = store.rows_of(game, after=seq - 1, upto=seq) if game is not None else ()
    return next((row.at for row in rows), None)


def cards_in(line: str) -> tuple[str, ...]:
    """Return the cards that the notation of a play names, in its order; hidden ones (`??`) are omitted."""
    return tuple(_CARD.findall(line))
