"""Standings, and cross-tables: everybody against everybody, or round by round where an event is paired as it goes."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere
from tock_league.competitions.core.registry import format_of
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.rankings import group_tables
from tock_league.competitions.selectors.rankings.crosstable import Cell, crosstable
from tock_league.competitions.selectors.rankings.standings import StandingView, rows_of, table
from tock_league.competitions.selectors.rounds.matches import MatchView, views
from tock_league.competitions.selectors.seasons.counting import counted_words, scored_column

from ..paper import MARGIN, PALE
from .document import SMALL, THICK, THIN, Column, Document
from .kinds import Choice

NUMBER, NAME, LEAST_CELL, MOST_CELL, ROW = 8.0, 52.0, 11.0, 24.0, 8.0  # millimetres
NOTE = 6.0  # millimetres below a cross-table


@dataclass(frozen=True)
class Made:
    """A table with its matches; `byes`: (entry, round) of rounds without an opponent, where they are paired as they go."""

    name: str
    rows: Sequence[StandingView]
    matches: Sequence[MatchView]
    by_round: bool = False
    byes: frozenset[tuple[int, int]] = frozenset()


def tables_of(found: Competition, viewer: Player | None) -> list[Made]:
    """Return every table of an event with its matches, in order. Fifteen queries, however many tables."""
    played = views(found.matches.order_by("round__number", "number"), viewer)
    if not found.is_planned:
        rows = table(found, [view for view in played if view.is_decided])
        return [Made("", rows, played)] if rows else []
    return [
        Made(
            made.group.name,
            rows_of(made.field, made.decided),
            made.matches,
            format_of(made.group.stage.format).pairs_as_it_goes,
            frozenset((side.entry, bye.round) for bye in made.field.byes for side in bye.sides),
        )
        for made in group_tables.group_fields(found, played)
    ]


def standings(found: Competition, viewer: Player | None, choice: Choice) -> bytes:
    """Return each table of the event, best first, with what separates a line from the next one."""
    columns = [
        Column(_("Rank"), 8, "C", bold=True), Column(_("Team"), 46, bold=True),
        Column(pgettext("column: matches played", "P"), 7, "R"), Column(pgettext("column: matches won", "W"), 7, "R"),
        Column(pgettext("column: matches tied", "T"), 7, "R"), Column(pgettext("column: matches lost", "L"), 7, "R"),
        *_scored_column(found), Column(str(counted_words(found.rules, found.cap)), 11, "R"),
        Column(pgettext("column: points", "Pts"), 9, "R", bold=True), Column("", 2), Column(_("Ahead by"), 25),
    ]  # fmt: skip
    document = Document(found, choice.paper)
    for made in tables_of(found, viewer):
        document.listing(
            _title(made, _("Standings")), columns, [_standing(line, found) for line in made.rows], height=10
        )
    return document.made()


def _scored_column(found: Competition) -> list[Column]:
    return [Column(str(scored_column(found.cap)), 11, "R")] if found.cap is not None else []


def _standing(line: StandingView, found: Competition) -> list[str | tuple[str, str]]:
    row = line.row
    players = ", ".join(one.display_name for one in line.roster if one.display_name not in line.name)
    counts = [str(count) for count in (row.played, row.wins, row.ties, row.losses)]
    counts += [line.scored] if found.cap is not None else []
    return [str(row.rank), (line.name, players), *counts, line.margin, line.points, "", str(line.separated_by)]


def cross(found: Competition, viewer: Player | None, choice: Choice) -> bytes:
    """Return the cross-table of each table; one that is too wide for a page goes on on the next ones."""
    found_tables = tables_of(found, viewer)
    if not found_tables:
        raise NotThere
    widest = max(_columns(made) for made in found_tables)
    wide = widest * LEAST_CELL > Document.across(choice.paper) - NUMBER - NAME
    document = Document(found, choice.paper, wide=wide)
    for made in found_tables:
        heads, rows, note = _by_round(made) if made.by_round else _against(made)
        _grid(document, _title(made, pgettext("of a competition", "Cross-table")), made, heads, rows, note)
    return document.made()


def _columns(made: Made) -> int:
    return max((view.match.round.number for view in made.matches), default=1) if made.by_round else len(made.rows)


# The heads of a grid, its cells by row (None for an entry against itself), and the sentence below it.
Grid = tuple[list[str], list[list[str | None]], str]


def _against(made: Made) -> Grid:
    rows = crosstable(made.rows, made.matches)
    heads = [str(row.number) for row in rows]
    cells = [[None if cell is None else _met(cell) for cell in row.cells] for row in rows]
    # Translators: below a cross-table
    return heads, cells, _("A line reads from its team’s side; * not decided by play.")


def _met(cells: Sequence[Cell]) -> str:
    return "  ".join(f"{cell.text}{'*' if cell.how else ''}" if cell.text else "·" for cell in cells)


def _by_round(made: Made) -> Grid:
    numbers = {line.entry.pk: number for number, line in enumerate(made.rows, start=1)}
    met: dict[tuple[int, int], str] = {}
    for view in made.matches:
        for own, other in ((view.home, view.away), (view.away, view.home)):
            if own.entry_id is None or other.entry_id is None:
                continue
            score = f"{own.score} – {other.score}{'*' if view.how else ''}" if view.is_decided else "·"
            # Translators: a cell of a Swiss event's cross-table: against the team in line 12, by 1 – 0
            words = _("%(number)s: %(score)s") % {"number": numbers.get(other.entry_id, ""), "score": score}
            met[(own.entry_id, view.match.round.number)] = words
    for entry, at in made.byes:
        met.setdefault((entry, at), pgettext("a round", "bye"))
    rounds = range(1, _columns(made) + 1)
    cells: list[list[str | None]] = [[met.get((line.entry.pk, at), "") for at in rounds] for line in made.rows]
    note = _("By round: the number of the opponent, then the score from the team’s side; * not decided by play.")
    return [str(at) for at in rounds], cells, note


def _grid(
    document: Document, title: str, made: Made, heads: Sequence[str], rows: Sequence[Sequence[str | None]], note: str
) -> None:
    """Draw a grid in parts that fit on a page: the columns of a part are as many as are wide enough."""
    width, height = document.room
    most = max(1, int((width - NUMBER - NAME) / LEAST_CELL))
    each = -(-len(heads) // -(-len(heads) // most))
    lines = max(1, int((height - NOTE) / ROW) - 1)
    parts = [(top, left) for top in range(0, len(rows), lines) for left in range(0, len(heads), each)]
    cell = min(MOST_CELL, (width - NUMBER - NAME) / each)
    for number, (top, left) in enumerate(parts, start=1):
        document.page_of(title if len(parts) == 1 else f"{title} ({number}/{len(parts)})")
        shown = list(range(left, min(left + each, len(heads))))
        right = MARGIN + NUMBER + NAME + cell * len(shown)
        y = document.top
        for place, column in enumerate(shown):
            document.write_at(MARGIN + NUMBER + NAME + place * cell, y, cell, ROW, heads[column], size=SMALL, align="C")
        for line in range(top, min(top + lines, len(rows))):
            y += ROW
            _thin(document, MARGIN, y, right, y, thick=line == top)
            document.write_fitting(MARGIN, y, NUMBER, ROW, str(line + 1), size=9, align="C")
            document.write_fitting(MARGIN + NUMBER, y, NAME, ROW, made.rows[line].name, size=10, bold=True)
            for place, column in enumerate(shown):
                x = MARGIN + NUMBER + NAME + place * cell
                text = rows[line][column]
                if text is None:
                    document.set_fill_color(222)
                    document.rect(x, y, cell, ROW, style="F")
                elif text:
                    document.write_fitting(x, y, cell, ROW, text, size=9, align="C")
        bottom = y + ROW
        _thin(document, MARGIN, bottom, right, bottom)
        for place in range(len(shown) + 1):
            x = MARGIN + NUMBER + NAME + place * cell
            _thin(document, x, document.top, x, bottom)
        document.write_fitting(MARGIN, bottom + 1, width, NOTE - 1, note, size=SMALL, colour=PALE)


def _thin(document: Document, x: float, y: float, to_x: float, to_y: float, *, thick: bool = False) -> None:
    document.set_draw_color(120)
    document.set_line_width(THICK if thick else THIN)
    document.line(x, y, to_x, to_y)


def _title(made: Made, what: str) -> str:
    if not made.name:
        return what
    group = _("Group %(name)s") % {"name": made.name}
    return f"{group} – {what}"
