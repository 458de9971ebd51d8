"""The board of clubs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import F, OuterRef, Q, Subquery

from ratings.core.clubs import BEST, LEAST
from ratings.core.score import points
from ratings.models import ClubScore, Ladder
from tock_league.clubs.models import Club, Membership
from tock_league.common.errors import Refused

from .ladders import ladder, live

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
