"""A club's own boards: its home members and its pairs, each by page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, QuerySet

from ratings.core import eligibility
from ratings.core.clubs import BEST
from ratings.core.eligibility import CLUB
from ratings.core.params import Params
from ratings.core.score import points
from ratings.models import Generation, Ladder, Rating, Subject
from tock_league.accounts.models import Player
from tock_league.clubs.models import Club, Team, TeamPlayer
from tock_league.common import clock
from tock_league.common.errors import Refused

from .ladders import live
from .pairs import Members, team_of
from .rows import BoardPage, dress, record_of

PAGE = 40  # rows of each list on a page
LONGEST = 6  # digits of a position


@dataclass(frozen=True)
class ClubBoards:
    """A page of each list of a club."""

    pages: Mapping[str, BoardPage]  # by kind, player or team
    people: frozenset[int]  # ids of everybody on the whole lists
    best: Sequence[int]  # the scores of the BEST best players, in whole points, highest first


def boards(
    of: Ladder,
    club: Club,
    kinds: Collection[str] = (Subject.Kind.PLAYER, Subject.Kind.TEAM),
    *,
    after: Mapping[str, str] | None = None,
    limit: int | None = None,
    viewer_id: int | None = None,
) -> ClubBoards:
    """Return the club's own boards: its home members ("player"), its pairs ("team").

    A list has those with a rank, then those without one, and on its last page the names of the home members without a
    rated game. `after`: for each kind how many rows stand before the page; raises Refused("page") if one is no number or
    leads beyond the list. `limit`: rows of each list, PAGE by default. A club has hundreds of members at most: every row
    is read, and only those of the page with their names. Nine queries at most.
    """
    limit = limit or PAGE
    generation = live(of)
    is_home = {"memberships__club": club, "memberships__home": True, "memberships__until__isnull": True}
    people = {person.pk: person for person in Player.objects.filter(**is_home).only("display_name")}
    found = _ratings(generation, club, people, kinds)
    teams = team_of(members for rating in found if len(members := _members(rating)) > 1)
    own = [rating for rating in found if _is_of(club, people, rating, teams)]
    ranked = _ranked(own, generation)
    lists = {kind: _List.of(own, kind, ranked) for kind in kinds}
    starts = {kind: _start(kind, (after or {}).get(kind, ""), len(lists[kind].rows)) for kind in kinds}
    parts = {kind: lists[kind].rows[start : start + limit] for kind, start in starts.items()}
    shown = [rating for part in parts.values() for rating in part]
    made = dress(shown, board=CLUB, generation=generation, viewer_id=viewer_id, teams=teams)
    rows = {row.subject_id: row for row in made}
    played = {person for rating in own if rating.kind == Subject.Kind.PLAYER for person in _members(rating)}
    unplayed = sorted((people[pk] for pk in people if pk not in played), key=lambda person: person.display_name)
    pages = {}
    for kind, start in starts.items():
        whole, part = lists[kind], parts[kind]
        has_more = start + limit < len(whole.rows)
        pages[kind] = BoardPage(
            ladder=of,
            kind=kind,
            rows=[
                replace(rows[rating.subject_id], rank=whole.ranks[rating.subject_id])
                for rating in part
                if rating.subject_id in whole.ranks
            ],
            apart=[rows[rating.subject_id] for rating in part if rating.subject_id not in whole.ranks],
            after=str(start + limit) if has_more else "",
            before=str(max(0, start - limit)) if start else "",
            first=start + 1 if start < len(whole.ranks) else 0,
            total=len(whole.ranks),
            unplayed=unplayed if kind == Subject.Kind.PLAYER and not has_more else (),
        )
    best = [points(rating.score_milli) for rating in own if rating.kind == Subject.Kind.PLAYER and rating.pk in ranked]
    return ClubBoards(pages, frozenset(person for rating in own for person in _members(rating)), best[:BEST])


@dataclass(frozen=True)
class _List:
    """The whole list of one kind."""

    rows: Sequence[Rating]  # those with a rank, then the others, each by score
    ranks: Mapping[int, int]  # by subject

    @classmethod
    def of(cls, own: Sequence[Rating], kind: str, ranked: Collection[int]) -> "_List":
        """Return the list of `kind` among the club's ratings `own`, which are in order; `ranked`: ids of ratings."""
        some = [rating for rating in own if rating.kind == kind]
        first = [rating for rating in some if rating.pk in ranked]
        ranks: dict[int, int] = {}
        for position, rating in enumerate(first, start=1):
            above = first[position - 2] if position > 1 else None
            is_tie = above is not None and above.score_milli == rating.score_milli
            ranks[rating.subject_id] = ranks[above.subject_id] if above is not None and is_tie else position
        return cls([*first, *(rating for rating in some if rating.pk not in ranked)], ranks)


def _start(kind: str, after: str, length: int) -> int:
    """Return how many rows stand before the page."""
    if after and (not after.isdecimal() or len(after) > LONGEST or int(after) >= max(1, length)):
        raise Refused("page", field=kind, status=404)
    return int(after or 0)


def _ratings(generation: Generation, club: Club, people: Collection[int], kinds: Collection[str]) -> list[Rating]:
    """Return the ratings that may be the club's, highest score first. Four queries at most."""
    ratings = Rating.objects.filter(generation=generation, listed=True).select_related("subject").defer("meetings")
    found: list[Rating] = []
    # Two statements: for one with OR, PostgreSQL reads every rating of the ladder.
    if Subject.Kind.PLAYER in kinds:
        found += ratings.filter(subject__key__in=[str(pk) for pk in people])
    if Subject.Kind.TEAM in kinds:
        squads = set(TeamPlayer.objects.filter(team__club=club).values_list("player_id", flat=True))
        teams = ratings.filter(kind=Subject.Kind.TEAM, subject__in=list(_near(squads.union(people))))
        found += [
            rating for rating in teams if any(group.issuperset(_members(rating)) for group in (squads, set(people)))
        ]
    return sorted(found, key=lambda rating: (-rating.score_milli, rating.subject_id))


def _members(rating: Rating) -> Members:
    """Return the sorted ids of the players."""
    return tuple(int(pk) for pk in rating.subject.key.split("-"))


def _is_of(club: Club, people: Mapping[int, Player], rating: Rating, teams: Mapping[Members, Team]) -> bool:
    """Return whether a rating is one of the club: a home member, its team, or a pair at home here without a club's team."""
    if rating.kind == Subject.Kind.PLAYER:
        return True
    members = _members(rating)
    team = teams.get(members)
    if team is not None and team.club_id is not None:
        return team.club_id == club.pk
    return all(person in people for person in members)


def _ranked(own: Sequence[Rating], generation: Generation) -> set[int]:
    """Return the ids of the ratings that have a place on the club's board today."""
    now = clock.now()
    idle = Params.from_json(generation.params.values).idle_per_day
    return {
        rating.pk
        for rating in own
        if rating.on_club
        and not eligibility.gaps(record_of(rating.subject.size, rating), CLUB, at=now, idle_per_day=idle)
    }


def _near(people: Collection[int]) -> QuerySet[Any, Any]:
    """Return the ids of the subjects with two or more members among `people`.

    Without a join: for one, PostgreSQL reads all subjects.
    """
    links: QuerySet[Any] = Subject.members.through._default_manager.filter(player__in=people)
    return links.values("subject").annotate(found=Count("pk")).filter(found__gt=1).values_list("subject", flat=True)
