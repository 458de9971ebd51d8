"""Role x action x state, every cell: `can` returns what the table says, for every registered rule."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.competitions.world import FIRST_ROUND
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import actions, can
from tock_league.arbitration.models import Case
from tock_league.clubs.models import TeamInvitation
from tock_league.clubs.services import invite, invite_by_link
from tock_league.common import clock
from tock_league.competitions.models import Competition, Entry, Match

from . import expected
from .expected import ROWS, Row
from .world import ALWAYS, NEVER, PEOPLE, World, build

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    with clock.frozen(FIRST_ROUND):
        return build()


def set_state(thing: Any, state: str) -> Any:
    """Return `thing` in `state`. Rules read only the state of a row, so the test sets it without services."""
    type(thing)._default_manager.filter(pk=thing.pk).update(state=state)
    return type(thing)._default_manager.get(pk=thing.pk)


def invited(world: World, state: str, *, by_link: bool) -> TeamInvitation:
    """Return an invitation into a free place of the team, in `state`."""
    team = world.team
    TeamInvitation.objects.all().delete()
    if by_link:
        found = invite_by_link(by=world.player("captain"), team=team, slot=3)[0]
    else:
        found = invite(by=world.player("captain"), team=team, player=world.player("player"), slot=3)
    answered = None if state == "open" else clock.now()
    TeamInvitation.objects.filter(pk=found.pk).update(state=state, answered_at=answered)
    return TeamInvitation.objects.get(pk=found.pk)


def profile(world: World, state: str) -> Player:
    from tock_league.accounts.services import create_user

    player = world.player("captain")
    user = create_user(email="captain@example.org") if state == "with_login" else None
    Player.objects.filter(pk=player.pk).update(user=user)
    return Player.objects.get(pk=player.pk)


# How each object of the table is made, in a state.
THINGS: dict[str, Callable[[World, str], Any]] = {
    "nothing": lambda world, state: None,
    "the site": lambda world, state: None,
    "captain's profile": profile,
    "the club": lambda world, state: world.club,
    "no club": lambda world, state: None,
    "the club and two players": lambda world, state: (world.club, [world.player("captain"), world.player("partner")]),
    "no club and two players": lambda world, state: (None, [world.player("captain"), world.player("partner")]),
    "the team": lambda world, state: world.team,
    "a dissolved team": lambda world, state: world.dissolved,
    "an invitation of the player": lambda world, state: invited(world, state, by_link=False),
    "an invitation by link": lambda world, state: invited(world, state, by_link=True),
    "the league": lambda world, state: set_state(world.league, state),
    "the league, an organiser": lambda world, state: (set_state(world.league, state), "organiser"),
    "the league, a referee": lambda world, state: (set_state(world.league, state), "referee"),
    "the league and the team": lambda world, state: (set_state(world.league, state), world.team),
    "the entry": lambda world, state: set_state(world.entry, state),
    "an entry before the draw": lambda world, state: set_state(world.early_entry, state),
    "the entry and the captain": lambda world, state: (set_state(world.entry, state), world.player("captain")),
    "the entry and the partner": lambda world, state: (set_state(world.entry, state), world.player("partner")),
    "the match": lambda world, state: set_state(world.match, state),
    "the game": lambda world, state: world.game,
    "the case": lambda world, state: set_state(world.case, state),
    "the match, the captain's side": lambda world, state: (set_state(world.match, state), side(world, "captain")),
    "the match, the other side": lambda world, state: (set_state(world.match, state), side(world, "other_captain")),
}


def side(world: World, captain: str) -> int:
    """Return the position of that captain's side."""
    return world.match.side_rows.get(entry__roster__player=world.player(captain)).position


def wrong_cells(world: World, row: Row, *, counted: list[int]) -> list[str]:
    """Return each cell of `row` in which `can` differs from the table."""
    wrong = []
    for state in row.states:
        thing = THINGS[row.thing](world, state)
        for name in (*PEOPLE, *ALWAYS, *NEVER):
            allowed = name in ALWAYS or name in row.who[state]
            counted[0] += 1
            if can(world.people[name], row.action, thing) is not allowed:
                says = "may" if allowed else "may not"
                wrong.append(f"{row.action}, {row.thing}, {state}: {name} {says}, says the table")
    return wrong


def test_every_cell_is_as_the_table_says(world: World, record_property: Callable[[str, object], None]) -> None:
    counted = [0]
    with clock.frozen(FIRST_ROUND):
        wrong = [fault for row in ROWS for fault in wrong_cells(world, row, counted=counted)]
    assert wrong == []
    assert counted[0] >= 1_500
    record_property("permission_cells", counted[0])  # the summary at the end of the run prints it


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


def test_a_wrong_cell_would_be_named(world: World) -> None:
    row = next(row for row in ROWS if row.action == "club.edit")
    turned = Row(row.action, row.thing, row.states, {"always": frozenset({"stranger"})})
    assert wrong_cells(world, turned, counted=[0]) == [
        "club.edit, the club, always: officer may not, says the table",
        "club.edit, the club, always: stranger may, says the table",
    ]
