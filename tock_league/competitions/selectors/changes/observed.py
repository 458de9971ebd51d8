"""The public state of a competition as plain data, and the difference between two such states.

A preview is the difference between the state before a service runs and the state after it. Keys are public names: the
slug of an entry, and for a match its place in the plan ("2.1.3.1": stage, group, round, number), because a match that
the service makes has no slug yet that both could know.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Table

from ...core.effective import Effective
from ...models import Competition, Entry, Group, Match
from ..rounds.matches import round_name
from .world import World, world_of

LIVE = (Table.State.OPEN, Table.State.PLAYING)
COUNTED = ("winners", "losers", "places", "place", "back_draw")  # labels that several rounds of a bracket have
WORDS = ("title", "name")  # fields that depend on the reader's language, or never change


@dataclass(frozen=True)
class SeenMatch:
    """A match as its page shows it."""

    title: str  # its name in the competition, in words; never compared
    seats: tuple[str, ...]  # the entries' slugs by position, "" where nobody is known yet
    result: Effective
    state: str  # Match.State
    starts_at: datetime | None
    table_no: int | None
    table: str  # the state of its table while it is open or being played, else ""


@dataclass(frozen=True)
class SeenRow:
    """A line of a table."""

    rank: int
    ordinal: int
    points: int
    margin: int


@dataclass(frozen=True)
class SeenEntry:
    """An entry of the competition."""

    name: str
    state: str  # Entry.State
    final_rank: int | None


@dataclass(frozen=True)
class Observation:
    """What the public pages of a competition show."""

    state: str  # Competition.State
    matches: Mapping[str, SeenMatch]  # by place in the plan
    tables: Mapping[str, Mapping[str, SeenRow]]  # by group ("1.2": stage and group; "" of a league) and entry
    entries: Mapping[str, SeenEntry]  # by slug


def observe(competition: Competition) -> Observation:
    """Return the state of the competition as it is written now. Twelve queries, and seven for each group."""
    fresh = Competition.objects.select_related("regulations", "club").get(pk=competition.pk)
    world = world_of(fresh)
    entries = {entry.pk: entry for entry in fresh.entries.select_related("team", "player")}
    return Observation(
        state=fresh.state,
        matches=dict(_matches(world, entries)),
        tables=_tables(world, entries, Group.objects.filter(stage__competition=fresh).select_related("stage")),
        entries={entry.slug: SeenEntry(str(entry), entry.state, entry.final_rank) for entry in entries.values()},
    )


def _matches(world: World, entries: Mapping[int, Entry]) -> Iterator[tuple[str, SeenMatch]]:
    for pk, match in world.matches.items():
        group = match.round.group
        table = match.table.state if match.table is not None and match.table.state in LIVE else ""
        yield (
            f"{group.stage.ordinal}.{group.ordinal}.{match.round.number}.{match.number}",
            SeenMatch(
                title=_title(match),
                seats=tuple(entries[seat].slug if seat is not None else "" for seat in world.seats[pk]),
                result=world.result(pk),
                state=match.state,
                starts_at=match.starts_at,
                table_no=match.table_no,
                table=table,
            ),
        )


def _title(match: Match) -> str:
    """Return the name of a match in its competition."""
    if match.label and match.label not in COUNTED:
        return str(match.get_label_display())
    return _("%(round)s, match %(match)s") % {"round": round_name(match), "match": match.number}


def _tables(world: World, entries: Mapping[int, Entry], groups: QuerySet[Group]) -> dict[str, Mapping[str, SeenRow]]:
    names = {group.pk: f"{group.stage.ordinal}.{group.ordinal}" for group in groups}
    return {
        names[group] if group is not None else "": {
            entries[row.entry].slug: SeenRow(row.rank, row.ordinal, int(row.points.value), int(row.margin.value))
            for row in world.rows(group)
        }
        for group in world.fields
    }


def difference(before: Observation, after: Observation, instant: datetime) -> dict[str, Any]:
    """Return what differs, as plain JSON in a fixed order; {} when nothing does.

    `instant`: the moment at which the service ran. A time that the service counted from it is given as seconds from it,
    so that the same service a minute later gives the same difference.
    """
    found: dict[str, Any] = {}
    if before.state != after.state:
        found["state"] = [before.state, after.state]
    for name, old, new in (
        ("matches", before.matches, after.matches),
        ("entries", before.entries, after.entries),
    ):
        changes = _changes(old, new, instant)
        if changes:
            found[name] = changes
    tables = {}
    for group in sorted(before.tables.keys() | after.tables.keys()):
        changes = _changes(before.tables.get(group, {}), after.tables.get(group, {}), instant)
        if changes:
            tables[group] = changes
    if tables:
        found["tables"] = tables
    return found


def _changes(before: Mapping[str, Any], after: Mapping[str, Any], instant: datetime) -> dict[str, Any]:
    """Return by key the fields that differ, each as [before, after]; null for a row that is not there."""
    made: dict[str, Any] = {}
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        parts = {}
        for name in vars(old if old is not None else new):
            if name in WORDS:
                continue
            was, now = getattr(old, name, None), getattr(new, name, None)
            told_was, told_now = _plain(was), _plain(now)
            if told_was != told_now:
                parts[name] = [told_was, _since(now, instant) if isinstance(now, datetime) else told_now]
        if parts:
            made[key] = parts
    return made


def seconds_from(at: datetime, instant: datetime) -> int | None:
    """Return the whole seconds from `instant` to `at`, None when `at` was not counted from it."""
    passed = at - instant
    whole = passed.days * 86_400 + passed.seconds
    return whole if passed.microseconds == 0 and whole >= 0 else None


def _since(at: datetime, instant: datetime) -> Any:
    seconds = seconds_from(at, instant)
    return _plain(at) if seconds is None else seconds


def _plain(value: Any) -> Any:
    """Return a field as JSON."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Effective):
        sides = [[side.outcome, side.games, side.margin] for side in value.sides]
        return [value.state, value.fact, value.cause, value.ruled, sides if value.state == "decided" else []]
    return list(value) if isinstance(value, tuple) else value
