"""Compute a generation from the log: read the log in its order, fold it, and write what follows, part by part.

Memory grows with the number of subjects, not with the number of games. Each part is written in a short transaction, so
that the games that end meanwhile are not held up.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeVar

from ratings.core import recompute as core
from ratings.core.engines import RatingEngine
from ratings.core.score import bucket
from ratings.models import Generation, RankBucket, RatedResult, Rating, RatingChange
from ratings.selectors.log import LogRow, entry_of
from tock_league.common import bulk, clock
from tock_league.common.transactions import writing

from .states import CHANGE_FIELDS, RATING_FIELDS, STATE_FIELDS, change_values, ensure_subjects, kind_of, state_values

PART = 2000  # games of a transaction; about twelve thousand changes
CHUNK = 2000
ON_GLOBAL, SCORE = STATE_FIELDS.index("on_global"), STATE_FIELDS.index("score_milli")
AnyRow = TypeVar("AnyRow")


@dataclass
class Built:
    """What a computation has used and found."""

    states: core.States = field(default_factory=dict)
    seen: "array[int]" = field(default_factory=lambda: array("q"))  # the ids of the rows of the log that it has read
    last: core.OrderKey | None = None  # of the last entry in force


@dataclass
class _Subjects:
    """The rows of the subjects, as far as a computation needs them."""

    ids: dict[core.Subject, int] = field(default_factory=dict)
    hidden: set[core.Subject] = field(default_factory=set)  # those that are not listed

    def ensure(self, wanted: Iterable[core.Subject]) -> None:
        """Create the rows that are missing, and remember them. Call it inside `writing()`."""
        for part in _chunks((members for members in wanted if members not in self.ids), CHUNK):
            for members, row in ensure_subjects(part).items():
                self.ids[members] = row.pk
                if not row.listed:
                    self.hidden.add(members)


def build(generation: Generation, engine: RatingEngine) -> Built:
    """Write the changes, states and histogram of `generation` as they follow from the ladder's log.

    Raises ValueError if the log has an entry that core.check rejects, or a gap in the revisions of a source.
    """
    built, subjects = Built(), _Subjects()
    corrected, names = _corrections(generation.ladder_id, built)
    for part in _log(generation.ladder_id):
        moves = []
        for row in part:
            built.seen.append(row.pk)
            newest = corrected.get(row.source, row)
            core.check(entry := entry_of(row))
            if newest is not row:
                entry = replace(entry_of(newest), completed_at=row.completed_at)
            if entry.kind in ("merge", "void"):
                continue
            renamed = core.under_names(entry, names) if names else entry
            if renamed is None:
                continue
            moves.append((newest.pk, row, core.apply(built.states, renamed, engine)))
            built.last = renamed.key
        _write_changes(generation, moves, subjects, engine)
    _write_states(generation, built.states, subjects, engine)
    if built.last is not None:
        generation.applied_at, generation.applied_source = built.last
        generation.save(update_fields=["applied_at", "applied_source"])
    return built


def _log(ladder_id: int) -> Iterator[list[LogRow]]:
    """Yield the first revisions of the log in parts, in their order.

    Each part is a statement of its own: a cursor that stays open would keep SQLite from writing.
    """
    rows = RatedResult.objects.filter(ladder=ladder_id, revision=1).values_list(*LogRow._fields)
    later = rows
    while part := [LogRow(*row) for row in later.order_by("completed_at")[:PART]]:
        at = part[-1].completed_at
        # All of that instant belong to one part, and are sorted here: the database may sort letters in another way.
        part = [row for row in part if row.completed_at != at]
        part += [LogRow(*row) for row in rows.filter(completed_at=at)]
        yield sorted(part, key=lambda row: (row.completed_at, row.source))
        later = rows.filter(completed_at__gt=at)


def _corrections(ladder_id: int, built: Built) -> tuple[Mapping[str, RatedResult], dict[int, int]]:
    """Return the last revision of each corrected source, and the names that merged accounts keep."""
    corrected: dict[str, RatedResult] = {}
    for row in (
        RatedResult.objects.filter(ladder=ladder_id, revision__gt=1).order_by("source", "revision").iterator(CHUNK)
    ):
        core.check(entry_of(row))
        before = corrected[row.source].revision if row.source in corrected else 1
        if row.revision != before + 1:
            raise ValueError(f"revision: {row.revision} of {row.source} is not the next one")
        corrected[row.source] = row
        built.seen.append(row.pk)
    merges = RatedResult.objects.filter(ladder=ladder_id, revision=1, kind=RatedResult.Kind.MERGE)
    rows = [corrected.get(row.source, row) for row in merges]
    return corrected, core.merged(entry_of(row) for row in rows if row.kind == RatedResult.Kind.MERGE)


def _write_changes(
    generation: Generation,
    moves: list[tuple[int, LogRow, list[core.RatingChange]]],
    subjects: _Subjects,
    engine: RatingEngine,
) -> None:
    """Write what each game did. `moves`: the id of the row in force, the game's first row, the changes."""
    with writing():
        subjects.ensure({change.subject for _pk, _row, changes in moves for change in changes})
        rows = (
            values
            for pk, row, changes in moves
            for values in change_values(generation.pk, pk, row, changes, subjects.ids, engine)
        )
        bulk.insert(RatingChange, CHANGE_FIELDS, rows)


def _write_states(generation: Generation, states: core.States, subjects: _Subjects, engine: RatingEngine) -> None:
    with writing():
        subjects.ensure(states)
    now = clock.now()
    steps: dict[tuple[str, int], int] = {}
    for part in _chunks(states.items(), CHUNK):
        rows = []
        for members, state in part:
            kind = kind_of(members)
            values = state_values(state, engine, size=len(members), listed=members not in subjects.hidden, now=now)
            rows.append((generation.pk, subjects.ids[members], kind, *values))
            if values[ON_GLOBAL]:
                step = (kind, bucket(values[SCORE]))
                steps[step] = steps.get(step, 0) + 1
        with writing():
            bulk.insert(Rating, RATING_FIELDS, rows)
    with writing():
        RankBucket.objects.bulk_create(
            [RankBucket(generation=generation, kind=k, bucket=b, count=n) for (k, b), n in sorted(steps.items())]
        )


def _chunks(rows: Iterable[AnyRow], size: int) -> Iterator[list[AnyRow]]:
    rest = iter(rows)
    while some := list(islice(rest, size)):
        yield some
