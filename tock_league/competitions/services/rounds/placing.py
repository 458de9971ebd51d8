"""Puts matches at the tables of the hall: when they are called, when a table becomes free, and by hand.

An event without a list of tables has as many as it needs, numbered from 1.
"""

from collections.abc import Iterable, Sequence

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ...core.tables import Meeting, Place, assign
from ...models import Competition, HallTable, Match, Side
from ..shared.journal import name_of, note
from ..shared.locking import lock_match

S = Match.State
AT_A_TABLE = (S.SCHEDULED, S.CALLED, S.LIVE, S.REPORTED, S.CONTESTED)
MOVABLE = (S.READY, *AT_A_TABLE)
FINALS = (Match.Label.FINAL,)


def place(competition: Competition, matches: Sequence[Match]) -> list[Match]:
    """Give each of these matches its table and room, unsaved; return those that got one. The others wait for a free table.

    The caller holds the competition's row. Five queries at most.
    """
    if not matches:
        return []
    busy = busy_tables(competition)
    listed = {row.number: row for row in HallTable.objects.filter(competition=competition)}
    places = [Place(row.number, row.entry_id, row.for_finals) for row in listed.values()]
    if not places:
        places = [Place(number) for number in range(1, len(busy) + len(matches) + 1)]
    entries = _entries(matches)
    last = _last_tables(competition, entries) if competition.keeps_tables else {}
    meetings = [
        Meeting(
            key=match.pk,
            entries=frozenset(entries[match.pk]),
            is_final=match.label in FINALS,
            last=tuple(dict.fromkeys(last[entry] for entry in entries[match.pk] if entry in last)),
        )
        for match in matches
    ]
    found = assign(meetings, places, busy)
    for match in matches:
        if match.pk in found:
            match.table_no = found[match.pk]
            match.room = listed[match.table_no].room if match.table_no in listed else ""
    return [match for match in matches if match.pk in found]


def place_waiting(competition: Competition, matches: Iterable[Match]) -> None:
    """Give those of these matches that wait for a table one that has become free; the caller holds the competition's row."""
    waiting = [match for match in matches if match.table_no is None and match.state in AT_A_TABLE]
    for match in place(competition, waiting):
        match.save(update_fields=["table_no", "room", "updated_at"])


def busy_tables(competition: Competition, *, but: Match | None = None) -> set[int]:
    """Return the numbers of the tables at which a match is under way, other than `but`. One query."""
    rows = Match.objects.filter(competition=competition, table_no__isnull=False, state__in=AT_A_TABLE)
    rows = rows.exclude(pk=but.pk) if but is not None else rows
    return {number for number in rows.values_list("table_no", flat=True) if number is not None}


def room_of(competition: Competition, number: int | None) -> str:
    """Return the room of the table of that number, "" for none. One query."""
    rows = HallTable.objects.filter(competition=competition, number=number or 0)
    return rows.values_list("room", flat=True).first() or ""


def put(*, by: Person, match: Match, number: int) -> Match:
    """Put a match at the table of that number; return it. Idempotent.

    Raises NotAllowed; Conflict `match_begun` for one that waits for its teams or is decided; Refused on `table`:
    `no_such_table`, `table_kept` for another team, `table_taken` by another match, `team_at_table`: one of its teams plays
    elsewhere at the same time.
    """
    with writing():
        match = lock_match(match.pk)
        competition = match.competition
        require(by, "competition.desk", competition, needed="organiser")
        if match.state not in MOVABLE:
            raise Conflict(
                "match_begun", _("This match needs no table: %(state)s.") % {"state": match.get_state_display()}
            )
        listed = _listed(competition, number)
        entries = _entries([match])[match.pk]
        if listed is not None and listed.entry_id is not None and listed.entry_id not in entries:
            raise Refused(
                "table_kept",
                _("Table %(number)s is kept for %(team)s.") % {"number": number, "team": str(listed.entry)},
                field="table",
            )
        _is_free(match, number, entries)
        if match.table_no == number:
            return match
        match.table_no, match.room = number, listed.room if listed is not None else ""
        match.save(update_fields=["table_no", "room", "updated_at"])
        note(competition, "match.placed", by, **name_of(match), table=number)
        return match


def _listed(competition: Competition, number: int) -> HallTable | None:
    """Return the table of the list. Raises Refused `no_such_table`."""
    rows = HallTable.objects.filter(competition=competition)
    found = rows.filter(number=number).select_related("entry__team", "entry__player").first()
    if (found is None and rows.exists()) or not 1 <= number <= HallTable.MOST:
        raise Refused(
            "no_such_table", _("There is no table %(number)s in this hall.") % {"number": number}, field="table"
        )
    return found


def _is_free(match: Match, number: int, entries: Iterable[int]) -> None:
    """Raise Refused on `table` where another match, or one of the teams at another table, is in the way at this time."""
    beside = Match.objects.filter(competition=match.competition, state__in=AT_A_TABLE).exclude(pk=match.pk)
    if not match.competition.is_planned:  # a league's matches of other days do not disturb
        beside = beside.filter(starts_at=match.starts_at)
    other = beside.filter(table_no=number).first()
    if other is not None:
        raise Refused(
            "table_taken",
            _("Two matches at table %(number)s: %(match)s is played there, and has no result yet.")
            % {"number": number, "match": _title(other)},
            field="table",
        )
    played = Q(side_rows__entry__in=list(entries), table_no__isnull=False)
    side = Side.objects.filter(match__in=beside.filter(played), entry__in=list(entries)).select_related(
        "match", "entry__team", "entry__player"
    )
    twice = side.first()
    if twice is not None and twice.match is not None:
        raise Refused(
            "team_at_table",
            _("%(team)s would be at two tables: %(match)s at table %(number)s has no result yet.")
            % {"team": str(twice.entry), "match": _title(twice.match), "number": twice.match.table_no},
            field="table",
        )


def _title(match: Match) -> str:
    sides = match.side_rows.filter(position__isnull=False).select_related("entry__team", "entry__player")
    return " – ".join(str(side.entry or "–") for side in sides.order_by("position"))


def _entries(matches: Sequence[Match]) -> dict[int, list[int]]:
    """Return the entries of each match, the home side's first. One query."""
    found: dict[int, list[int]] = {match.pk: [] for match in matches}
    rows = Side.objects.filter(match__in=found, entry__isnull=False).order_by("position")
    for match, entry in rows.values_list("match", "entry"):
        if match is not None and entry is not None:
            found[match].append(entry)
    return found


def _last_tables(competition: Competition, entries: dict[int, list[int]]) -> dict[int, int]:
    """Return the table at which each of these entries played its last match that had one. One query."""
    wanted = {entry for each in entries.values() for entry in each}
    rows = Side.objects.filter(entry__in=wanted, match__competition=competition, match__table_no__isnull=False)
    rows = rows.exclude(match__in=entries).order_by(
        "match__round__group__stage__ordinal", "match__round__number", "match__pk"
    )
    found = rows.values_list("entry", "match__table_no")
    return {entry: number for entry, number in found if entry is not None and number is not None}
