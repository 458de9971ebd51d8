"""The choices of the seats in a game, each with the table when the seat had to choose."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from . import acts
from .rows import CLOCK
from .state import TableState
from .table import Step
from .values import UNTOUCHED


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice of a seat."""

    seq: int  # of its row
    seat: int
    line: str  # what was chosen
    by_clock: bool  # the time was up, and this is the default play
    before: TableState  # the table at the choice, before any touch for it: the seat had all its plays


def decisions(steps: Iterable[Step]) -> Iterator[Decision]:
    """Yield the choices of a game in order, without chance plays.

    An exchanged card is chosen when it is laid aside, and known from the row that hands it over. Plays that a rewind
    took back are included.
    """
    gifts: dict[int, Decision] = {}
    for step in steps:
        row, body, before = step.row, step.row.body, step.before
        if row.code == acts.GiveSealed.word:
            gift = acts.read(row)
            assert isinstance(gift, acts.GiveSealed)
            gifts[gift.seat] = Decision(row.seq, gift.seat, f"give {gift.card}", row.actor == CLOCK, before)
        elif row.code == "play" and not body.get("chance"):
            seat = int(body["seat"])
            if seat in before.sealed:
                yield replace(gifts.pop(seat), seq=row.seq)
            else:
                yield Decision(row.seq, seat, str(body["play"]), row.actor == CLOCK, replace(before, touch=UNTOUCHED))
