"""What the code allows: every registered rule, asked about every person and every state."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from unittest.mock import patch

from tests.competitions.world import FIRST_ROUND
from tock_league.accounts import permissions
from tock_league.accounts.permissions import can
from tock_league.common import clock

from ..expected import ROWS, Row
from ..things import THINGS
from ..world import ALWAYS, NEVER, PEOPLE, World

EVERYBODY = (*PEOPLE, *ALWAYS, *NEVER)


@dataclass(frozen=True)
class Cell:
    """One question to one rule."""

    action: str
    thing: str
    state: str
    name: str


def everybody(row: Row, number: int) -> Sequence[str]:
    """Return whom to ask about a row in its state of that number: everybody."""
    return EVERYBODY


def cells(world: World, asked: Callable[[Row, int], Sequence[str]] = everybody) -> Mapping[Cell, bool]:
    """Return the answer of `can` for every row of `expected`, in every state, for the people whom `asked` names.

    No state makes an administrator, so each person is asked about that once and not in every cell.
    """
    asked_once = patch.object(permissions, "is_administrator", cache(permissions.is_administrator))
    with clock.frozen(FIRST_ROUND), asked_once:
        found = {}
        for row in ROWS:
            for number, state in enumerate(row.states):
                thing = THINGS[row.thing](world, state)
                for name in asked(row, number):
                    found[Cell(row.action, row.thing, state, name)] = can(world.people[name], row.action, thing)
        return found
