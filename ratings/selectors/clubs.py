"""A club's own board, and the board of clubs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from ratings.core.clubs import BEST, LEAST
from ratings.core.eligibility import CLUB
from ratings.core.score import points
from ratings.models import ClubScore, Ladder, Rating, Subject
from tock_league.accounts.models import Player
from tock_league.clubs.models import Club, Membership, TeamPlayer
from tock_league.common.errors import Refused

from .ladders import ladder, live
from .rows import BoardPage, BoardRow, dress

PAGE = 50  # clubs on a page
APART = 60  # clubs without a figure that are listed
BY_KEY = (F("mean_milli").desc(), F("eligible").desc(), F("club_id").asc())


@dataclass(frozen=True)
class ClubRow:
    """A row of the board of clubs."""

    club: Club
    score: int | None  # mean score of the BEST best eligible players, in whole points; None with fewer than LEAST
    counted: int  # number of players in the mean
    eligible: int  # number of eligible players
    missing: int  # how many more eligible players the club needs for a score
    rank: int | None = None  # None without a score
    own: bool = False  # whether it is the viewer's home club


@dataclass(frozen=True)
class ClubsPage:
    """A page of the board of clubs."""

    ladder: Ladder
    rows: Sequence[ClubRow]  # with a figure, by rank
    apart: Sequence[ClubRow]  # without one: on the first page, those closest to it first
    first: int  # position of the first row, from 1; 0 without rows
    total: int  # number of clubs with a figure
    after: int | None = None  # position of the last row, for the next page; None on the last one
    before: int | None = None  # what `after` is for the page before; None on the first one
    more_apart: bool = False  # whether `apart` is cut off
    own: ClubRow | None = None  # the viewer's home club, where this page does not show it

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1


def row_of(score: ClubScore, *, rank: int | None = None, own: bool = False) -> ClubRow:
    """Return the row of a kept figure whose `club` is loaded."""
    mean = score.mean_milli
    return ClubRow(
        club=score.club,
        score=points(round(mean)) if mean is not None else None,
        counted=min(score.eligible, BEST),
        eligible=score.eligible,
        missing=max(0, LEAST - score.eligible),
        rank=rank,
        own=own,
    )


def compared(of: Ladder | str, *, after: str = "", viewer_id: int | None = None) -> ClubsPage:
    """Return a page of the clubs of a ladder. Seven queries at most.

    `of`: the ladder, or its key; raises NotThere for an unknown one. `after`: how many clubs stand before the page;
    raises Refused("page") if it is no number. There are thousands of clubs at most, so that the page is found by its
    position.
    """
    if after and (not after.isdecimal() or len(after) > 9):
        raise Refused("page", field="after", status=404)
    skipped = int(after or 0)
    of = ladder(of) if isinstance(of, str) else of
    scores = ClubScore.objects.filter(generation=live(of), mean_milli__isnull=False)
    page = list(scores.select_related("club").order_by(*BY_KEY)[skipped : skipped + PAGE + 1])
    home = _home(viewer_id)
    rows = [
        row_of(score, rank=skipped + n, own=home is not None and score.club_id == home.pk)
        for n, score in enumerate(page[:PAGE], start=1)
    ]
    apart = [] if skipped else _without_figure(of, home)
    own = None
    if home is not None and not any(row.own for row in (*rows, *apart)):
        own = figure_of(of, home)
    return ClubsPage(
        ladder=of,
        rows=rows,
        apart=apart[:APART],
        first=skipped + 1 if rows else 0,
        total=scores.count(),
        after=skipped + PAGE if len(page) > PAGE else None,
        before=max(0, skipped - PAGE) if skipped else None,
        more_apart=len(apart) > APART,
        own=replace(own, own=True) if own is not None else None,
    )


def with_figure(ladder_key: str, limit: int) -> list[ClubRow]:
    """Return the first `limit` clubs with a figure, by rank. Two queries."""
    scores = ClubScore.objects.filter(generation=live(ladder(ladder_key)), mean_milli__isnull=False)
    rows = scores.select_related("club").order_by(*BY_KEY)[:limit]
    return [row_of(score, rank=n) for n, score in enumerate(rows, start=1)]


def _home(viewer_id: int | None) -> Club | None:
    if viewer_id is None:
        return None
    tie = Membership.objects.filter(player_id=viewer_id, home=True, until__isnull=True).select_related("club").first()
    return tie.club if tie is not None else None


def _without_figure(of: Ladder, home: Club | None) -> list[ClubRow]:
    """Return the clubs without a figure, those with most eligible players first, then by name; one more than APART."""
    kept = ClubScore.objects.filter(generation=live(of), club=OuterRef("pk"))
    clubs = Club.objects.annotate(
        figure=Subquery(kept.values("mean_milli")), eligible=Subquery(kept.values("eligible"))
    )
    return [
        row_of(
            ClubScore(club=club, eligible=club.eligible or 0, mean_milli=None), own=home is not None and club == home
        )
        for club in clubs.filter(figure__isnull=True).order_by(F("eligible").desc(nulls_last=True), "name")[: APART + 1]
    ]


def figure_of(of: Ladder, club: Club) -> ClubRow:
    """Return the club's row of the board of clubs. Two queries."""
    generation = live(of)
    score = ClubScore.objects.filter(generation=generation, club=club).first()
    if score is None or score.mean_milli is None:
        return row_of(ClubScore(club=club, eligible=score.eligible if score is not None else 0, mean_milli=None))
    better = ClubScore.objects.filter(generation=generation, mean_milli__isnull=False).filter(
        Q(mean_milli__gt=score.mean_milli)
        | Q(mean_milli=score.mean_milli, eligible__gt=score.eligible)
        | Q(mean_milli=score.mean_milli, eligible=score.eligible, club__lt=score.club_id)
    )
    score.club = club
    return row_of(score, rank=1 + better.count())


