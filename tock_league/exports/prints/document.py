"""A document to print: the head and foot of its pages, and lists that go on over pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tock_league.accounts.templatetags.people import hour, span
from tock_league.common import clock
from tock_league.competitions.models import Competition

from ..paper import LINE, MARGIN, PALE, Paper

HEAD = 21.0  # millimetres above the contents
FOOT = 9.0
TITLE, SUBTITLE, SMALL = 17.0, 12.5, 8.0  # points
THICK, THIN = 0.4, 0.15  # of lines, in millimetres
TEXT = 10.5  # points of a row
UNDER = 8.0  # points of the second line of a row
TALL, LOW = 10.0, 9.5  # millimetres of a row with two texts, and with one, whose type is TEXT
LARGER = 1.5  # how much higher the rows of a short list are
DASH = 2.0

# A cell's text, or two texts below each other, the second one small.
Cell = str | tuple[str, str]
Row = Sequence[Cell]


@dataclass(frozen=True)
class Column:
    """A column of a list: its head, its share of the width, its alignment, whether it is bold."""

    head: str
    share: float
    align: str = "L"
    bold: bool = False


class Document(Paper):
    """Pages of one event, each with its name, its date, what the page shows, and its number.

    `headed`: without a head the page is for pieces that are cut and say for themselves what they belong to.
    """

    def __init__(self, found: Competition, paper: str, *, wide: bool = False, headed: bool = True) -> None:
        super().__init__(found.name, paper, wide=wide)
        self.event, self.date, self.subtitle, self.headed = found.name, date_of(found), "", headed
        self.set_lang(get_language() or "fr")

    @property
    def top(self) -> float:
        """Where the contents begin, in millimetres."""
        return MARGIN + (HEAD if self.headed else 0)

    @property
    def room(self) -> tuple[float, float]:
        """Width and height of the contents, in millimetres."""
        return self.w - 2 * MARGIN, self.h - MARGIN - FOOT - self.top

    def page_of(self, subtitle: str) -> None:
        """Begin a page that shows `subtitle`."""
        self.subtitle = subtitle
        self.add_page()

    def header(self) -> None:
        """Write the event's name, its date and what the page shows."""
        if not self.headed:
            return
        width = self.room[0]
        name, day = 0.68 * width, 0.32 * width
        self.write_fitting(MARGIN, MARGIN - 2, name, 10, self.event, size=TITLE, bold=True, family="besley")
        self.write_fitting(MARGIN + name, MARGIN - 2, day, 10, self.date, size=SUBTITLE * 0.8, align="R")
        self.write_fitting(MARGIN, MARGIN + 8, width, 7, self.subtitle, size=SUBTITLE)
        self.rule(MARGIN + HEAD - 4)

    def footer(self) -> None:
        """Write when this was so, the event where the page has no head, and the page's number."""
        now = clock.now()
        pages = _("Page %(page)s of %(pages)s") % {"page": self.page_no(), "pages": self.str_alias_nb_pages}
        # Translators: a date and an hour, such as 2026-11-25, 19:30
        at = _("As of %(day)s, %(hour)s") % {"day": f"{timezone.localtime(now):%Y-%m-%d}", "hour": hour(now)}
        about = [] if self.headed else [self.event, self.date, self.subtitle]
        said = " · ".join(part for part in (pages, *about, at) if part)
        self.write_fitting(MARGIN, self.h - MARGIN - 3, self.room[0], 5, said, size=SMALL, colour=PALE)

    def rule(self, y: float, *, thick: float = THICK) -> None:
        """Draw a line from margin to margin."""
        self.set_draw_color(*LINE)
        self.set_line_width(thick)
        self.line(MARGIN, y, self.w - MARGIN, y)

    def to_write_on(self, x: float, y: float, width: float) -> None:
        """Draw a line on which somebody writes by hand."""
        self.set_draw_color(0)
        self.set_line_width(THIN)
        self.line(x, y, x + width, y)

    def box(self, x: float, y: float, side: float, *, ticked: bool = False) -> None:
        """Draw a square to tick."""
        self.set_draw_color(0)
        self.set_line_width(0.3)
        self.rect(x, y, side, side)
        if ticked:
            self.set_line_width(0.6)
            self.line(x + 0.2 * side, y + 0.55 * side, x + 0.42 * side, y + 0.8 * side)
            self.line(x + 0.42 * side, y + 0.8 * side, x + 0.85 * side, y + 0.2 * side)

    def cut(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draw a line to cut along."""
        self.set_draw_color(*LINE)
        self.set_line_width(0.2)
        self.set_dash_pattern(dash=DASH, gap=DASH)
        self.line(x, y, to_x, to_y)
        self.set_dash_pattern()

    def listing(self, title: str, columns: Sequence[Column], rows: Sequence[Row], *, height: float) -> None:
        """Write a list on as many pages as it needs, the heads of its columns on each.

        `height`: of a row, in millimetres, at least; a short list is larger, so that it is read from further away.
        """
        most = max(1, int(self.room[1] / height) - 1)
        pages = max(1, -(-len(rows) // most))
        if pages == 1:
            height = min(LARGER * height, self.room[1] / (len(rows) + 1))
        for page in range(pages):
            self.page_of(title if pages == 1 else f"{title} ({page + 1}/{pages})")
            self._line(self.top, height, columns, [column.head for column in columns], head=True)
            for number, row in enumerate(rows[page * most : (page + 1) * most], start=1):
                self._line(self.top + number * height, height, columns, row)

    def _line(self, y: float, height: float, columns: Sequence[Column], row: Row, *, head: bool = False) -> None:
        share = self.room[0] / sum(column.share for column in columns)
        x = MARGIN
        for column, cell in zip(columns, row, strict=True):
            width = column.share * share
            text, under = cell if isinstance(cell, tuple) else (cell, "")
            bold = column.bold and not head
            # Type grows with the rows; in low rows of one line it fills them.
            size = SMALL if head else TEXT * (height / TALL if under else max(1, height / LOW))
            over = 0.58 * height if under else height
            self.write_fitting(x, y, width, over, text, size=size, bold=bold, align=column.align)
            if under:
                below = 0.36 * height
                self.write_fitting(
                    x, y + over, width, below, under, size=UNDER * height / TALL, align=column.align, colour=PALE
                )
            x += width
        self.rule(y + height, thick=THICK if head else THIN)


def date_of(found: Competition) -> str:
    """Return the days of the event in words, "" while they are not set. One query."""
    dates = list(
        found.matches.filter(starts_at__isnull=False).order_by("starts_at").values_list("starts_at", flat=True)
    )
    first: datetime | None = dates[0] if dates else found.starts_at
    if first is None:
        return ""
    if found.is_planned and found.starts_at is not None:
        first = min(first, found.starts_at)
    return str(span(first, dates[-1] if dates else None))
