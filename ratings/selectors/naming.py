"""Names and links of those who played rated games together: players, named teams, and their pages in the ladder."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ratings.core import recompute as core
from ratings.models import Generation, RatedResult, Rating
from tock_league.accounts.models import Player
from tock_league.clubs.models import Team

from .log import entry_of
from .pairs import team_of


@dataclass(frozen=True)
class Named:
    """A player or a team in a row of a history."""

    name: str
    subject: int | None = None  # the id of its page in the ladder; None without one


@dataclass(frozen=True)
class Side:
    """A side of a game: its team, where it has a page or a name, and its players."""

    team: Named | None
    players: Sequence[Named]


@dataclass(frozen=True)
class Names:
    """What `names` has found, for any number of sides."""

    players: Mapping[int, Player]
    teams: Mapping[tuple[int, ...], Team]
    ratings: Mapping[str, Rating]  # by the key of the subject

    def player(self, person: int) -> Named:
        found = self.players.get(person)
        rating = self.ratings.get(str(person))
        return Named(found.display_name if found is not None else "", rating.subject_id if rating else None)

    def side(self, people: Iterable[int]) -> Side:
        """Return the side of these players; a team that lots put together is named by its players alone."""
        members = tuple(sorted(people))
        persons = sorted((self.player(person) for person in members), key=lambda one: one.name)
        if len(members) == 1:
            return Side(None, persons)
        rating = self.ratings.get(key_of(members))
        team = self.teams.get(members)
        if rating is None or not rating.listed:
            return Side(None, persons)
        name = team.name if team is not None else " – ".join(one.name for one in persons)
        return Side(Named(name, rating.subject_id), persons)


def key_of(members: Iterable[int]) -> str:
    """Return the key of the subject of these players."""
    return "-".join(str(person) for person in sorted(members))


def names(generation: Generation, sides: Collection[tuple[int, ...]], people: Iterable[int] = ()) -> Names:
    """Return the names of the players and teams of `sides` (sorted ids), and of `people`. Three queries."""
    persons = {person for side in sides for person in side} | set(people)
    keys = {key_of(side) for side in sides} | {str(person) for person in persons}
    ratings = Rating.objects.filter(generation=generation, subject__key__in=keys).select_related("subject")
    return Names(
        players=Player.objects.in_bulk(persons),
        teams=team_of(side for side in sides if len(side) > 1),
        ratings={rating.subject.key: rating for rating in ratings},
    )


def own_side(result: RatedResult, members: Collection[int], renamed: Mapping[int, int]) -> tuple[int, ...]:
    """Return the players of the side of `members`, which are a player or a whole team; () if they are on none.

    `renamed`: the ids of merged accounts, see `merges`.
    """
    for side in result.sides:
        people = {renamed.get(person, person) for person in side}
        if people >= set(members):
            return tuple(sorted(people))
    return ()


def other_sides(result: RatedResult, own: tuple[int, ...], renamed: Mapping[int, int]) -> list[tuple[int, ...]]:
    """Return the players of each other side of the game."""
    sides = [tuple(sorted(renamed.get(person, person) for person in side)) for side in result.sides]
    return [side for side in sides if side != own]


def merges(generation: Generation, results: Iterable[RatedResult], members: Collection[int]) -> Mapping[int, int]:
    """Return the ids that merged accounts have now. One query, where a game is logged under another id than `members`."""
    if all(own_side(result, members, {}) for result in results):
        return {}
    # by the unique index of source: ";" is the sign after ":"
    rows = RatedResult.objects.filter(ladder=generation.ladder_id, source__gte="merge:", source__lt="merge;")
    last = {row.source: row for row in rows.order_by("revision")}
    return core.merged(entry_of(row) for row in last.values() if row.kind == RatedResult.Kind.MERGE)