def boards(of: Ladder, club: Club, kinds: Sequence[str], viewer_id: int | None) -> list[BoardPage]:
    """Return the club's own boards: its home members ("player"), its pairs ("team"). A club is small: one page each.

    Home members without a rated game are only listed by name. Eleven queries at most, also for both.
    """
    generation = live(of)
    ties = Membership.objects.filter(club=club, home=True, until__isnull=True).select_related("player")
    people = {tie.player_id: tie.player for tie in ties}
    ratings = Rating.objects.filter(generation=generation, listed=True).select_related("subject").defer("meetings")
    found: list[Rating] = []
    # Two statements: for one with OR, PostgreSQL reads every rating of the ladder.
    if Subject.Kind.PLAYER in kinds:
        found += ratings.filter(subject__key__in=[str(pk) for pk in people])
    if Subject.Kind.TEAM in kinds:
        found += ratings.filter(subject__in=_pairs_near(club, people))
    found.sort(key=lambda rating: (-rating.score_milli, rating.subject_id))
    rows = dress(found, board=CLUB, generation=generation, viewer_id=viewer_id)
    shown = [(row, rating) for row, rating in zip(rows, found, strict=True) if _is_of(club, people, row)]
    return [_page(of, kind, [each for each in shown if each[0].kind == kind], people) for kind in kinds]


def _is_of(club: Club, people: Mapping[int, Player], row: BoardRow) -> bool:
    """Return whether a row is one of the club: a home member, its team, or a pair at home here without a club's team."""
    if row.kind == Subject.Kind.PLAYER or (row.team is not None and row.team.club_id == club.pk):
        return True
    is_home = all(person.pk in people for person in row.players)
    return is_home and (row.team is None or row.team.club_id is None)


def _page(of: Ladder, kind: str, shown: Sequence[tuple[BoardRow, Rating]], people: Mapping[int, Player]) -> BoardPage:
    standing = [row for row, rating in shown if rating.on_club and not row.gaps]
    ranked: list[BoardRow] = []
    for position, row in enumerate(standing, start=1):
        tie = ranked and ranked[-1].score_milli == row.score_milli
        ranked.append(replace(row, rank=ranked[-1].rank if tie else position))
    played = {person.pk for row, _rating in shown for person in row.players}
    unplayed = [people[pk] for pk in people if pk not in played] if kind == Subject.Kind.PLAYER else []
    return BoardPage(
        ladder=of,
        kind=kind,
        rows=ranked,
        apart=[row for row, rating in shown if not rating.on_club or row.gaps],
        after="",
        first=1 if ranked else 0,
        total=len(ranked),
        unplayed=sorted(unplayed, key=lambda person: person.display_name),
    )


def _pairs_near(club: Club, people: Collection[int]) -> set[int]:
    """Return the ids of the teams whose members are all at home in the club, or all were in its teams. Two queries."""
    squads = TeamPlayer.objects.filter(team__club=club).values("player")
    return set(_within(people)) | set(_within(squads))


def _within(players: Any) -> QuerySet[Any, Any]:
    links: QuerySet[Any] = Subject.members.through._default_manager.filter(
        player__in=players, subject__kind=Subject.Kind.TEAM
    )
    counted = links.values("subject").annotate(found=Count("pk"))
    return counted.filter(found=F("subject__size")).values_list("subject", flat=True)
