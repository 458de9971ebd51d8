"""Tables as a page shows them to one reader: what is kept, with today's names, in the reader's language."""

import pickle
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person

from ....models import Competition, Entry, Group, RosterSpot, StandingOverride
from ...results.fact_words import words_of
from ..ranking import OUT
from ..standings import NO_MATCH, StepView, TermView, label_of
from .keeping import explained
from .rows import NO_MATCH as NOTES
from .rows import Kept, Line, Table, Term, Why

MOST_LINES = 128  # of one page
NOT_NAMED = ("", "points")  # criteria that are not named beside a row


@dataclass(frozen=True)
class LineView:
    """A line of a table for a reader."""

    row: Line
    entry: Entry  # with team and player
    name: str
    separated_by: str | Promise
    is_own: bool  # whether the reader plays for it

    @property
    def ahead_by(self) -> str:
        """What separates it from the next line, in words; "" where the points do."""
        return _("Ahead by: %(criterion)s") % {"criterion": self.separated_by} if self.separated_by else ""

    @property
    def points(self) -> str:
        return self.row.points

    @property
    def margin(self) -> str:
        return self.row.margin

    @property
    def scored(self) -> str:
        """What it scored under a time cap, "" without one."""
        return self.row.scored

    @property
    def form(self) -> tuple[str, ...]:
        return self.row.form

    @property
    def is_out(self) -> bool:
        """Whether the entry was withdrawn or disqualified."""
        return self.entry.state in OUT


@dataclass(frozen=True)
class ExplainedView(LineView):
    """A line with all that explains it."""

    points_terms: tuple[TermView, ...]
    margin_terms: tuple[TermView, ...]
    scored_terms: tuple[TermView, ...]
    why: tuple[StepView, ...]  # the comparison with the next line, for each criterion that was consulted
    below: str  # the name of the next line, "" for the last one
    left_out: tuple[str | Promise, ...]
    roster: tuple[Player, ...] = ()


@dataclass(frozen=True)
class TableView:
    """A table, or one page of a long one."""

    table: Table
    group: Group | None  # None for a league
    lines: tuple[LineView, ...]  # of this page
    first: int  # the place of its first line
    settled: tuple[StandingOverride, ...]  # how ties were settled, in the order given; printed under the table
    own: tuple[Line, ...] = ()  # those of the reader's lines that stand on another page

    @property
    def name(self) -> str:
        """The name of the group, "" where there is only one table."""
        return self.group.name if self.group is not None else ""

    @property
    def points_part(self) -> str:
        """The id of the part that explains points, on the page that explains a line."""
        return f"p-{self.table.stage}"

    @property
    def margin_part(self) -> str:
        return f"m-{self.table.stage}"

    @property
    def scored_part(self) -> str:
        return f"s-{self.table.stage}"

    @property
    def has_results(self) -> bool:
        return self.table.has_results

    @property
    def qualify(self) -> int:
        """How many of it go on; 0 if nobody does."""
        return self.table.qualify

    @property
    def qualified(self) -> int:
        """How many of it have qualified: none before its last result, and none of those who are equal across the line."""
        lines, line = self.table.lines, self.table.qualify
        if not self.table.is_over:
            return 0
        if 0 < line < len(lines) and lines[line - 1].rank == lines[line].rank:
            return lines[line].rank - 1
        return line

    @property
    def pages(self) -> list[tuple[int, int]]:
        """The places (first, last) of each page; none where there is one page."""
        total = len(self.table.lines)
        firsts = range(1, total + 1, MOST_LINES)
        return [(first, min(first + MOST_LINES - 1, total)) for first in firsts] if len(firsts) > 1 else []


def tables(
    competition: Competition, rows: Kept, viewer: Person = None, *, first: int = 1, most: int = MOST_LINES
) -> list[TableView]:
    """Return the tables of a competition, in the order of stages and groups.

    `first`: a place of the page that a long table shows; `most`: lines of a page. Four queries at most, however many tables and
    lines.
    """
    pages = {table.group: _page(table, first, most) for table in rows.tables}
    entries = _entries(line.entry for lines in pages.values() for line in lines)
    own = own_entries(competition, viewer) if rows.tables else frozenset()
    known, settled = _groups(rows.tables), _settled(rows.tables)
    return [
        TableView(
            table=table,
            group=known.get(table.group),
            lines=tuple(_view(line, entries, own, competition) for line in pages[table.group]),
            first=pages[table.group][0].ordinal if pages[table.group] else 1,
            settled=tuple(row for row in settled if row.group_id == table.group),
            own=tuple(line for line in table.lines if line.entry in own and line not in pages[table.group]),
        )
        for table in rows.tables
    ]


def places(rows: Kept, group: int, entries: Iterable[int]) -> dict[int, Line]:
    """Return where entries stand in the table of a group, or of a league (group 0), by entry. No query."""
    wanted = set(entries)
    found = [table for table in rows.tables if table.group == group]
    return {line.entry: line for table in found for line in table.lines if line.entry in wanted}


def explanations(
    competition: Competition, entry: Entry, viewer: Person = None
) -> list[tuple[TableView, ExplainedView]]:
    """Return each table in which the entry stands, with where its numbers come from. Seven queries at most."""
    rows, why = explained(competition)
    found = _why(why, entry.pk)
    made = _explained(competition, rows, {entry.pk: found}, own_entries(competition, viewer))
    spots = RosterSpot.objects.filter(entry=entry, left__isnull=True).select_related("player").order_by("role", "slot")
    roster = tuple(spot.player for spot in spots)
    groups = _groups(rows.tables)
    return [
        (
            TableView(rows.tables[place], groups.get(rows.tables[place].group), (line,), line.row.ordinal, ()),
            replace(line, roster=roster),
        )
        for place, line in made[entry.pk]
    ]


