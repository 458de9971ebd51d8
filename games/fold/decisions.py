"""The choices that the seats made in a game, each with the table as it stood when the seat had to choose."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from .rows import CLOCK
from .state import TableState, Touch
from .table import Step


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
    """Yield the choices of a game in order. Chance plays are nobody's choice; a gift is chosen when it is laid aside.

    Plays that a rewind took back are choices all the same.
    """
    for step in steps:
        row, body = step.row, step.row.body
        by_clock, before = row.actor == CLOCK, step.before
        if row.code == "give_sealed":
            line = f"give {body['card']}"
        elif row.code == "play" and not body.get("chance") and body.get("seat") not in before.sealed:
            line = str(body["play"])
        else:
            continue
        if before.position is not None and not line.startswith("deck"):
            yield Decision(row.seq, int(body["seat"]), line, by_clock, replace(before, touch=Touch()))
