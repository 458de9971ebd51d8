"""Conversion between rows and the core's states: load the states of a batch of entries, apply it, write it back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from ratings.core import eligibility
from ratings.core import recompute as core
from ratings.core.engines import RatingEngine
from ratings.core.score import bucket
from ratings.models import Generation, RankBucket, RatedResult, Rating, RatingChange, Subject
from ratings.selectors.log import LogRow, entry_of
from ratings.selectors.pairs import drawn_only
from ratings.selectors.rows import record_of
from tock_league.common import bulk, clock, statements

from . import club_scores

CHUNK = 500
PLAYER, TEAM = str(Subject.Kind.PLAYER), str(Subject.Kind.TEAM)  # as they are stored


def key_of(members: core.Subject) -> str:
    """Return a subject's key: its sorted player ids, "12-45"."""
    return "-".join(map(str, members))


def members_of(key: str) -> core.Subject:
    return tuple(int(part) for part in key.split("-"))


def state_of(row: Rating) -> core.State:
    return core.State(
        mu=row.mu,
        sigma=row.sigma,
        games=row.games,
        wins=row.wins,
        last=row.last_rated_at,
        opponents={members_of(key): count for key, count in row.meetings.get("opponents", {}).items()},
        partners={int(key): count for key, count in row.meetings.get("partners", {}).items()},
    )


class Places(NamedTuple):
    """Which boards have a place for a subject, and until when."""

    on_club: bool
    on_global: bool
    eligible_until: datetime | None


def places_of(record: eligibility.Record, *, listed: bool, now: datetime, idle_per_day: float) -> Places:
    if not listed:
        return Places(False, False, None)
    stands = {
        board: not eligibility.gaps(record, board, at=now, idle_per_day=idle_per_day)
        for board in (eligibility.CLUB, eligibility.GLOBAL)
    }
    ends = [eligibility.eligible_until(record, board, idle_per_day=idle_per_day) for board in stands if stands[board]]
    until = min((end for end in ends if end is not None), default=None)
    return Places(stands[eligibility.CLUB], stands[eligibility.GLOBAL], until)


def set_flags(row: Rating, subject: Subject, *, now: datetime, idle_per_day: float) -> None:
    """Set `listed`, `on_club`, `on_global` and `eligible_until` of `row` as they are at `now`; nothing is saved."""
    row.listed = subject.listed
    record = record_of(subject.size, row)
    row.on_club, row.on_global, row.eligible_until = places_of(
        record, listed=subject.listed, now=now, idle_per_day=idle_per_day
    )


def state_values(state: core.State, engine: RatingEngine, *, size: int, listed: bool, now: datetime) -> tuple[Any, ...]:
    """Return the values of STATE_FIELDS for the state of a subject of `size` players, flags included."""
    partners = sum(count >= eligibility.PARTNER_GAMES for count in state.partners.values())
    meetings = {
        "opponents": {key_of(team): count for team, count in state.opponents.items()},
        "partners": {str(person): count for person, count in state.partners.items()},
    }
    record = eligibility.Record(size, state.estimate, state.games, len(state.opponents), partners, state.last)
    places = places_of(record, listed=listed, now=now, idle_per_day=engine.params.idle_per_day)
    return (
        *(state.mu, state.sigma, state.games, state.wins, state.last, engine.score(state.estimate, size)),
        *(len(state.opponents), partners, meetings, listed, *places),
    )


def fill(row: Rating, subject: Subject, state: core.State, engine: RatingEngine, *, now: datetime) -> None:
    """Copy `state` into the fields of `row`, flags included; nothing is saved."""
    values = state_values(state, engine, size=subject.size, listed=subject.listed, now=now)
    for name, value in zip(STATE_FIELDS, values, strict=True):
        setattr(row, name, value)


