"""Reads about a set of players from the clubs' teams: its named team, and whether only lots put it together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tock_league.clubs.models import Team, TeamPlayer

Members = tuple[int, ...]


def drawn_only(sets: Iterable[Members]) -> set[Members]:
    """Return those of `sets` (sorted player ids) whose teams were all drawn by lots, with at least one. One query."""
    drawn: set[Members] = set()
    own: set[Members] = set()
    for members, team in _teams(sets):
        (drawn if team.drawn else own).add(members)
    return drawn - own


def team_of(sets: Iterable[Members]) -> Mapping[Members, Team]:
    """Return the named team of each of `sets` that has one, with its club; the newest of several. One query."""
    found: dict[Members, Team] = {}
    for members, team in _teams(sets):
        if not team.drawn:
            found[members] = team
    return found


def _teams(sets: Iterable[Members]) -> list[tuple[Members, Team]]:
    """Return (members, team) for every team of the set's size to which all its members belonged, oldest team first."""
    wanted = set(sets)
    people = {person for members in wanted for person in members}
    squads: dict[int, set[int]] = defaultdict(set)
    teams: dict[int, Team] = {}
    spells = TeamPlayer.objects.filter(player_id__in=people).select_related("team__club")
    for spell in spells.order_by("team_id"):
        squads[spell.team_id].add(spell.player_id)
        teams[spell.team_id] = spell.team
    by_person: dict[int, list[int]] = defaultdict(list)
    for team_id, squad in squads.items():
        for person in squad:
            by_person[person].append(team_id)
    found = []
    for members in wanted:
        for team_id in by_person[members[0]]:
            if teams[team_id].size == len(members) and squads[team_id] >= set(members):
                found.append((team_id, members))
    return [(members, teams[team_id]) for team_id, members in sorted(found)]
