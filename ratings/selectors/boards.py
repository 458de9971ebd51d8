"""Leaderboards: a page of a ladder, and the first rows of every ladder.

Pages are read by key instead of OFFSET; ranks are counted from the histogram. So a page costs the same at any depth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import BigIntegerField, OuterRef, QuerySet, Subquery, Sum

from ratings.core.eligibility import GLOBAL
from ratings.models import ClubScore, Generation, Ladder, RankBucket, Rating, Subject
from tock_league.clubs.models import Club
from tock_league.common.errors import Refused

from . import club_lists, clubs
from .ladders import ladder, live
from .ranks import BY_KEY, Place, not_after, not_before, place_of, ranks_of, with_shared
from .rows import BoardPage, NamedRow, dress, named
from .search import called

PAGE = 40  # rows per page
APART = 10  # unranked rows below the ranked ones; `unranked` has all of them
ABOVE = 10  # rows above the viewer's own on the page that shows it
BEFORE = "before:"  # a key with this prefix is that of the first row after the page


def board(
    of: Ladder | str,
    kind: str,
    club: Club | None = None,
    *,
    after: str = "",
    limit: int = PAGE,
    name: str = "",
    viewer_id: int | None = None,
    with_apart: bool = True,
) -> BoardPage:
    """Return a page of a ladder's board of `kind` (player or team), or the first `limit` rows of `club`'s.

    `of`: the ladder, or its key; raises NotThere for an unknown one. `after`: BoardPage.after, before or own_page of
    another page; raises Refused("page") if it is malformed or
    leads beyond the board. `name`: only subjects with this text in a name, at most
    `limit` of them. `with_apart`: whether the first page lists those without a rank. At most nine queries, four more for
    a viewer who is elsewhere on the board, and four for a search.
    """
    of = ladder(of) if isinstance(of, str) else of
    if club is not None:
        return club_lists.boards(of, club, (kind,), limit=limit, viewer_id=viewer_id).pages[kind]
    generation = live(of)
    rows = _rows(generation, kind)
    if name:
        return _found(of, rows, kind, name, limit, viewer_id)
    ranked = rows.filter(on_global=True)
    backwards, key = _parsed(after)
    page, has_before, has_after = _page(ranked, key, backwards, limit)
    if after and not page:  # beyond an end of the board
        raise Refused("page", field="after", status=404)
    apart = (
        []
        if after or not with_apart
        else list(rows.filter(on_global=False, listed=True).order_by(*BY_KEY)[: APART + 1])
    )
    own = _own(rows, viewer_id) if kind == Subject.Kind.PLAYER else None
    shown = {row.subject_id for row in (*page, *apart[:APART])}
    extra = [own] if own is not None and own.subject_id not in shown else []
    made = dress([*page, *apart[:APART], *extra], board=GLOBAL, generation=generation, viewer_id=viewer_id)
    listed, aside, more = made[: len(page)], made[len(page) : len(page) + len(apart[:APART])], made[len(shown) :]
    place = Place(0, 0, 0)
    if page:
        # The first row of the first page needs no counting.
        place = place_of(page[0]) if after else Place(1, 0, _total(generation, kind))
    ranks = with_shared((row.score_milli for row in page), place.rank, place.before)
    own_row = next((row for row in (*listed, *aside, *more) if row.own), None)
    own_page = ""
    if extra and own is not None and own.on_global:
        own_row = replace(more[0], rank=place_of(own).rank)
        own_page = _around(ranked, own)
    return BoardPage(
        ladder=of,
        kind=kind,
        rows=[replace(row, rank=rank) for row, rank in zip(listed, ranks, strict=True)],
        apart=aside,
        after=_key(page[-1]) if has_after else "",
        before=BEFORE + _key(page[0]) if has_before else "",
        first=place.rank + place.before,
        total=place.total,
        more_apart=len(apart) > APART,
        own=own_row,
        own_page=own_page,
    )


def unranked(of: Ladder | str, kind: str, *, after: str = "", viewer_id: int | None = None) -> BoardPage:
    """Return a page of those who have no place on a ladder's board of `kind`, highest score first.

    `of`, `after`: as `board`, with the same errors. At most six queries.
    """
    of = ladder(of) if isinstance(of, str) else of
    generation = live(of)
    backwards, key = _parsed(after)
    aside = _rows(generation, kind).filter(on_global=False, listed=True)
    page, has_before, has_after = _page(aside, key, backwards, PAGE)
    if after and not page:
        raise Refused("page", field="unranked", status=404)
    return BoardPage(
        ladder=of,
        kind=kind,
        rows=[],
        apart=dress(page, board=GLOBAL, generation=generation, viewer_id=viewer_id),
        after=_key(page[-1]) if has_after else "",
        before=BEFORE + _key(page[0]) if has_before else "",
        first=0,
        total=0,
        is_unranked=True,
    )


def _rows(generation: Generation, kind: str) -> QuerySet[Rating]:
    """Return the ratings with their subjects; without the meetings, which are kilobytes for a veteran."""
    return Rating.objects.filter(generation=generation, kind=kind).select_related("subject").defer("meetings")


def _page(
    ranked: QuerySet[Rating], key: tuple[int, int] | None, backwards: bool, limit: int
) -> tuple[list[Rating], bool, bool]:
    """Return the rows after the key, or before it, and whether there are rows before and after them."""
    if key is None:
        page = list(ranked.order_by(*BY_KEY)[: limit + 1])
        return page[:limit], False, len(page) > limit
    if backwards:
        page = list(ranked.filter(not_after(*key)).order_by("score_milli", "-subject_id")[: limit + 1])
        return page[:limit][::-1], len(page) > limit, True
    page = list(ranked.filter(not_before(*key)).order_by(*BY_KEY)[: limit + 1])
    return page[:limit], True, len(page) > limit


def _found(of: Ladder, rows: QuerySet[Rating], kind: str, name: str, limit: int, viewer_id: int | None) -> BoardPage:
    """Return those who are called like `name`: with their ranks on the whole board, and those without one."""
    generation = live(of)
    some = called(rows.filter(listed=True), kind, name)
    page = list(some.filter(on_global=True).order_by(*BY_KEY)[: limit + 1])
    apart = list(some.filter(on_global=False).order_by(*BY_KEY)[: APART + 1])
    made = dress([*page[:limit], *apart[:APART]], board=GLOBAL, generation=generation, viewer_id=viewer_id)
    ranks = ranks_of(generation, kind, page[:limit])
    return BoardPage(
        ladder=of,
        kind=kind,
        rows=[replace(row, rank=ranks[row.subject_id]) for row in made[: len(page[:limit])]],
        apart=made[len(page[:limit]) :],
        after="",
        first=0,
        total=_total(generation, kind),
        more_apart=len(apart) > APART,
        more_found=len(page) > limit,
    )


def _total(generation: Generation, kind: str) -> int:
    return RankBucket.objects.filter(generation=generation, kind=kind).aggregate(n=Sum("count"))["n"] or 0


def _own(rows: QuerySet[Rating], viewer_id: int | None) -> Rating | None:
    return rows.filter(subject__key=str(viewer_id)).first() if viewer_id is not None else None


def _around(ranked: QuerySet[Rating], own: Rating) -> str:
    """Return the key of the page on which `own` has ABOVE rows above it; "" for the first page."""
    above = ranked.filter(not_after(own.score_milli, own.subject_id)).order_by("score_milli", "-subject_id")
    found = list(above[ABOVE : ABOVE + 1])
    return _key(found[0]) if found else ""


def _key(row: Rating) -> str:
    return f"{row.score_milli}.{row.subject_id}"


def _parsed(after: str) -> tuple[bool, tuple[int, int] | None]:
    """Return whether the key is of the row after the page, and its score and subject; None for the first page."""
    if not after:
        return False, None
    score, _dot, subject = after.removeprefix(BEFORE).partition(".")
    try:
        key = int(score), int(subject)
    except ValueError:
        raise Refused("page", field="after", status=404) from None
    if max(map(abs, key)) > BigIntegerField.MAX_BIGINT:
        raise Refused("page", field="after", status=404)
    return after.startswith(BEFORE), key


@dataclass(frozen=True)
class Top:
    """The first rows of a ladder's boards, each with the number of the rows that it may show."""

    ladder: Ladder
    pairs: Sequence[NamedRow]
    players: Sequence[NamedRow]
    clubs: Sequence[clubs.ClubRow]


