"""Reads about a set of players from the clubs' teams: its named team, and whether only lots put it together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeVar

from django.db.models import QuerySet

from tock_league.clubs.models import Team, TeamPlayer

Members = tuple[int, ...]
What = TypeVar("What")


def drawn_only(sets: Iterable[Members]) -> set[Members]:
    """Return those of `sets` (sorted player ids) whose teams were all drawn by lots, with at least one. One query."""
    wanted = set(sets)
    spells = _spells(wanted).values_list("team_id", "player_id", "team__size", "team__drawn")
    drawn: set[Members] = set()
    own: set[Members] = set()
    for members, by_lots in _teams(wanted, spells):
        (drawn if by_lots else own).add(members)
    return drawn - own


def team_of(sets: Iterable[Members]) -> Mapping[Members, Team]:
    """Return the named team of each of `sets` that has one, with its club; the newest of several. One query."""
    wanted = set(sets)
    spells = _spells(wanted).select_related("team__club")
    found: dict[Members, Team] = {}
    for members, team in _teams(wanted, ((s.team_id, s.player_id, s.team.size, s.team) for s in spells)):
        if not team.drawn:
            found[members] = team
    return found


def _spells(wanted: set[Members]) -> QuerySet[TeamPlayer]:
    return TeamPlayer.objects.filter(player_id__in={person for members in wanted for person in members})


def _teams(wanted: set[Members], spells: Iterable[tuple[int, int, int, What]]) -> list[tuple[Members, What]]:
    """Return (members, team) for every team of the set's size to which all its members belonged, oldest team first.

    `spells`: the team's id, a player's id, the team's size, and what stands for the team in the answer.
    """
    squads: dict[int, set[int]] = defaultdict(set)
    teams: dict[int, tuple[int, What]] = {}
    for team_id, player_id, size, team in spells:
        squads[team_id].add(player_id)
        teams[team_id] = (size, team)
    by_person: dict[int, list[int]] = defaultdict(list)
    for team_id, squad in squads.items():
        for person in squad:
            by_person[person].append(team_id)
    found = []
    for members in wanted:
        for team_id in by_person[members[0]]:
            if teams[team_id][0] == len(members) and squads[team_id].issuperset(members):
                found.append((team_id, members))
    return [(members, teams[team_id][1]) for team_id, members in sorted(found)]
