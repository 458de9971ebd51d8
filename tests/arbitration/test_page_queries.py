"""Pages and selectors that read many cases take the same number of queries for many cases as for one."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.competitions.world import a_club, a_player
from tock_league.accounts.models import Player, Role
from tock_league.accounts.permissions import SITE, can
from tock_league.arbitration.models import Case
from tock_league.arbitration.permissions import headed_by, heads, refereed_by, referees
from tock_league.arbitration.selectors.cases import case_files
from tock_league.arbitration.selectors.cases.powers import powers_by_case
from tock_league.arbitration.selectors.cases.viewers import organised_by
from tock_league.arbitration.selectors.referees import available, conflicts
from tock_league.arbitration.services.appeals import hearing
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import roles

from .browsers import signed_in
from .world import World, a_referee, a_world, fresh, related


def queries(player: Player, address: str) -> int:
    """Return the number of queries of the page for that player, after a first visit."""
    client = signed_in(player)
    assert client.get(address).status_code == 200
    with CaptureQueriesContext(connection) as found:
        assert client.get(address).status_code == 200
    return len(found)


def queries_of(read: Callable[[], object]) -> int:
    """Return the number of queries of `read`."""
    with CaptureQueriesContext(connection) as found:
        read()
    return len(found)


@pytest.fixture
def more_cases(world: World) -> Any:
    """Open one dispute at once; the returned function opens two more in the same competition, by the same team."""
    team = world.match.side_rows.order_by("position")[1].entry
    world.dispute()

    def add() -> None:
        rest = world.competition.matches.filter(side_rows__entry=team, cases__isnull=True).order_by("round__number")
        for match in list(rest)[:2]:
            world.match = match
            position = match.side_rows.get(entry=team).position
            world.dispute(winner=1 - position)

    return add


def everybody(world: World) -> list[Player]:
    return [*world.referees, world.head, world.organiser, *world.players]


@pytest.mark.both_databases
def test_a_referees_desk_takes_no_more_queries_for_three_cases_than_for_one(world: World, more_cases: Any) -> None:
    desk = reverse("arbitration:desk", args=[world.competition.slug])
    few = queries(world.referees[0], desk)
    more_cases()
    assert len(case_files.queue(world.competition, world.referees[0])) == 3
    assert queries(world.referees[0], desk) == few


def test_a_players_own_cases_take_no_more_queries_for_three_than_for_one(world: World, more_cases: Any) -> None:
    player = world.players[1]
    few = queries_of(lambda: case_files.mine(player))
    more_cases()
    assert len(case_files.mine(player).parties) == 3
    assert queries_of(lambda: case_files.mine(player)) == few


@pytest.mark.parametrize("who", ["player", "referee", "head", "organiser"])
def test_what_waits_for_somebody_takes_no_more_queries_for_three_cases_than_for_one(
    world: World, more_cases: Any, who: str
) -> None:
    people = {"player": world.players[1], "referee": world.referees[0], "head": world.head}
    person = people.get(who, world.organiser)
    few = queries_of(lambda: case_files.waiting_for(person))
    more_cases()
    assert Case.objects.count() == 3
    assert queries_of(lambda: case_files.waiting_for(person)) == few


def test_what_waits_for_a_referee_takes_no_more_queries_for_three_competitions_than_for_one(world: World) -> None:
    world.dispute()
    referee = world.referees[0]
    few = queries_of(lambda: case_files.waiting_for(referee))
    for _number in range(2):
        other = a_world()
        roles.give(by=SITE, competition=other.competition, player=referee, name="referee")
        other.dispute()
    assert len(case_files.waiting_for(referee)) == 3
    assert queries_of(lambda: case_files.waiting_for(referee)) == few


def test_what_waits_after_an_appeal_takes_no_more_queries_for_two_cases_than_for_one(world: World) -> None:
    """With an appeal the organiser's row takes extra queries: the number of missing referees, and the head referee's
    earlier rulings."""
    appealed(world)
    people = [world.organiser, world.head, world.players[0]]
    few = [queries_of(partial(case_files.waiting_for, person)) for person in people]
    rest = world.competition.matches.filter(cases__isnull=True, round__number=1)
    world.match = rest[0]
    appealed(world)
    assert [one.what for one in case_files.waiting_for(world.organiser)] == ["form_panel"] * 2
    assert [queries_of(partial(case_files.waiting_for, person)) for person in people] == few


def appealed(world: World) -> Case:
    case = world.ruled()
    hearing.appeal(by=world.players[0], case=case, grounds="fact", text="Personne n’a rien entendu.")
    return fresh(case)


def test_the_referees_without_conflict_take_no_more_queries_for_twenty_than_for_five(world: World) -> None:
    case = world.dispute()
    few = queries_of(lambda: available.candidates(case))
    for _number in range(15):
        a_referee(world.competition)
    assert len(available.candidates(case)) == 20
    assert queries_of(lambda: available.candidates(case)) == few


@pytest.mark.both_databases
def test_candidates_are_the_referees_of_the_event_and_of_the_site_who_are_in_no_conflict(
    world: World, more_cases: Any
) -> None:
    more_cases()
    club, player = a_club("Club des Chutes"), world.players[0]
    clubs.join(by=player, club=club, player=player)
    clubs.join(by=world.referees[0], club=club, player=world.referees[0])
    related(world.players[1], world.referees[1])
    site = a_player("Arbitre du site")
    Role.objects.create(player=site, name=Role.Name.REFEREE, since=clock.now())
    found = list(Case.objects.all())
    judges = Player.objects.filter(pk__in=[site.pk, world.head.pk, *(one.pk for one in world.referees)])
    named = list(judges.order_by("display_name", "pk"))
    told = available.candidates_by_case(found)
    for case in found:
        free = [person for person in named if not conflicts.grounds(person, case)]
        assert available.candidates(case) == told[case.pk] == free
        assert site in free
    assert world.referees[0] not in told[Case.objects.get(match=world.match).pk]
    assert available.missing_by_case(found) == {case.pk: available.missing(case) for case in found}


@pytest.mark.both_databases
def test_conflicts_found_for_many_cases_are_those_found_for_each(world: World, more_cases: Any) -> None:
    more_cases()
    found, people = list(Case.objects.select_related("match")), everybody(world)
    together = conflicts.grounds_of(people, found)
    for person in people:
        assert conflicts.grounds_by_case(person, found) == {case.pk: conflicts.grounds(person, case) for case in found}
        assert all(together[person.pk, case.pk] == conflicts.grounds(person, case) for case in found)
    assert any(conflicts.grounds(person, case) for person in people for case in found)
    assert not conflicts.grounds(world.referees[0], found[0])


def test_powers_in_many_cases_are_those_in_each(world: World, more_cases: Any) -> None:
    more_cases()
    taken = Case.objects.exclude(match=world.match).order_by("pk")
    world.taken(taken[0], by=world.referees[1])
    rest = world.competition.matches.filter(cases__isnull=True, round__number=1)
    world.match = rest[0]
    world.appealed()
    found, people = list(Case.objects.all()), everybody(world)
    seen = set()
    for person in people:
        told = powers_by_case(person, found)
        assert told == {case.pk: powers_by_case(person, [case])[case.pk] for case in found}
        seen |= frozenset().union(*told.values())
    assert {"take", "rule", "answer", "add", "vote", "recuse"} <= seen


def test_offices_in_many_competitions_are_those_in_each(world: World) -> None:
    world.open()
    club = a_club("Club des Chutes")
    there = a_world(club=club)
    there.open()
    found = list(Competition.objects.all())
    keys = [one.pk for one in found]
    administrator, of_site, of_club = a_player("Admin"), a_player("Arbitre du site"), a_player("Membre")
    Role.objects.create(player=administrator, name=Role.Name.ADMINISTRATOR, since=clock.now())
    Role.objects.create(player=of_site, name=Role.Name.HEAD_REFEREE, since=clock.now())
    clubs.join(by=of_club, club=club, player=of_club)
    clubs.give_role(by=SITE, club=club, player=of_club, name="organiser")
    people = [*everybody(world), *everybody(there), administrator, of_site, of_club]
    for person in people:
        assert refereed_by(person, keys) == {one.pk for one in found if referees(person, one)}
        assert headed_by(person, keys) == {one.pk for one in found if heads(person, one)}
        assert organised_by(person, found) == {one.pk for one in found if can(person, "competition.organise", one)}
    assert refereed_by(world.referees[0], keys) == {world.competition.pk}
    assert organised_by(of_club, found) == {there.competition.pk}
    assert organised_by(administrator, found) == headed_by(of_site, keys) == set(keys)
