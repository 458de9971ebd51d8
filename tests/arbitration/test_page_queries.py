"""Pages that list cases ask the database as often for many cases as for one."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors import cases, conflicts

from .test_pages import signed_in
from .world import World


def queries(player: Player, address: str) -> int:
    """Return how many statements the page takes for that player, the first visit aside."""
    client = signed_in(player)
    assert client.get(address).status_code == 200
    with CaptureQueriesContext(connection) as found:
        assert client.get(address).status_code == 200
    return len(found)


@pytest.fixture
def more_cases(world: World) -> Any:
    """Open one dispute at once; what is given opens two more in the same competition, by the same team."""
    team = world.match.side_rows.order_by("position")[1].entry
    world.dispute()

    def add() -> None:
        rest = world.competition.matches.filter(side_rows__entry=team, cases__isnull=True).order_by("round__number")
        for match in list(rest)[:2]:
            world.match = match
            position = match.side_rows.get(entry=team).position
            world.dispute(winner=1 - position)

    return add


def test_a_referees_desk_takes_no_more_queries_for_three_cases_than_for_one(world: World, more_cases: Any) -> None:
    desk = reverse("arbitration:desk", args=[world.competition.slug])
    few = queries(world.referees[0], desk)
    more_cases()
    assert len(cases.queue(world.competition, world.referees[0])) == 3
    assert queries(world.referees[0], desk) == few


def test_a_players_own_cases_take_no_more_queries_for_three_than_for_one(world: World, more_cases: Any) -> None:
    player = world.players[1]
    few = queries_of_mine(player)
    more_cases()
    assert len(cases.mine(player).parties) == 3
    assert queries_of_mine(player) == few


def queries_of_mine(player: Player) -> int:
    with CaptureQueriesContext(connection) as found:
        cases.mine(player)
    return len(found)


def test_conflicts_found_for_many_cases_are_those_found_for_each(world: World, more_cases: Any) -> None:
    more_cases()
    found = list(Case.objects.select_related("match"))
    people = [world.referees[0], world.head, world.organiser, *world.players]
    for person in people:
        assert conflicts.grounds_by_case(person, found) == {case.pk: conflicts.grounds(person, case) for case in found}
    assert any(conflicts.grounds(person, case) for person in people for case in found)
    assert not conflicts.grounds(world.referees[0], found[0])
