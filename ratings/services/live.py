"""The live path: new games update the live generation within seconds of their end.

Locking. A transaction that writes states of a ladder (a batch of games, a switch of generations, an expiry) locks the
ladder's row with `select_for_update`, after all other locks; on SQLite the process's write lock is enough. The log is
written without this lock. Games that end within the same second may commit out of order, so an entry is applied only
SETTLE after it was written. An entry that is even later marks the ladder dirty, and a recomputation applies it at its
place.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError
from django.db.models import QuerySet

from ratings.core.engines import engine_for
from ratings.models import Ladder, RatedResult, Rating, Subject, WaitingResult
from tock_league.common import clock, outbox
from tock_league.common.transactions import writing

from . import club_scores
from .ladders import locked, params_of
from .states import Histogram, advance, set_flags

log = logging.getLogger(__name__)

SETTLE = timedelta(seconds=1)  # minimum age of an entry
BATCH = 20  # maximum number of entries per transaction: others wait for SQLite's write lock meanwhile
IN_ORDER = (RatedResult.Kind.RESULT, RatedResult.Kind.SEED)  # kinds that can be appended without a recomputation


@dataclass(frozen=True, slots=True)
class Rated:
    """The result of one call of `rate_waiting`."""

    applied: int  # entries applied
    changes: int  # RatingChange rows written
    resting: timedelta | None  # time until the next waiting entry is old enough; None if no entry is left
    dirty: bool  # whether the ladder needs a recomputation


def rate_waiting(*, ladder_key: str, settle: timedelta = SETTLE) -> Rated:
    """Apply the waiting entries of a ladder in the order of their keys, at most BATCH, in one transaction.

    Only entries older than `settle`. Idempotent: an entry is applied once. An entry that cannot be appended (late, or a
    correction) marks the ladder dirty instead. If the transaction fails, its entries are applied one by one, and one that
    cannot be applied goes on waiting; the database's own failures are raised.
    """
    try:
        return _rate(ladder_key, settle)
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("ladder %s: the waiting results are applied one by one", ladder_key)
        return _one_by_one(ladder_key, settle)


def _one_by_one(ladder_key: str, settle: timedelta) -> Rated:
    """Apply as many entries as `rate_waiting` does, each in a transaction of its own."""
    some = list(_waiting(Ladder.objects.get(key=ladder_key))[:BATCH])
    applied = changes = 0
    rated = Rated(0, 0, None, dirty=False)
    for row in some:
        try:
            rated = _rate(ladder_key, settle, only=row.pk)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            log.exception("ladder %s: %s is left out", ladder_key, row.result)
            continue
        if rated.resting is not None:
            return Rated(applied, changes, rated.resting, rated.dirty)
        applied, changes = applied + rated.applied, changes + rated.changes
    more = timedelta(0) if applied and len(some) == BATCH else None
    return Rated(applied, changes, more, rated.dirty)


def _waiting(ladder: Ladder) -> QuerySet[WaitingResult]:
    """Return the entries of the ladder that are not applied, in the order of their keys."""
    rows = WaitingResult.objects.filter(ladder=ladder).select_related("result")
    return rows.order_by("result__completed_at", "result__source", "result__revision")


def _rate(ladder_key: str, settle: timedelta, *, only: int | None = None) -> Rated:
    """Apply waiting entries in one transaction, or only the one of this key."""
    with writing():
        ladder = locked(ladder_key)
        now = clock.now()
        generation = ladder.generation
        assert generation is not None
        found = _waiting(ladder)
        waiting = list(found[: BATCH + 1] if only is None else found.filter(pk=only))
        more = len(waiting) > BATCH
        ready: list[RatedResult] = []
        resting: timedelta | None = None
        done: list[WaitingResult] = []
        for row in waiting[:BATCH]:
            age = now - row.result.created_at
            if age < settle:
                # Later entries wait as well, to keep the order.
                resting = settle - age
                break
            done.append(row)
        formers = merged_in(ladder, [row.result for row in done])
        for row in done:
            result = row.result
            is_next = _in_order(result, generation.applied_at, generation.applied_source)
            if is_next and not formers & {person for side in result.sides for person in side}:
                ready.append(result)
            else:
                _mark_dirty(ladder, result.completed_at)
        changes = advance(generation, ready, engine_for(params_of(generation.params)), now=now) if ready else 0
        if done:
            outbox.done(*(row.outbox_id for row in done))
            WaitingResult.objects.filter(pk__in=[row.pk for row in done]).delete()
        if resting is None and more:
            resting = timedelta(0)
        return Rated(len(ready), changes, resting, ladder.dirty_from is not None)


def _in_order(row: RatedResult, at: datetime | None, source: str) -> bool:
    """Return whether the row can be appended after the last applied entry (`at`, `source`)."""
    if row.revision > 1 or row.kind not in IN_ORDER:
        return False
    return at is None or (row.completed_at, row.source) > (at, source)


def merged_in(ladder: Ladder, rows: Iterable[RatedResult]) -> set[int]:
    """Return the players in `rows` who were given up in a merge, and so play under another id. One query."""
    people = {person for row in rows for side in row.sides for person in side}
    if not people:
        return set()
    sources = RatedResult.objects.filter(ladder=ladder, source__in=[f"merge:{person}" for person in people], revision=1)
    return {int(source.removeprefix("merge:")) for source in sources.values_list("source", flat=True)}


def _mark_dirty(ladder: Ladder, since: datetime) -> None:
    if ladder.dirty_from is None or since < ladder.dirty_from:
        ladder.dirty_from = since
        ladder.save(update_fields=["dirty_from"])


def ladders_waiting() -> list[str]:
    """Return the keys of the ladders with entries that are not applied, for the periodic task."""
    return list(Ladder.objects.filter(waiting__isnull=False).distinct().values_list("key", flat=True))


def ladders_dirty() -> list[str]:
    """Return the keys of the ladders that need a recomputation."""
    return list(Ladder.objects.filter(dirty_from__isnull=False).values_list("key", flat=True))


def expire_boards() -> int:
    """Remove rows from the boards whose place has expired; return how many rows were checked.

    A place expires through inactivity, and when the subject was listed or hidden by a game of another ladder.
    """
    now = clock.now()
    looked_at = 0
    due = Rating.objects.filter(eligible_until__lte=now, generation__state="live")
    for key in list(due.values_list("generation__ladder__key", flat=True).distinct().order_by()):
        with writing():
            ladder = locked(key)
            generation = ladder.generation
            assert generation is not None
            idle_per_day = params_of(generation.params).idle_per_day
            histogram, moved = Histogram(), set()
            rows = list(Rating.objects.filter(generation=generation, eligible_until__lte=now).select_related("subject"))
            for row in rows:
                stood = row.on_club, row.on_global
                set_flags(row, row.subject, now=now, idle_per_day=idle_per_day)
                histogram.count(row.kind, row.score_milli, row.on_global - stood[1])
                if row.on_club != stood[0] and row.kind == Subject.Kind.PLAYER:
                    moved.add(row.subject_id)
            Rating.objects.bulk_update(rows, ["listed", "on_club", "on_global", "eligible_until"], batch_size=500)
            histogram.write(generation)
            club_scores.count_again(generation, club_scores.clubs_of(moved))
            looked_at += len(rows)
    return looked_at
