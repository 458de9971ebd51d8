"""The choices that the seats made in a game, each with the table as it stood when the seat had to choose."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from . import acts
from .rows import CLOCK
from .state import TableState
from .table import Step
from .values import UNTOUCHED


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice. `seq`: of the row that tells it; `line`: what was chosen; `by_clock`: the time was up and chose.

    `before`: the table at the choice, before anything was touched for it: the seat had all its plays.
    """

    seq: int
    seat: int
    line: str
    by_clock: bool
    before: TableState


def decisions(steps: Iterable[Step]) -> Iterator[Decision]:
    """Yield the choices of a game in order. Chance plays are nobody's choice.

    A gift is chosen when it is laid aside and told by the row that hands it over. Plays that a rewind took back are choices
    all the same.
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