def ensure_subjects(sets: Iterable[core.Subject]) -> dict[core.Subject, Subject]:
    """Return the row of each subject; create missing ones, and update `listed` of teams."""
    wanted = set(sets)
    keys = {key_of(members): members for members in wanted}
    found = {row.key: row for row in _by_key(keys)}
    hidden = drawn_only(members for members in wanted if len(members) > 1)
    new = sorted(key for key in keys if key not in found)
    if new:
        rows = ((kind_of(keys[key]), key, len(keys[key]), keys[key] not in hidden) for key in new)
        bulk.insert(Subject, ["kind", "key", "size", "listed"], rows)
        made = {row.key: row for row in _by_key(new)}
        members = ((made[key].pk, person) for key in new for person in keys[key])
        bulk.insert(Subject.members.through, ["subject", "player"], members)
        found.update(made)
    for key, row in found.items():
        listed = keys[key] not in hidden
        if row.listed != listed:
            row.listed = listed
            row.save(update_fields=["listed"])
            # Its places in other ladders follow within the hour, under the lock of each (live.expire_boards).
            Rating.objects.filter(subject=row, generation__state=Generation.State.LIVE).update(
                eligible_until=clock.now()
            )
    return {keys[key]: row for key, row in found.items()}


def kind_of(members: core.Subject) -> str:
    return PLAYER if len(members) == 1 else TEAM


def _by_key(keys: Iterable[str]) -> list[Subject]:
    ordered = sorted(keys)
    rows: list[Subject] = []
    for start in range(0, len(ordered), CHUNK):
        rows += Subject.objects.filter(key__in=ordered[start : start + CHUNK])
    return rows


def subjects_in(entries: Iterable[core.Entry]) -> set[core.Subject]:
    """Return every player and team whose state the entries can change."""
    found: set[core.Subject] = set()
    for entry in entries:
        for side in entry.sides:
            found.update((person,) for person in side)
            if len(side) > 1:
                found.add(tuple(sorted(side)))
    return found


@dataclass
class Histogram:
    """Pending changes of the histogram."""

    steps: dict[tuple[str, int], int] = field(default_factory=dict)  # (kind, bucket): change of the count

    def count(self, kind: str, score: int, by: int) -> None:
        step = (kind, bucket(score))
        self.steps[step] = self.steps.get(step, 0) + by

    def write(self, generation: Generation) -> None:
        """Add the differences to the stored counts, in three statements; the caller holds the ladder's lock."""
        steps = {step: by for step, by in self.steps.items() if by}
        if not steps:
            return
        kinds, buckets = zip(*steps, strict=True)
        stored = RankBucket.objects.filter(generation=generation, kind__in=set(kinds), bucket__in=set(buckets))
        known = {(row.kind, row.bucket): row for row in stored}
        fresh = [
            RankBucket(generation=generation, kind=kind, bucket=step, count=by)
            for (kind, step), by in sorted(steps.items())
            if (kind, step) not in known
        ]
        changed = [(by, known[step].pk) for step, by in sorted(steps.items()) if step in known]
        RankBucket.objects.bulk_create(fresh, batch_size=CHUNK)
        statements.run_many(_COUNT, changed)


