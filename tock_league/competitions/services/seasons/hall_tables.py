"""The list of an event's tables: their rooms, and for whom they are kept."""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing
from tock_league.common.validation import checked

from ...models import Competition, Entry, HallTable, Match
from ..rounds.placing import AT_A_TABLE, place_waiting
from ..shared.journal import note
from ..shared.locking import lock_competition


def put_tables(
    *,
    by: Person,
    competition: Competition,
    first: int,
    last: int,
    room: str = "",
    accessible: bool = False,
    for_finals: bool = False,
    entry: Entry | None = None,
) -> list[HallTable]:
    """Add the tables `first` to `last` to the list, or change those that are on it; return them. Idempotent.

    `entry`: the team that one table is kept for; it gives its other one up. Matches that wait for a table get one. Raises
    NotAllowed; Refused on `last` (more than `HallTable.MOST`, the range upside down, one table for one team), `entry` (of
    another event), `for_finals` (a table is kept for one purpose).
    """
    with writing():
        competition = _held(by, competition)
        if not 1 <= first <= last <= HallTable.MOST:
            raise Refused(
                "table_range",
                _("Tables have numbers from 1 to %(most)s, the smaller one first.") % {"most": HallTable.MOST},
                field="last",
            )
        if entry is not None:
            _may_be_kept(competition, entry, first, last, for_finals=for_finals)
        made = []
        known = {row.number: row for row in HallTable.objects.filter(competition=competition)}
        for number in range(first, last + 1):
            row = known.get(number) or HallTable(competition=competition, number=number)
            row.room, row.accessible, row.for_finals, row.entry = room.strip(), accessible, for_finals, entry
            checked(row).save()
            made.append(row)
        under_way = Match.objects.filter(competition=competition, table_no__range=(first, last), state__in=AT_A_TABLE)
        under_way.update(room=room.strip())
        note(
            competition,
            "tables.listed",
            by,
            first=first,
            last=last,
            room=room.strip(),
            accessible=accessible,
            for_finals=for_finals,
            entry=entry.slug if entry is not None else None,
        )
        _seat_waiting(competition)
        return made


def _may_be_kept(competition: Competition, entry: Entry, first: int, last: int, *, for_finals: bool) -> None:
    if entry.competition_id != competition.pk:
        raise Refused("entry", _("This team is in another event."), field="entry")
    if first != last:
        raise Refused("table_range", _("One table is kept for a team: give one number."), field="last")
    if for_finals:
        raise Refused("for_finals", _("A table is kept for a team or for finals, not for both."), field="for_finals")
    HallTable.objects.filter(entry=entry).exclude(number=first).update(entry=None)


def remove_table(*, by: Person, competition: Competition, number: int) -> None:
    """Take a table off the list. Idempotent. Raises Conflict `table_taken` while a match is under way there."""
    with writing():
        competition = _held(by, competition)
        if Match.objects.filter(competition=competition, table_no=number, state__in=AT_A_TABLE).exists():
            raise Conflict(
                "table_taken",
                _("A match is under way at table %(number)s: put it at another one first.") % {"number": number},
            )
        gone, _rows = HallTable.objects.filter(competition=competition, number=number).delete()
        if gone:
            note(competition, "tables.removed", by, number=number)


def keep_tables(*, by: Person, competition: Competition, keep: bool) -> Competition:
    """Let teams keep their table from the next round on, or not; return the competition. Idempotent."""
    with writing():
        competition = _held(by, competition)
        if competition.keeps_tables != keep:
            competition.keeps_tables = keep
            competition.save(update_fields=["keeps_tables", "updated_at"])
            note(competition, "tables.kept", by, keep=keep)
        return competition


def _held(by: Person, competition: Competition) -> Competition:
    competition = lock_competition(competition.pk)
    require(by, "competition.organise", competition, needed="organiser")
    return competition


def _seat_waiting(competition: Competition) -> None:
    """Give matches that wait for a table one of the new ones."""
    if competition.is_planned:
        rows = Match.objects.filter(competition=competition, table_no__isnull=True, state__in=AT_A_TABLE)
        place_waiting(competition, rows.order_by("round__number", "number"))
