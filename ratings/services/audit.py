"""Recompute every ladder from its log, from nothing, and compare each stored row bit for bit.

The log is read in its order and never held as a whole; memory grows with the number of players and pairs.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby, islice

from django.db.models import Count

from ratings.core import recompute as core
from ratings.core.clubs import mean_milli
from ratings.core.engines import RatingEngine, engine_for
from ratings.core.score import bucket
from ratings.models import ClubScore, Generation, Ladder, RankBucket, RatedResult, Rating, RatingChange, Subject
from ratings.selectors.log import applied_log, in_force, merges
from tock_league.common import clock
from tock_league.common.differences import Difference, compared, difference

from .club_scores import scores_of
from .ladders import params_of
from .states import STATE_FIELDS, changes_of, fill, key_of

CHUNK = 500
FLAGS = ("listed", "on_club", "on_global", "eligible_until")
STATES = tuple(name for name in STATE_FIELDS if name not in FLAGS)
MOVES = (
    *("mu_before", "sigma_before", "mu_after", "sigma_after", "score_before", "score_after"),
    *("chance", "idle_days", "won", "completed_at"),
)


def differences() -> Iterator[Difference]:
    """Yield what differs, ladder by ladder. A ladder that waits for a recomputation is left out: see `waiting`."""
    for ladder in Ladder.objects.select_related("generation__params").order_by("key"):
        if ladder.generation is None:
            yield difference(ladder, "generation_id", "is empty", name=ladder.key)
        elif ladder.dirty_from is None:
            yield from _of(ladder, ladder.generation)


def waiting() -> list[str]:
    """Return the keys of the ladders that are not compared, because a recomputation of them is due."""
    return list(Ladder.objects.filter(dirty_from__isnull=False).order_by("key").values_list("key", flat=True))


def _of(ladder: Ladder, generation: Generation) -> Iterator[Difference]:
    engine = engine_for(params_of(generation.params))
    states: core.States = {}
    last: core.Entry | None = None
    # Where the log may have been applied to: a recomputation ends at its last row, but an unrated row that is appended
    # later changes no rating and is not applied.
    ends: set[tuple[datetime | None, str]] = {(None, "")}
    counted = 0
    sources = groupby(applied_log(ladder), key=lambda row: row.source)
    names = core.merged(merges(ladder))
    yield from _split_sources(ladder)
    while some := [(source, list(rows)) for source, rows in islice(sources, CHUNK)]:
        wanted: dict[tuple[str, str], RatingChange] = {}
        for _source, rows in some:
            try:
                entry = in_force(rows, names)
            except ValueError as error:
                yield difference(rows[-1], "revision", str(error), name=rows[-1].source)
                return
            if entry is None:
                continue
            moved = core.apply(states, entry, engine)
            subjects = {change.subject: Subject(key=key_of(change.subject)) for change in moved}
            for made in changes_of(generation, rows[-1], moved, subjects, engine):
                made.completed_at = rows[0].completed_at
                wanted[(made.source, made.subject.key)] = made
            last = entry
            ends = ends if not entry.rated else set()
            ends.add((entry.completed_at, entry.source))
        counted += len(wanted)
        yield from _changes(generation, [source for source, _rows in some], wanted)
    stored = RatingChange.objects.filter(generation=generation).count()
    if stored != counted:
        found = f"has {stored} rows of ladder {ladder.key}, the log gives {counted}"
        yield Difference(RatingChange._meta.db_table, f"generation {generation.pk}", "count", found)
    yield from _ratings(generation, states, engine)
    yield from _buckets(generation)
    yield from _club_scores(generation)
    if (generation.applied_at, generation.applied_source) in ends:
        return
    wanted_at = {
        "applied_at": last.completed_at if last is not None else None,
        "applied_source": last.source if last is not None else "",
    }
    yield from compared(generation, wanted_at, name=f"{ladder.key} {generation.number}")


def _split_sources(ladder: Ladder) -> Iterator[Difference]:
    """Yield the sources whose revisions have different places in the order."""
    places = (
        RatedResult.objects.filter(ladder=ladder)
        .order_by("source")
        .values("source")
        .annotate(places=Count("completed_at", distinct=True))
        .filter(places__gt=1)
    )
    for found in places.iterator(CHUNK):
        yield Difference(RatedResult._meta.db_table, found["source"], "completed_at", "differs between its revisions")


def _changes(
    generation: Generation, sources: list[str], wanted: dict[tuple[str, str], RatingChange]
) -> Iterator[Difference]:
    """Compare the stored effects of some games. One query."""
    rows = RatingChange.objects.filter(generation=generation, source__in=sources).select_related("subject")
    for row in rows:
        name = f"{row.source} of {row.subject.key}"
        made = wanted.pop((row.source, row.subject.key), None)
        if made is None:
            yield difference(row, "source", "the log gives no such change", name=name)
        else:
            yield from compared(row, {field: getattr(made, field) for field in MOVES}, name=name)
    for source, key in wanted:
        yield Difference(RatingChange._meta.db_table, f"{source} of {key}", "source", "the row is missing")


def _ratings(generation: Generation, states: core.States, engine: RatingEngine) -> Iterator[Difference]:
    """Compare the stored states; places on boards may be older than now, never newer."""
    now, left = clock.now(), dict(states)
    after = 0
    while rows := list(
        Rating.objects.filter(generation=generation, pk__gt=after).select_related("subject").order_by("pk")[:CHUNK]
    ):
        for row in rows:
            subject = row.subject
            state = left.pop(tuple(int(part) for part in subject.key.split("-")), None)
            if state is None:
                yield difference(row, "subject_id", "the log gives no such rating", name=subject.key)
                continue
            fresh = Rating(generation=generation, subject=subject, kind=subject.kind)
            fill(fresh, subject, state, engine, now=now)
            names = STATES if row.eligible_until is not None and row.eligible_until <= now else (*STATES, *FLAGS)
            yield from compared(row, {field: getattr(fresh, field) for field in names}, name=subject.key)
        after = rows[-1].pk
    for members in left:
        yield Difference(Rating._meta.db_table, key_of(members), "subject_id", "the row is missing")


def _buckets(generation: Generation) -> Iterator[Difference]:
    """Compare the histogram from which ranks are counted with the scores on the board."""
    counts: dict[tuple[str, int], int] = {}
    board = Rating.objects.filter(generation=generation, on_global=True).values_list("kind", "score_milli")
    for kind, score in board.iterator(CHUNK):
        step = (kind, bucket(score))
        counts[step] = counts.get(step, 0) + 1
    for row in RankBucket.objects.filter(generation=generation).order_by("kind", "bucket"):
        wanted = counts.pop((row.kind, row.bucket), 0)
        yield from compared(row, {"count": wanted}, name=f"{row.kind} {row.bucket}")
    for (kind, place), count in counts.items():
        yield Difference(
            RankBucket._meta.db_table, f"{kind} {place}", "count", f"the row is missing, should be {count}"
        )


def _club_scores(generation: Generation) -> Iterator[Difference]:
    """Compare the kept figures of the clubs with the ratings of their home players."""
    wanted = scores_of(generation, None)
    for row in ClubScore.objects.filter(generation=generation).order_by("club_id"):
        scores = wanted.pop(row.club_id, [])
        yield from compared(
            row, {"eligible": len(scores), "mean_milli": mean_milli(scores)}, name=f"{generation} club {row.club_id}"
        )
    for club in wanted:
        yield Difference(ClubScore._meta.db_table, f"{generation} club {club}", "eligible", "the row is missing")
