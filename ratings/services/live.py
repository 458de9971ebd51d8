"""The live path: new games move the live generation, within seconds of their end.

The locking story. Whoever writes states of a ladder holds its row (`select_for_update`; on SQLite the process's write
lock is enough), takes it last of all locks, and for one transaction: a batch of games, a switch of generations, an expiry.
The log is written without it. Games that end within the same second may commit out of order, so an entry rests SETTLE
before it is applied; one that comes even later marks the ladder dirty, and a recomputation puts it in its place.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from ratings.core.engines import engine_for
from ratings.models import Ladder, RatedResult, Rating, WaitingResult
from tock_league.common import clock, outbox
from tock_league.common.transactions import writing

from .ladders import params_of
from .states import Histogram, advance, set_flags

SETTLE = timedelta(seconds=1)
BATCH = 200
IN_ORDER = (RatedResult.Kind.RESULT, RatedResult.Kind.SEED)


@dataclass(frozen=True, slots=True)
class Rated:
    """What one call did: `applied` entries and `changes` written; `resting`: how long the next one still has to rest,
    None when none is left; `dirty`: whether the ladder needs a recomputation."""

    applied: int
    changes: int
    resting: timedelta | None
    dirty: bool


def locked(key: str) -> Ladder:
    """Return the ladder's row, held until the transaction ends."""
    return (
        Ladder.objects.select_for_update(of=("self",)).select_related("generation", "generation__params").get(key=key)
    )


def rate_waiting(*, ladder_key: str, settle: timedelta = SETTLE) -> Rated:
    """Apply the waiting entries of a ladder in the order of their keys, at most BATCH, in one transaction.

    Safe to call at any time and any number of times: an entry is applied once or not at all.
    """
    with writing():
        ladder = locked(ladder_key)
        now = clock.now()
        generation = ladder.generation
        assert generation is not None
        waiting = list(
            WaitingResult.objects.filter(ladder=ladder)
            .select_related("result")
            .order_by("result__completed_at", "result__source", "result__revision")[: BATCH + 1]
        )
        more = len(waiting) > BATCH
        ready: list[RatedResult] = []
        resting: timedelta | None = None
        done: list[WaitingResult] = []
        for row in waiting[:BATCH]:
            age = now - row.result.created_at
            if age < settle:
                # Whoever comes after it in the order rests with it, or it would be late.
                resting = settle - age
                break
            done.append(row)
            if _in_order(row.result, generation.applied_at, generation.applied_source):
                ready.append(row.result)
            else:
                _mark_dirty(ladder, row.result.completed_at)
        changes = advance(generation, ready, engine_for(params_of(generation.params)), now=now)
        for row in done:
            outbox.done(row.outbox_id)
        WaitingResult.objects.filter(pk__in=[row.pk for row in done]).delete()
        if resting is None and more:
            resting = timedelta(0)
        return Rated(len(ready), changes, resting, ladder.dirty_from is not None)


def _in_order(row: RatedResult, at: datetime | None, source: str) -> bool:
    """Return whether the row can simply be added after the last applied entry."""
    if row.revision > 1 or row.kind not in IN_ORDER:
        return False
    return at is None or (row.completed_at, row.source) > (at, source)


def _mark_dirty(ladder: Ladder, since: datetime) -> None:
    if ladder.dirty_from is None or since < ladder.dirty_from:
        ladder.dirty_from = since
        ladder.save(update_fields=["dirty_from"])


def ladders_waiting() -> list[str]:
    """Return the keys of the ladders with entries that are not applied: what the sweep looks for."""
    return list(Ladder.objects.filter(waiting__isnull=False).distinct().values_list("key", flat=True))


def ladders_dirty() -> list[str]:
    """Return the keys of the ladders that need a recomputation."""
    return list(Ladder.objects.filter(dirty_from__isnull=False).values_list("key", flat=True))


def expire_boards() -> int:
    """Take rows off the boards whose place has ended (nobody played for too long); answer how many were looked at."""
    now = clock.now()
    looked_at = 0
    due = Rating.objects.filter(eligible_until__lte=now, generation__state="live")
    for key in list(due.values_list("generation__ladder__key", flat=True).distinct().order_by()):
        with writing():
            ladder = locked(key)
            generation = ladder.generation
            assert generation is not None
            idle_per_day = params_of(generation.params).idle_per_day
            histogram = Histogram()
            rows = list(Rating.objects.filter(generation=generation, eligible_until__lte=now).select_related("subject"))
            for row in rows:
                stood = row.on_global
                set_flags(row, row.subject, now=now, idle_per_day=idle_per_day)
                if stood and not row.on_global:
                    histogram.count(row.kind, row.score_milli, -1)
            Rating.objects.bulk_update(rows, ["on_club", "on_global", "eligible_until"], batch_size=500)
            histogram.write(generation)
            looked_at += len(rows)
    return looked_at
