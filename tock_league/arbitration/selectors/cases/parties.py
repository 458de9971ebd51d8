"""The players and clubs of each side, for many matches in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from games.models import Seating
from tock_league.accounts.models import Player
from tock_league.clubs.models import Membership
from tock_league.common import clock
from tock_league.competitions.models import Match, RosterSpot, Side

from ...models import Case

Sides = tuple[frozenset[int], ...]


def players_by_match(matches: Collection[Match]) -> dict[int, Sides]:
    """Return by match, per position, the ids of the players of the roster and of the seats. Two or three queries."""
    found: dict[int, list[set[int]]] = {match.pk: [set() for _side in range(match.sides)] for match in matches}
    rows: dict[int, list[tuple[int, int]]] = defaultdict(list)  # entry -> its places
    sides = Side.objects.filter(match__in=found, entry__isnull=False).values_list("entry", "match", "position")
    for entry, match, position in sides:
        rows[entry].append((match, position or 0))
    for entry, player in RosterSpot.objects.filter(entry__in=rows, left__isnull=True).values_list("entry", "player"):
        for match, position in rows[entry]:
            found[match][position].add(player)
    tables = {match.table_id: match for match in matches if match.table_id is not None}
    if tables:
        seats = Seating.objects.filter(table__in=tables, player__isnull=False).values_list("table", "seat", "player")
        for table, seat, player in seats:
            played = tables[table]
            found[played.pk][seat % played.sides].add(player)
    return {key: tuple(frozenset(side) for side in each) for key, each in found.items()}


def clubs_by_match(players: Mapping[int, Sides]) -> dict[int, Sides]:
    """Return by match, per position, the clubs of the team and the home clubs of its players. Two queries."""
    everybody = {player for sides in players.values() for side in sides for player in side}
    homes: dict[int, set[int]] = defaultdict(set)
    members = Membership.objects.filter(player__in=everybody, home=True, until__isnull=True)
    for player, club in members.values_list("player", "club"):
        homes[player].add(club)
    found = {
        match: [{club for player in side for club in homes[player]} for side in sides]
        for match, sides in players.items()
    }
    teams = Side.objects.filter(match__in=players, position__isnull=False, entry__team__club__isnull=False)
    for match, position, club in teams.values_list("match", "position", "entry__team__club"):
        if position is not None and position < len(found[match]):
            found[match][position].add(club)
    return {match: tuple(frozenset(side) for side in sides) for match, sides in found.items()}


def positions(person: Player, cases: Collection[Case]) -> dict[int, int]:
    """Return by case the side of its match to which `person` belongs, as `permissions.position_of` does for one case.

    Cases without such a side are omitted. Two queries.
    """
    tables = {case.match.table_id for case in cases if case.match.table_id is not None}
    seats: dict[int, int] = {}
    held = Seating.objects.filter(table__in=tables, player=person).order_by("-seat").values_list("table", "seat")
    seats.update(held)  # the lowest of several seats
    spots = RosterSpot.objects.filter(player=person, entry__side_rows__match__in={case.match_id for case in cases})
    rows = list(spots.values_list("entry__side_rows__match", "entry__side_rows__position", "left"))
    found = {}
    for case in cases:
        if case.match.table_id in seats:
            found[case.pk] = seats[case.match.table_id] % case.match.sides
            continue
        since = case.filed_at or clock.now()
        on = [place for match, place, left in rows if match == case.match_id and (left is None or left >= since)]
        if on and on[0] is not None:
            found[case.pk] = on[0]
    return found
