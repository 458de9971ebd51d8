"""Recomputation of a ladder: build generation g+1 beside g, then switch the ladder's pointer in one transaction.

Meanwhile g stays live: it is read, and new games update it. A crash at any point leaves g live, and the next attempt
deletes the rows of g+1. Readers see g or g+1, never a mixture.

One process at a time recomputes a ladder (common.alone): a second one would take the rows of the first for those of a
crash. A request that comes meanwhile joins it: what it wants applied is in the log, and either the running computation
reads it or the ladder stays dirty, so that the sweep begins the next one. A switch therefore never waits for a moment
without corrections.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from datetime import timedelta
from itertools import chain

from ratings.core import recompute as core
from ratings.core.engines import RatingEngine, engine_for
from ratings.models import (
    ClubScore,
    Generation,
    Ladder,
    RankBucket,
    RatedResult,
    Rating,
    RatingChange,
    RatingParams,
    WaitingResult,
)
from ratings.selectors.log import entry_of
from tock_league.common import clock, outbox
from tock_league.common.alone import alone
from tock_league.common.garbage import collected_seldom
from tock_league.common.transactions import writing

from . import club_scores
from .building import Built, build
from .ladders import locked, params_of
from .live import IN_ORDER, merged_in
from .states import advance, members_of, state_of

ATTEMPTS = 5
PAUSE_S = 0.5  # between two looks whether another process has finished
CHUNK = 2000
# How long the rows of a generation are kept after a newer one than its successor is live: no page takes as long to make.
READ_FOR = timedelta(minutes=2)


def rebuild(*, ladder_key: str, cause: str, params: RatingParams | None = None) -> Generation:
    """Recompute the ladder from its log and switch to the result; return the new live generation.

    `cause`: shown to staff, such as "late result". `params`: the version of the parameters to switch to; None keeps the
    ladder's. Waits while another process recomputes the ladder.
    """
    while (made := rebuild_if_free(ladder_key=ladder_key, cause=cause, params=params)) is None:
        clock.pause(PAUSE_S)
    return made


def rebuild_if_free(*, ladder_key: str, cause: str, params: RatingParams | None = None) -> Generation | None:
    """As `rebuild`; None, with nothing done, where another process is at it.

    Repeated, at most ATTEMPTS times, while corrections arrive during the computation. After the last one the ladder may
    still be dirty.
    """
    with alone(f"ladder {ladder_key}") as ours, collected_seldom():
        if not ours:
            return None
        for _attempt in range(ATTEMPTS):
            generation, is_whole = _rebuild(ladder_key, cause, params)
            if is_whole:
                break
        return generation


def _rebuild(ladder_key: str, cause: str, params: RatingParams | None) -> tuple[Generation, bool]:
    """Return the new live generation, and whether everything in the log is applied to it."""
    ladder = Ladder.objects.get(key=ladder_key)
    _forget(Generation.objects.filter(ladder=ladder, state=Generation.State.BUILDING))
    chosen = params if params is not None else ladder.params
    generation = _begin(ladder_key, cause, chosen)
    engine = engine_for(params_of(chosen))
    is_whole = _switch(ladder_key, generation, build(generation, engine), engine)
    _forget(_unread(ladder))
    generation.refresh_from_db()
    return generation, is_whole


def _begin(ladder_key: str, cause: str, params: RatingParams) -> Generation:
    with writing():
        ladder = locked(ladder_key)
        last = Generation.objects.filter(ladder=ladder).order_by("-number")[0]
        return Generation.objects.create(
            ladder=ladder,
            number=last.number + 1,
            params=params,
            state=Generation.State.BUILDING,
            cause=cause,
            created_at=clock.now(),
        )


def _unread(ladder: Ladder) -> list[Generation]:
    """Return the generations that no page reads any more: older than the one before the live one, and that for READ_FOR."""
    old = list(Generation.objects.filter(ladder=ladder, state=Generation.State.OLD).order_by("-number"))
    before = clock.now() - READ_FOR
    return [
        row
        for row, successor in zip(old[1:], old, strict=False)
        if successor.switched_at is not None and successor.switched_at <= before
    ]


def _forget(generations: Iterable[Generation]) -> None:
    """Delete generations that nobody reads or writes, in parts: a single statement would hold SQLite's writers up."""
    for generation in generations:
        for table in (RatingChange, Rating, RankBucket, ClubScore):
            rows = table._default_manager.filter(generation=generation)
            after = 0
            while some := list(rows.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
                with writing():
                    part = rows.filter(pk__gt=after, pk__lte=some[-1])
                    part._raw_delete(part.db)  # Django's cascade would load every object first
                after = some[-1]
        with writing():
            generation.delete()


def _switch(ladder_key: str, generation: Generation, built: Built, engine: RatingEngine) -> bool:
    """Apply the rows logged meanwhile, and switch the pointer, in one transaction; return whether all are applied.

    A correction, or a game that belongs before the last applied one, needs another computation: the ladder stays dirty
    for it, and the new generation is what the log without it gives.
    """
    with writing():
        ladder = locked(ladder_key)
        late = RatedResult.objects.in_bulk(_unseen(ladder, built.seen))
        applied: list[RatedResult] = []
        left: list[RatedResult] = []
        formers = merged_in(ladder, late.values())
        for row in sorted(late.values(), key=lambda row: (row.completed_at, row.source, row.revision)):
            is_next = built.last is None or (row.completed_at, row.source) > built.last
            is_plain = row.revision == 1 and row.kind in IN_ORDER
            is_plain &= not formers & {person for side in row.sides for person in side}
            (applied if is_plain and is_next else left).append(row)
        rated = [row for row in applied if row.rated]
        advance(generation, rated, engine, now=clock.now())
        for row in rated:
            core.apply(built.states, entry_of(row), engine)
        club_scores.count_again(generation)
        _settle(ladder, chain(built.seen, late))
        now = clock.now()
        Generation.objects.filter(ladder=ladder, state=Generation.State.LIVE).update(state=Generation.State.OLD)
        generation.state, generation.switched_at = Generation.State.LIVE, now
        generation.digest = core.digest(built.states)
        generation.save(update_fields=["state", "switched_at", "digest"])
        ladder.generation, ladder.params = generation, generation.params
        ladder.dirty_from = min((row.completed_at for row in left), default=None)
        ladder.save(update_fields=["generation", "params", "dirty_from"])
        return not left


def _unseen(ladder: Ladder, seen: "array[int]") -> list[int]:
    """Return the ids of the rows of the log that a computation has not read; ids are not in the order of commits."""
    known = array("q", sorted(seen))
    rows = RatedResult.objects.filter(ladder=ladder).values_list("pk", flat=True)
    found = []
    for pk in rows.iterator(CHUNK):
        at = bisect_left(known, pk)
        if at == len(known) or known[at] != pk:
            found.append(pk)
    return found


def _settle(ladder: Ladder, known: Iterable[int]) -> None:
    """Note that the rows of the log which are applied, or which keep the ladder dirty, wait no more."""
    waiting = {row.result_id: row.outbox_id for row in WaitingResult.objects.filter(ladder=ladder)}
    done = waiting.keys() & set(known)
    for pk in done:
        outbox.done(waiting[pk])
    WaitingResult.objects.filter(pk__in=done).delete()


def digest_of(generation: Generation) -> str:
    """Return the digest of the stored states, for comparison with that of a replay."""
    states: core.States = {}
    for row in Rating.objects.filter(generation=generation).select_related("subject").iterator(CHUNK):
        states[members_of(row.subject.key)] = state_of(row)
    return core.digest(states)


def verify(*, ladder_key: str) -> tuple[str, str]:
    """Return the digest of the stored states and that of a replay of the log without the waiting entries.

    They differ if the ladder waits for a recomputation or has a bug.
    """
    ladder = Ladder.objects.select_related("generation__params").get(key=ladder_key)
    assert ladder.generation is not None
    waiting = set(WaitingResult.objects.filter(ladder=ladder).values_list("result_id", flat=True))
    rows = [row for row in RatedResult.objects.filter(ladder=ladder) if row.pk not in waiting]
    engine = engine_for(params_of(ladder.generation.params))
    return digest_of(ladder.generation), core.digest(core.replay([entry_of(row) for row in rows], engine))
