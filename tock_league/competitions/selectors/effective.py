"""Effective results, folded from the versions in force."""

from collections.abc import Iterable

from django.db.models import Prefetch, QuerySet

from ..core.effective import Effective, Line, Version, fold
from ..models import Match, ResultLine, ResultVersion


def with_versions(matches: QuerySet[Match]) -> QuerySet[Match]:
    """`matches` with their versions and lines loaded: two queries more, however many matches."""
    return matches.prefetch_related(
        Prefetch("versions", ResultVersion.objects.order_by("version")),
        Prefetch("versions__lines", ResultLine.objects.order_by("position")),
    )


def effective_of(match: Match, versions: Iterable[ResultVersion] | None = None) -> Effective:
    """The match's result; no query when it comes from `with_versions`, else two."""
    rows = versions if versions is not None else match.versions.order_by("version").prefetch_related("lines")
    if versions is None and "versions" in getattr(match, "_prefetched_objects_cache", {}):
        rows = match.versions.all()
    return fold(
        [
            Version(
                row.version,
                row.game_number,
                row.fact,
                tuple(Line(line.position, line.outcome, line.place, line.margin) for line in row.lines.all()),
            )
            for row in rows
        ],
        sides=match.sides,
        best_of=match.best_of,
        play_all=match.mode == Match.Mode.PLAY_ALL,
    )
