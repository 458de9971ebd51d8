"""Shows what a service changes by running it: a preview and its execution are the same code.

`preview_of` runs the service in a transaction that is rolled back. The execution runs it again and compares what it
did with the digest that the person has seen (`Watch`). See docs/decisions/0021.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from ratings.models import ON_PAPER, RatedResult
from tock_league.common import clock
from tock_league.common.errors import Conflict
from tock_league.common.transactions import rolled_back, writing

from ...models import Competition, Match, MatchGame
from ...selectors.changes.observed import difference, observe
from ...selectors.changes.previews import Preview, ratings_of, rows_of
from ..shared.locking import lock_competition

Result = TypeVar("Result")


class Watch:
    """Compares a competition before and after a service. Make it inside `clock.held()` and the open transaction, with
    the competition locked."""

    def __init__(self, competition: Competition) -> None:
        self._competition = competition
        self._instant = clock.now()
        self._before = observe(competition)
        self._last = RatedResult.objects.aggregate(last=Max("pk"))["last"] or 0

    def preview(self, *, ratings: bool = True) -> Preview:
        """Return what has changed since the watch began.

        `ratings`: whether to replay the ratings; without it the rows name none, and the digest is the same.
        """
        after = observe(self._competition)
        facts: dict[str, Any] = difference(self._before, after, self._instant)
        written = self._written()
        if written:
            facts["ratings"] = [[row.source, row.kind, list(row.ranks), row.rated] for row in written]
        rows = rows_of(self._before, after, self._instant)
        ladders = [row.ladder.key for row in written] if ratings else []
        moved, others = ratings_of(ladders, self._last)
        return Preview((*rows, *moved), facts, others)

    def _written(self) -> list[RatedResult]:
        """Return the rows that the rating log got for games of this competition, without the starts of newcomers."""
        new = RatedResult.objects.filter(pk__gt=self._last).exclude(kind=RatedResult.Kind.SEED)
        rows = list(new.select_related("ladder").order_by("source", "revision"))
        if not rows:
            return []
        matches = Match.objects.filter(competition=self._competition)
        games = {str(pk) for pk in MatchGame.objects.filter(match__in=matches).values_list("game_id", flat=True)}
        games |= {str(pk) for pk in matches.filter(table__games__isnull=False).values_list("table__games", flat=True)}
        slugs = set(matches.values_list("slug", flat=True))
        return [row for row in rows if row.source in games or _slug(row.source) in slugs]


def preview_of(competition: Competition, service: Callable[[], object]) -> Preview:
    """Return what `service` would change now; it is run and rolled back. Raises what the service raises."""
    with rolled_back(), clock.held():
        watch = Watch(lock_competition(competition.pk))
        service()
        made = watch.preview()
    return made


def as_seen(competition: Competition, digest: str, service: Callable[[], Result]) -> Result:
    """Run `service` for good, if it changes what the preview with this digest showed; return what it returns.

    Raises Conflict `preview_moved` when it would change something else, and nothing is written; else what the service
    raises.
    """
    with writing(), clock.held():
        watch = Watch(lock_competition(competition.pk))
        made = service()
        check(watch.preview(ratings=False).digest, digest)
        return made


def check(digest: str, seen: str) -> None:
    """Raise Conflict `preview_moved` unless `digest` is the one that the person has seen."""
    if digest != seen:
        raise Conflict(
            "preview_moved", _("Something has changed since the preview. Look at it again, then sign."), digest=digest
        )


def _slug(source: str) -> str:
    """Return the match that a game on paper belongs to, from its name in the log; "" for another game."""
    return source.removeprefix(ON_PAPER).partition(":")[0] if source.startswith(ON_PAPER) else ""
