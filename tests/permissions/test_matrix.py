"""Role x action x state: `can` returns what the table says, for every registered rule.

`TOCK_MATRIX=all` in the environment asks about every cell; otherwise some of those who may in no state are left out.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from tests.competitions.world import FIRST_ROUND
from tock_league.accounts.permissions import actions, can
from tock_league.arbitration.models import Case
from tock_league.clubs.models import TeamInvitation
from tock_league.common import clock
from tock_league.competitions.models import Competition, Entry, Match

from . import expected
from .expected import ROWS, Row
from .table.measure import EVERYBODY, Cell, cells
from .world import ALWAYS, NEVER, PEOPLE, World, build

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    with clock.frozen(FIRST_ROUND):
        return build()


def asked(row: Row, number: int) -> Sequence[str]:
    """Return whom to ask about a row in its state of that number.

    Everybody in the first state. In the others those who may in some state, and in turns a quarter of those who never may.
    `TOCK_MATRIX=all` asks everybody, which takes twice as long.
    """
    if number == 0 or os.environ.get("TOCK_MATRIX") == "all":
        return EVERYBODY
    may = {name for who in row.who.values() for name in who}
    never = [name for name in EVERYBODY if name not in may]
    return [*sorted(may), *never[number % 4 :: 4]]


def wrong_cells(found: Mapping[Cell, bool], rows: Sequence[Row]) -> list[str]:
    """Return each cell of `rows` that was asked about and in which the rule's answer differs from the table."""
    wrong = []
    for row in rows:
        for state in row.states:
            for name in EVERYBODY:
                allowed = name in ALWAYS or name in row.who[state]
                if found.get(Cell(row.action, row.thing, state, name), allowed) is not allowed:
                    says = "may" if allowed else "may not"
                    wrong.append(f"{row.action}, {row.thing}, {state}: {name} {says}, says the table")
    return wrong


def test_every_cell_is_as_the_table_says(world: World, record_property: Callable[[str, object], None]) -> None:
    found = cells(world, asked)
    assert wrong_cells(found, ROWS) == []
    assert len(found) >= 7_500
    assert {(cell.action, cell.thing, cell.state) for cell in found} == {
        (row.action, row.thing, state) for row in ROWS for state in row.states
    }
    record_property("permission_cells", len(found))  # the summary at the end of the run prints it
    turned = replace(next(row for row in ROWS if row.action == "club.edit"), who={"always": frozenset({"stranger"})})
    assert wrong_cells(found, [turned]) == [
        "club.edit, the club, always: officer may not, says the table",
        "club.edit, the club, always: stranger may, says the table",
    ], "a wrong cell is named"


def test_every_registered_rule_has_its_rows_and_every_row_its_rule() -> None:
    told = {row.action for row in ROWS}
    assert {"without expectations": sorted(actions() - told), "without a rule": sorted(told - actions())} == {
        "without expectations": [],
        "without a rule": [],
    }


def test_every_state_of_the_models_is_asked_about() -> None:
    asked = {
        Competition: expected.COMPETITION,
        Entry: expected.ENTRY,
        Match: expected.MATCH,
        TeamInvitation: expected.INVITATION,
        Case: expected.CASE,
    }
    for model, states in asked.items():
        assert sorted(states) == sorted(model.State.values)


def test_an_action_without_a_rule_is_refused_to_everybody(world: World) -> None:
    for name in (*PEOPLE, *ALWAYS, *NEVER):
        assert can(world.people[name], "club.burn_down", world.club) is False
