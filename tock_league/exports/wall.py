"""The pages of a competition for a wall, as PDF: standings, pairings of the round, bracket."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.rankings import group_tables
from tock_league.competitions.selectors.rankings.standings import StandingView, table
from tock_league.competitions.selectors.rounds import brackets
from tock_league.competitions.selectors.rounds.brackets import BracketView, NodeView
from tock_league.competitions.selectors.rounds.matches import MatchView, views
from tock_league.competitions.selectors.seasons import calendars
from tock_league.competitions.selectors.seasons.counting import counted_words, scored_column

from .drawing import draw
from .paper import HEAD, INK, LINE, MARGIN, PALE, POINTS, Wall

LOWEST, HIGHEST = 8.0, 17.0  # of a row, in millimetres
TYPE = 0.5  # of the row's height
SPLIT = 32  # entries: a larger bracket is drawn in two halves and its final


@dataclass(frozen=True)
class Column:
    """A column of a list: its head, its share of the width, its alignment, whether it is bold."""

    head: str
    share: float
    align: str = "L"
    bold: bool = False


Row = Sequence[str]


def standings(found: Competition, viewer: Player | None, paper: str) -> bytes:
    """Return each table of the competition on a page of its own."""
    if found.is_planned:
        groups = group_tables.of_groups(found, views(found.matches.all(), viewer))
        tables: list[tuple[str, Sequence[StandingView]]] = [(made.group.name, made.rows) for made in groups]
    else:
        tables = [("", table(found))]
    columns = [
        Column(_("Rank"), 9, "R", bold=True), Column("", 2), Column(_("Team"), 46, bold=True),
        Column(pgettext("column: matches played", "P"), 7, "R"), Column(pgettext("column: matches won", "W"), 7, "R"),
        Column(pgettext("column: matches tied", "T"), 7, "R"), Column(pgettext("column: matches lost", "L"), 7, "R"),
        *([Column(str(scored_column(found.cap)), 11, "R")] if found.cap is not None else []),
        Column(str(counted_words(found.rules, found.cap)), 11, "R"),
        Column(pgettext("column: points", "Pts"), 9, "R", bold=True),
    ]  # fmt: skip
    wall = Wall(found.name, paper)
    for name, rows in tables:
        title = _("Group %(name)s") % {"name": name} if name else _("Standings")
        _list(wall, title, columns, [_standing(line, found) for line in rows])
    return wall.made()


def _standing(line: StandingView, found: Competition) -> Row:
    row = line.row
    counts = [str(count) for count in (row.played, row.wins, row.ties, row.losses)]
    counts += [line.scored] if found.cap is not None else []
    return [str(row.rank), "", line.name, *counts, line.margin, line.points]


def pairings(found: Competition, viewer: Player | None, paper: str) -> bytes:
    """Return the matches of the round under way, or of the last one, by the numbers of their tables."""
    current = calendars.current_round(calendars.rounds(found, viewer))
    if current is None:
        raise NotThere
    columns = [
        Column(pgettext("of a match", "Table"), 9, "R", bold=True), Column("", 3), Column(_("Team"), 33, bold=True),
        Column("", 11, "C"), Column(_("Team"), 33, bold=True), Column(pgettext("of a match", "Time"), 13, "R"),
    ]  # fmt: skip
    played = sorted(current.matches, key=lambda view: (view.match.table_no is None, view.match.table_no or 0))
    wall = Wall(found.name, paper)
    _list(wall, current.title, columns, [_pairing(view) for view in played])
    return wall.made()


def _pairing(view: MatchView) -> Row:
    number = str(view.match.table_no) if view.match.table_no is not None else ""
    between = f"{view.home.score} – {view.away.score}" if view.is_decided else "–"
    at = f"{timezone.localtime(view.starts_at):%H:%M}" if view.starts_at is not None else ""
    return [number, "", view.home.name, between, view.away.name, at]


def bracket(found: Competition, viewer: Player | None, paper: str) -> bytes:
    """Return the bracket on one page; a large one as two halves, then the final."""
    played = views(found.matches.all(), viewer)
    drawing = brackets.of_tournament(played)
    if drawing is None:
        raise NotThere
    wall = Wall(found.name, paper, wide=drawing.height < drawing.width)
    for title, nodes in _parts(drawing):
        wall.page_of(title)
        draw(wall, nodes, top=MARGIN + HEAD, room=wall.room)
    return wall.made()


def _parts(drawing: BracketView) -> list[tuple[str, list[NodeView]]]:
    if drawing.bracket.size <= SPLIT:
        return [(_("Bracket"), drawing.nodes)]
    last = [node for node in drawing.nodes if node.column == drawing.bracket.rounds]
    final = min(last, key=lambda node: node.number)
    before = [node for node in drawing.nodes if node not in last]
    return [
        (_("Bracket, upper half"), [node for node in before if node.y <= final.y]),
        (_("Bracket, lower half"), [node for node in before if node.y > final.y]),
        (final.title, last),
    ]


def _list(wall: Wall, title: str, columns: Sequence[Column], rows: Sequence[Row]) -> None:
    """Write a list in rows as high as the page allows, on as many pages as it needs."""
    width, height = wall.room
    most = max(1, int(height / LOWEST) - 1)
    pages = max(1, -(-len(rows) // most))
    each = -(-len(rows) // pages) if rows else 0
    line = max(LOWEST, min(HIGHEST, height / (each + 1)))
    share = width / sum(column.share for column in columns)
    for page in range(pages):
        wall.page_of(title if pages == 1 else f"{title} ({page + 1}/{pages})")
        _line(wall, MARGIN + HEAD, line, share, columns, [column.head for column in columns], head=True)
        for number, row in enumerate(rows[page * each : (page + 1) * each], start=1):
            _line(wall, MARGIN + HEAD + number * line, line, share, columns, row)


def _line(
    wall: Wall, y: float, height: float, share: float, columns: Sequence[Column], row: Row, *, head: bool = False
) -> None:
    x = MARGIN
    for column, text in zip(columns, row, strict=True):
        size = height * POINTS * (TYPE * 0.7 if head else TYPE)
        bold, colour = column.bold and not head, PALE if head else INK
        wall.write_at(x, y, column.share * share, height, text, size=size, bold=bold, align=column.align, colour=colour)
        x += column.share * share
    wall.set_draw_color(*LINE)
    wall.set_line_width(0.5 if head else 0.2)
    wall.line(MARGIN, y + height, x, y + height)


Made = Callable[[Competition, Player | None, str], bytes]
OF_COMPETITION: Mapping[str, Made] = {"standings": standings, "pairings": pairings, "bracket": bracket}


def name(found: Competition, what: str) -> str:
    """Return the name of the file."""
    return f"{found.slug}-{slugify(what)}.pdf"
