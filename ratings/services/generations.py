"""Recomputation of a ladder: build generation g+1 beside g, then switch the ladder's pointer in one transaction.

Meanwhile g stays live: it is read, and new games update it. A crash at any point leaves g live, and the next attempt
deletes the rows of g+1. Readers see g or g+1, never a mixture. A ladder is recomputed by one process at a time: a second one
would take the rows of the first for those of a crash.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from ratings.core import recompute as core
from ratings.core.engines import RatingEngine, engine_for
from ratings.core.score import bucket
from ratings.models import (
    Generation,
    Ladder,
    RankBucket,
    RatedResult,
    Rating,
    RatingChange,
    RatingParams,
    WaitingResult,
)
from ratings.selectors.previews import entry_of
from tock_league.common import clock, outbox
from tock_league.common.alone import alone
from tock_league.common.errors import Broken
from tock_league.common.transactions import writing

from .ladders import params_of
from .live import IN_ORDER, locked
from .states import advance, changes_of, ensure_subjects, fill, state_of

ATTEMPTS = 5
PAUSE_S = 0.5  # between two looks whether another process has finished
CHUNK = 2000
AnyRow = TypeVar("AnyRow")


def rebuild(*, ladder_key: str, cause: str, params: RatingParams | None = None) -> Generation:
    """Recompute the ladder from its log and switch to the result; return the new live generation.

    `cause`: shown to staff, such as "late result". `params`: the version of the parameters to switch to; None keeps the
    ladder's. Waits while another process recomputes the ladder. Raises Broken if corrections arrived during each of ATTEMPTS
    computations.
    """
    while (made := rebuild_if_free(ladder_key=ladder_key, cause=cause, params=params)) is None:
        clock.pause(PAUSE_S)
    return made


def rebuild_if_free(*, ladder_key: str, cause: str, params: RatingParams | None = None) -> Generation | None:
    """As `rebuild`; None, with nothing done, where another process is at it: it applies all that is logged until its end."""
    with alone(f"ladder {ladder_key}") as ours:
        return _rebuild(ladder_key, cause, params) if ours else None


def _rebuild(ladder_key: str, cause: str, params: RatingParams | None) -> Generation:
    ladder = Ladder.objects.get(key=ladder_key)
    chosen = params if params is not None else ladder.params
    for _attempt in range(ATTEMPTS):
        generation = _begin(ladder_key, cause, chosen)
        engine = engine_for(params_of(chosen))
        rows = list(RatedResult.objects.filter(ladder=ladder).order_by("completed_at", "source", "revision"))
        _compute(generation, rows, engine)
        if _switch(ladder_key, generation, rows, engine):
            generation.refresh_from_db()
            return generation
    raise Broken(f"ladder {ladder_key}: corrections arrive faster than it can be recomputed")


def _begin(ladder_key: str, cause: str, params: RatingParams) -> Generation:
    """Delete the rows of an unfinished attempt, and create the next generation."""
    with writing():
        ladder = locked(ladder_key)
        _delete(Generation.objects.filter(ladder=ladder, state=Generation.State.BUILDING))
        last = Generation.objects.filter(ladder=ladder).order_by("-number")[0]
        return Generation.objects.create(
            ladder=ladder,
            number=last.number + 1,
            params=params,
            state=Generation.State.BUILDING,
            cause=cause,
            created_at=clock.now(),
        )


def _delete(generations: Iterable[Generation]) -> None:
    # Delete the derived rows with one statement per table: Django's cascade would load every object first.
    for generation in generations:
        for table in (RatingChange, Rating, RankBucket):
            rows = table._default_manager.filter(generation=generation)
            rows._raw_delete(rows.db)
        generation.delete()


def _compute(generation: Generation, rows: list[RatedResult], engine: RatingEngine) -> None:
    """Replay `rows` in memory and write the generation's rows in chunks, each in a short transaction."""
    newest = {row.source: row for row in rows}  # the last revision of each source: `rows` are sorted by it
    first = {row.source: row for row in reversed(rows)}
    states: core.States = {}
    moves: list[tuple[RatedResult, list[core.RatingChange]]] = []
    last: core.Entry | None = None
    for entry in core.entries_in_force(entry_of(row) for row in rows):
        moves.append((newest[entry.source], core.apply(states, entry, engine)))
        last = entry
    with writing():
        subjects = ensure_subjects(states)
    for some in _chunks(moves, CHUNK // 4):
        with writing():
            changes = [made for row, done in some for made in changes_of(generation, row, done, subjects, engine)]
            for change in changes:
                change.completed_at = first[change.source].completed_at
            RatingChange.objects.bulk_create(changes, batch_size=500)
    now = clock.now()
    steps: dict[tuple[str, int], int] = {}
    for part in _chunks(states.items(), CHUNK):
        ratings = []
        for members, state in part:
            subject = subjects[members]
            rating = Rating(generation=generation, subject=subject, kind=subject.kind)
            fill(rating, subject, state, engine, now=now)
            ratings.append(rating)
            if rating.on_global:
                step = (rating.kind, bucket(rating.score_milli))
                steps[step] = steps.get(step, 0) + 1
        with writing():
            Rating.objects.bulk_create(ratings, batch_size=500)
    with writing():
        RankBucket.objects.bulk_create(
            [RankBucket(generation=generation, kind=k, bucket=b, count=n) for (k, b), n in sorted(steps.items())]
        )
        if last is not None:
            generation.applied_at, generation.applied_source = last.completed_at, last.source
            generation.save(update_fields=["applied_at", "applied_source"])


def _switch(ladder_key: str, generation: Generation, rows: list[RatedResult], engine: RatingEngine) -> bool:
    """Apply the rows logged meanwhile and switch the pointer, in one transaction.

    Return False, and write nothing, if one of those rows is a correction or late and so needs a new fold.
    """
    with writing():
        ladder = locked(ladder_key)
        known = {row.pk for row in rows}
        late_ids = set(RatedResult.objects.filter(ladder=ladder).values_list("pk", flat=True)) - known
        late = list(RatedResult.objects.filter(pk__in=late_ids).order_by("completed_at", "source"))
        at, source = generation.applied_at, generation.applied_source
        for row in late:
            simple = row.revision == 1 and row.kind in IN_ORDER
            if not simple or (at is not None and (row.completed_at, row.source) <= (at, source)):
                return False
        advance(generation, [row for row in late if row.rated], engine, now=clock.now())
        for waiting in WaitingResult.objects.filter(result_id__in=known | late_ids, ladder=ladder):
            outbox.done(waiting.outbox_id)
            waiting.delete()
        now = clock.now()
        _delete(Generation.objects.filter(ladder=ladder, state=Generation.State.OLD))
        Generation.objects.filter(ladder=ladder, state=Generation.State.LIVE).update(state=Generation.State.OLD)
        generation.state, generation.switched_at, generation.digest = Generation.State.LIVE, now, digest_of(generation)
        generation.save(update_fields=["state", "switched_at", "digest"])
        ladder.generation, ladder.params, ladder.dirty_from = generation, generation.params, None
        ladder.save(update_fields=["generation", "params", "dirty_from"])
        return True


def digest_of(generation: Generation) -> str:
    """Return the digest of the stored states, for comparison with that of a replay."""
    states: core.States = {}
    for row in Rating.objects.filter(generation=generation).select_related("subject").iterator(CHUNK):
        states[tuple(int(part) for part in row.subject.key.split("-"))] = state_of(row)
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


def _chunks(rows: Iterable[AnyRow], size: int) -> Iterator[list[AnyRow]]:
    rest = iter(rows)
    while some := list(islice(rest, size)):
        yield some