def advance(generation: Generation, rows: Sequence[RatedResult], engine: RatingEngine, *, now: datetime) -> int:
    """Apply `rows` to a generation; return how many RatingChange rows were written.

    `rows`: sorted, and all after the last applied entry. The caller holds the ladder's lock in a transaction.
    """
    entries = [entry_of(row) for row in rows]
    subjects = ensure_subjects(subjects_in(entries))
    stored: dict[core.Subject, Rating] = {}
    ids = {row.pk: members for members, row in subjects.items()}
    ordered = sorted(ids)
    for start in range(0, len(ordered), CHUNK):
        for rating in Rating.objects.filter(generation=generation, subject_id__in=ordered[start : start + CHUNK]):
            stored[ids[rating.subject_id]] = rating
    states: core.States = {members: state_of(rating) for members, rating in stored.items()}
    changes: list[RatingChange] = []
    for row, entry in zip(rows, entries, strict=True):
        changes += changes_of(generation, row, core.apply(states, entry, engine), subjects, engine)
    histogram = Histogram()
    eligible: set[int] = set()  # players with a place on their club's board before or after
    fresh: list[Rating] = []
    for members, state in states.items():
        subject = subjects[members]
        if members not in stored:
            fresh.append(rating := Rating(generation=generation, subject=subject, kind=subject.kind))
        else:
            rating = stored[members]
            if rating.on_global:
                histogram.count(rating.kind, rating.score_milli, -1)
            if rating.on_club and rating.kind == Subject.Kind.PLAYER:
                eligible.add(subject.pk)
        fill(rating, subject, state, engine, now=now)
        if rating.on_global:
            histogram.count(rating.kind, rating.score_milli, 1)
        if rating.on_club and rating.kind == Subject.Kind.PLAYER:
            eligible.add(subject.pk)
    Rating.objects.bulk_create(fresh, batch_size=CHUNK)
    _rewrite(stored.values())
    RatingChange.objects.bulk_create(changes, batch_size=CHUNK)
    histogram.write(generation)
    club_scores.count_again(generation, club_scores.clubs_of(eligible))
    if rows:
        generation.applied_at, generation.applied_source = rows[-1].completed_at, rows[-1].source
        generation.save(update_fields=["applied_at", "applied_source"])
    return len(changes)


STATE_FIELDS = [
    *("mu", "sigma", "games", "wins", "last_rated_at", "score_milli"),
    *("opponents", "partners", "meetings", "listed", "on_club", "on_global", "eligible_until"),
]


RATING_FIELDS = ["generation_id", "subject_id", "kind", *STATE_FIELDS]
CHANGE_FIELDS = [
    *("generation_id", "result_id", "subject_id", "source", "completed_at", "mu_before", "sigma_before", "mu_after"),
    *("sigma_after", "score_before", "score_after", "chance", "idle_days", "won"),
]


def change_values(
    generation_id: int,
    result_id: int,
    first: RatedResult | LogRow,
    changes: Iterable[core.RatingChange],
    subjects: Mapping[core.Subject, int],
    engine: RatingEngine,
) -> Iterator[tuple[Any, ...]]:
    """Yield the values of CHANGE_FIELDS for each of `changes`, the effect of one game.

    `result_id`: of the row in force; `first`: the game's first row, by which it has its place. `subjects`: their ids.
    """
    for change in changes:
        size = len(change.subject)
        yield (
            *(generation_id, result_id, subjects[change.subject], first.source, first.completed_at),
            *(*change.before, *change.after, engine.score(change.before, size), engine.score(change.after, size)),
            *(change.chance, change.idle, change.won),
        )


_RATINGS = statements.Columns(Rating)
_REWRITE = f'UPDATE "{_RATINGS.table}" SET {statements.assignments(STATE_FIELDS)} WHERE "id" = %s'  # nosec B608
_COUNT = f'UPDATE "{RankBucket._meta.db_table}" SET "count" = "count" + %s WHERE "id" = %s'  # nosec B608


def _rewrite(rows: Iterable[Rating]) -> None:
    """Write the states of stored rows. `bulk_update` would build one CASE of all rows for each field."""
    statements.run_many(_REWRITE, [_RATINGS.prepared(row, [*STATE_FIELDS, "id"]) for row in rows])


def changes_of(
    generation: Generation,
    row: RatedResult,
    changes: Iterable[core.RatingChange],
    subjects: Mapping[core.Subject, Subject],
    engine: RatingEngine,
) -> list[RatingChange]:
    """Return `changes`, the effect of the game of `row`, as unsaved rows."""
    changes = list(changes)
    ids = {change.subject: subjects[change.subject].pk for change in changes}
    made = []
    for change, values in zip(changes, change_values(generation.pk, row.pk, row, changes, ids, engine), strict=True):
        made.append(RatingChange(**dict(zip(CHANGE_FIELDS, values, strict=True))))
        made[-1].subject = subjects[change.subject]
    return made
