"""The figures of a finished game: what each seat has eaten, lost and burned, and the turns that ate most."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache

from games import store
from games.fold import acts, steps
from games.fold.view import effects
from games.models import Game

from . import rule_sets

KEPT_S = 24 * 3600
EDITION = 1  # of what is kept


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """The figures of one seat. Marbles that a partner has moved count for the seat that played the card."""

    seat: int
    turns: int  # plays of the seat, without chance
    eaten: int  # marbles of others that its plays sent back
    own_side: int  # of these, marbles of its own team
    lost: int  # its marbles that were sent back
    burned: int  # cards laid unused, chosen or taken blind


@dataclass(frozen=True, slots=True)
class BestTurn:
    """A play that sent most marbles of the other teams back."""

    seq: int
    seat: int
    line: str  # in notation
    eaten: int


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a game, and its best turn if some play ate a marble of another team."""

    seats: Sequence[SeatFigures]
    best: BestTurn | None


def figures(game: Game) -> Figures | None:
    """Return the figures of a finished game; None while it runs, and where no marbles are played. Kept for a day: a
    finished record does not change.
    """
    if game.state != Game.State.OVER:
        return None
    key = f"figures:{EDITION}:{game.pk}:{game.last_seq}"
    found: Figures | str | None = cache.get(key, "unknown")
    if isinstance(found, str):
        found = _counted(game)
        cache.set(key, found, KEPT_S)
    return found


@dataclass(frozen=True, slots=True)
class _Play:
    seq: int
    seat: int
    line: str
    back: Sequence[int]  # whose marbles it sent back
    chance: bool

    @property
    def is_burn(self) -> bool:
        return self.line.startswith(("burn ", "blind "))


def _plays(game: Game) -> list[_Play]:
    """Return the plays of the game, without those that were taken back."""
    found: list[_Play] = []
    for step in steps(store.opening_of(game), store.rows_of(game)):
        row, body = step.row, step.row.body
        if row.code == acts.Rewind.word:
            found = [play for play in found if play.seq < int(body["to"])]
        if row.kind != "play":
            continue
        found.append(
            _Play(
                seq=row.seq,
                seat=int(body.get("seat", -1)),
                line=str(body["play"]),
                back=[fact[1] for fact in effects(step) if fact[0] == "eaten"],
                chance=bool(body.get("chance")),
            )
        )
    return found


def _counted(game: Game) -> Figures | None:
    if not rule_sets.touches(game.rules):
        return None
    teams, plays = game.table.teams, _plays(game)
    burned = Counter(play.seat for play in plays if play.is_burn)
    made = [play for play in plays if not play.chance]
    turns = Counter(play.seat for play in made)
    lost = Counter(owner for play in made for owner in play.back)
    eaten = Counter(play.seat for play in made for owner in play.back if owner != play.seat)
    own_side = Counter(
        play.seat for play in made for owner in play.back if owner != play.seat and owner % teams == play.seat % teams
    )
    by_play = [(sum(owner % teams != play.seat % teams for owner in play.back), play) for play in made]
    most, first = max(by_play, key=lambda pair: (pair[0], -pair[1].seq), default=(0, None))
    return Figures(
        [
            SeatFigures(seat, turns[seat], eaten[seat], own_side[seat], lost[seat], burned[seat])
            for seat in range(game.table.seats)
        ],
        BestTurn(first.seq, first.seat, first.line, most) if first is not None and most else None,
    )
