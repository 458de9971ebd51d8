"""What the code allows: every registered rule, asked about every person and every state."""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.competitions.world import FIRST_ROUND
from tock_league.accounts.permissions import can
from tock_league.common import clock

from ..expected import ROWS
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


def cells(world: World) -> Mapping[Cell, bool]:
    """Return the answer of `can` for every row of `expected`, in every state, for every person."""
    with clock.frozen(FIRST_ROUND):
        found = {}
        for row in ROWS:
            for state in row.states:
                thing = THINGS[row.thing](world, state)
                for name in EVERYBODY:
                    found[Cell(row.action, row.thing, state, name)] = can(world.people[name], row.action, thing)
        return found