def tops(rows: int) -> list[Top]:
    """Return the first `rows` rows of every ladder's boards, by the ladder's name. Five queries for any number of ladders."""
    clubs_scores = ClubScore.objects.filter(generation=OuterRef("generation"), mean_milli__isnull=False)
    sources: dict[str, QuerySet[Any]] = {
        "team": _firsts(Subject.Kind.TEAM),
        "player": _firsts(Subject.Kind.PLAYER),
        "club": clubs_scores.order_by(*clubs.BY_KEY),
    }
    names = {f"{what}{n}": n for what in sources for n in range(rows)}
    found = list(
        Ladder.objects.select_related("generation__params")
        .annotate(**{name: Subquery(sources[name.rstrip('0123456789')].values("pk")[n : n + 1]) for name, n in names.items()})
        .order_by("family", "teams")
    )  # fmt: skip
    keys = {name: [getattr(one, name) for one in found] for name in names}
    wanted = [pk for name, some in keys.items() if not name.startswith("club") for pk in some if pk is not None]
    ratings = list(Rating.objects.filter(pk__in=wanted).select_related("subject").defer("meetings"))
    rows_by_rating = {rating.pk: row for rating, row in zip(ratings, named(ratings), strict=True)}
    of_clubs = [pk for name, some in keys.items() if name.startswith("club") for pk in some if pk is not None]
    scores = ClubScore.objects.select_related("club").in_bulk(of_clubs)

    def of(one: Ladder, what: str) -> list[int]:
        return [pk for n in range(rows) if (pk := getattr(one, f"{what}{n}")) is not None]

    return [
        Top(
            ladder=one,
            pairs=[rows_by_rating[pk] for pk in of(one, "team")],
            players=[rows_by_rating[pk] for pk in of(one, "player")],
            clubs=[clubs.row_of(scores[pk]) for pk in of(one, "club")],
        )
        for one in found
    ]


def _firsts(kind: str) -> QuerySet[Rating]:
    ranked = Rating.objects.filter(generation=OuterRef("generation"), kind=kind, on_global=True)
    return ranked.order_by(*BY_KEY)
