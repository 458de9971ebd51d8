"""Reads about seasons that have ended: their frozen boards, paged by key, and the final places of a player or a pair."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BigIntegerField, Q, QuerySet

from ratings.core.score import points
from ratings.models import Ladder, LadderSeason, SeasonSnapshot
from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere, Refused

from .words import ladder_name

PAGE = 50
BEFORE = "before:"  # as boards.BEFORE
PLACES = 20  # final places on a profile


@dataclass(frozen=True)
class Named:
    """A player under the name of that time; `slug` leads to the player's present page."""

    name: str
    slug: str


@dataclass(frozen=True)
class FrozenRow:
    """A row of a frozen board; figures are in whole points."""

    rank: int
    subject_id: int
    team: str  # the team's name then, "" for none
    players: tuple[Named, ...]
    score: int
    margin: int  # half width of the 95 % interval
    games: int
    wins: int
    own: bool = False  # whether the viewer is one of the players

    @property
    def name(self) -> str:
        """The team's name then, else the players' names."""
        return self.team or self.names

    @property
    def names(self) -> str:
        return " – ".join(player.name for player in self.players)


@dataclass(frozen=True)
class FrozenPage:
    """A page of a frozen board."""

    season: LadderSeason
    ladder: Ladder
    kind: str
    rows: Sequence[FrozenRow]
    before: str  # the key of the page before; "" on the first page
    after: str  # the key of the next page; "" on the last page


@dataclass(frozen=True)
class Place:
    """The final place of a player or a pair in a season."""

    season: LadderSeason
    ladder: Ladder
    ladder_name: str
    kind: str
    rank: int
    score: int
    name: str
    ended_at: datetime


def seasons(of: Ladder) -> list[LadderSeason]:
    """Return the ladder's ended seasons, latest first. One query."""
    return list(LadderSeason.objects.filter(ladder=of, done_at__isnull=False))


def season(of: Ladder, slug: str) -> LadderSeason:
    """Return an ended season of the ladder; raise NotThere for an unknown one, or one that is still being frozen."""
    found = LadderSeason.objects.filter(ladder=of, slug=slug, done_at__isnull=False).first()
    if found is None:
        raise NotThere
    return found


def waiting() -> list[LadderSeason]:
    """Return the seasons that a worker has not frozen yet. One query."""
    return list(LadderSeason.objects.filter(done_at__isnull=True).select_related("ladder"))


def frozen(
    of: Ladder, slug: str, kind: str, *, after: str = "", limit: int = PAGE, viewer_id: int | None = None
) -> FrozenPage:
    """Return a page of the frozen board of `kind` (player or team) of a season.

    `after`: the key of another page; raises Refused `page` if it is malformed. Four queries at most.
    """
    found = season(of, slug)
    rows = SeasonSnapshot.objects.filter(season=found, kind=kind)
    backwards, key = _parsed(after)
    if key is None:
        page = list(rows.order_by("rank", "subject_id")[: limit + 1])
        has_before, has_after = False, len(page) > limit
    elif backwards:
        rank, subject = key
        earlier = rows.filter(Q(rank__lte=rank) & (Q(rank__lt=rank) | Q(subject_id__lt=subject)))
        page = list(earlier.order_by("-rank", "-subject_id")[: limit + 1])
        has_before, has_after = len(page) > limit, True
        page = page[:limit][::-1]
    else:
        rank, subject = key
        later = rows.filter(Q(rank__gte=rank) & (Q(rank__gt=rank) | Q(subject_id__gt=subject)))
        page = list(later.order_by("rank", "subject_id")[: limit + 1])
        has_before, has_after = True, len(page) > limit
    page = page[:limit]
    return FrozenPage(
        season=found,
        ladder=of,
        kind=kind,
        rows=_rows(page, viewer_id),
        before=BEFORE + _key(page[0]) if has_before and page else "",
        after=_key(page[-1]) if has_after and page else "",
    )


def places(player_id: int) -> list[Place]:
    """Return the final places of a player, and of the player's pairs, in seasons; the latest first. One query."""
    rows = SeasonSnapshot.objects.filter(subject__members=player_id, season__done_at__isnull=False)
    return _places(rows)


def places_of(subject_id: int) -> list[Place]:
    """Return the final places of one subject in seasons; the latest first. One query."""
    return _places(SeasonSnapshot.objects.filter(subject=subject_id, season__done_at__isnull=False))


def _places(rows: QuerySet[SeasonSnapshot]) -> list[Place]:
    rows = rows.select_related("season__ladder").order_by("-season__frozen_at", "season", "kind", "rank")[:PLACES]
    found = []
    for row in rows:
        ladder, season = row.season.ladder, row.season
        assert season.frozen_at is not None
        name = row.team or " – ".join((row.names or {}).values())
        called = ladder_name(ladder.family, ladder.teams)
        found.append(Place(season, ladder, called, row.kind, row.rank, points(row.score_milli), name, season.frozen_at))
    return found


def _rows(page: Sequence[SeasonSnapshot], viewer_id: int | None) -> list[FrozenRow]:
    """Return the rows with the present addresses of their players. One query."""
    people = {int(pk) for row in page for pk in row.names or {}}
    slugs = dict(Player.objects.filter(pk__in=people).values_list("pk", "slug"))
    return [
        FrozenRow(
            rank=row.rank,
            subject_id=row.subject_id,
            team=row.team or "",
            players=tuple(Named(name, slugs.get(int(pk), "")) for pk, name in (row.names or {}).items()),
            score=points(row.score_milli),
            margin=row.margin or 0,
            games=row.games,
            wins=row.wins,
            own=viewer_id is not None and str(viewer_id) in (row.names or {}),
        )
        for row in page
    ]


def _key(row: SeasonSnapshot) -> str:
    return f"{row.rank}.{row.subject_id}"


def _parsed(after: str) -> tuple[bool, tuple[int, int] | None]:
    """Return whether the key is of the row after the page, and its rank and subject; None for the first page."""
    if not after:
        return False, None
    rank, _dot, subject = after.removeprefix(BEFORE)[:60].partition(".")
    try:
        key = int(rank), int(subject)
    except ValueError:
        raise Refused("page", field="after", status=404) from None
    if max(map(abs, key)) > BigIntegerField.MAX_BIGINT or abs(key[0]) > 2**31 - 1:
        raise Refused("page", field="after", status=404)
    return after.startswith(BEFORE), key