def all_explained(competition: Competition) -> list[tuple[TableView, list[ExplainedView]]]:
    """Return every table with every line explained, for programs. Four queries at most."""
    rows, why = explained(competition)
    made = _explained(competition, rows, {entry: _why(why, entry) for entry in why}, frozenset())
    by_place = {(place, line.row.entry): line for found in made.values() for place, line in found}
    groups = _groups(rows.tables)
    return [
        (
            TableView(table, groups.get(table.group), (), 1, ()),
            [by_place[place, line.entry] for line in table.lines],
        )
        for place, table in enumerate(rows.tables)
    ]


@dataclass(frozen=True)
class NamedTable:
    """A table with the name of its group, "" for that of a league or club night."""

    group: str
    stage: int
    rows: list[ExplainedView]  # best first


def named_tables(competition: Competition) -> list[NamedTable]:
    """Return the tables of a competition for programs: one for each group of a tournament, else one. Four queries at most."""
    return [NamedTable(one.name, one.table.stage, lines) for one, lines in all_explained(competition)]


def place_of(asked: str) -> int:
    """Return the place from which a long table is asked for in an address; 1 for anything that is no place."""
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= 5 else 1


def own_entries(competition: Competition, viewer: Person) -> frozenset[int]:
    """Return the entries for which `viewer` plays now. One query, none for visitors."""
    if not isinstance(viewer, Player):
        return frozenset()
    spots = RosterSpot.objects.filter(competition=competition, player=viewer, left__isnull=True)
    return frozenset(spots.values_list("entry_id", flat=True))


def _page(table: Table, first: int, most: int) -> tuple[Line, ...]:
    start = (first - 1) // most * most if 1 <= first <= len(table.lines) else 0
    return table.lines[start : start + most]


def _view(line: Line, entries: Mapping[int, Entry], own: Collection[int], competition: Competition) -> LineView:
    entry = entries[line.entry]
    rules, cap = competition.rules, competition.regulations.cap
    named = "" if line.separated_by in NOT_NAMED else label_of(line.separated_by, rules, cap)
    return LineView(line, entry, str(entry), named, line.entry in own)


def _entries(wanted: Iterable[int]) -> dict[int, Entry]:
    """Return entries with team and player by id. One query."""
    return Entry.objects.select_related("team", "player").in_bulk(set(wanted))


def _groups(found: Iterable[Table]) -> dict[int, Group]:
    """Return the groups of tables by id. One query, none for a league."""
    wanted = {table.group for table in found if table.group}
    return Group.objects.select_related("stage").in_bulk(wanted) if wanted else {}


def _settled(found: Iterable[Table]) -> list[StandingOverride]:
    wanted = [table.group for table in found if table.has_overrides]
    rows = StandingOverride.objects.filter(group__in=wanted).select_related("entry__team", "entry__player")
    return list(rows.order_by("place")) if wanted else []


def _why(kept_why: Mapping[int, bytes], entry: int) -> list[tuple[int, Why]]:
    # This site has written it, like everything that Django's caches hold.
    return pickle.loads(kept_why[entry]) if entry in kept_why else []  # nosec B301


def _explained(
    competition: Competition, rows: Kept, found: Mapping[int, Sequence[tuple[int, Why]]], own: Collection[int]
) -> dict[int, list[tuple[int, ExplainedView]]]:
    """Return the lines of entries with their explanations, each with the place of its table. One query."""
    lines = {(place, line.entry): line for place, table in enumerate(rows.tables) for line in table.lines}
    pairs = [(entry, place, one) for entry, whys in found.items() for place, one in whys]
    below = {(entry, place): _below(rows.tables[place], lines[place, entry]) for entry, place, _one in pairs}
    wanted = {entry for entry, _place, _one in pairs} | {entry for entry in below.values() if entry is not None}
    wanted |= {term.opponent for _entry, _place, one in pairs for term in _terms(one) if term.opponent is not None}
    entries = _entries(wanted)
    names, cap = {pk: str(entry) for pk, entry in entries.items()}, competition.regulations.cap
    made: dict[int, list[tuple[int, ExplainedView]]] = {entry: [] for entry in found}
    for entry, place, one in pairs:
        plain = _view(lines[place, entry], entries, own, competition)
        asked = {step.criterion for step in one.steps}
        rest = [key for key in competition.regulations.criteria if key not in asked]
        view = ExplainedView(
            **vars(plain),
            points_terms=tuple(_term(term, names) for term in one.points),
            margin_terms=tuple(_term(term, names) for term in one.margin),
            scored_terms=tuple(_term(term, names) for term in one.scored),
            why=tuple(
                StepView(
                    step.criterion,
                    label_of(plain.row.separated_by if step.decides else step.criterion, competition.rules, cap),
                    step.ahead,
                    step.behind,
                    step.decides,
                    tuple(_term(term, names) for term in step.terms),
                )
                for step in one.steps
            ),
            below=names.get(below[entry, place] or 0, ""),
            left_out=tuple(label_of(key, competition.rules, cap) for key in rest),
        )
        made[entry].append((place, view))
    return made


def _below(table: Table, line: Line) -> int | None:
    return table.lines[line.ordinal].entry if line.ordinal < len(table.lines) else None


def _terms(one: Why) -> Iterable[Term]:
    return (*one.points, *one.margin, *one.scored, *(term for step in one.steps for term in step.terms))


def _term(term: Term, names: Mapping[int, str]) -> TermView:
    note = NO_MATCH[term.note == NOTES[True]] if term.note in NOTES.values() else words_of(term.note)
    return TermView(term.match, term.round, names.get(term.opponent or 0, ""), term.value, note)
