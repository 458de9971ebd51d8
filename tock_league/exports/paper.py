"""Sheets of paper for a wall: fonts, head and foot, and texts that fit, with the library fpdf2."""

from functools import cache
from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext as _
from fontTools.ttLib import TTFont
from fpdf import FPDF

from tock_league.common import clock

from .sheets import CONTROL

FONTS = Path(__file__).parent / "fonts"
FILES = {"": "atkinson-regular.ttf", "B": "atkinson-bold.ttf"}
MORE = "dejavu-more.ttf"  # letters and signs that the project's own font lacks: suits, Greek, Cyrillic
PAPERS: dict[str, str | tuple[float, float]] = {
    "letter": "letter",
    "a4": "a4",
    "a3": "a3",
    "tabloid": (279.4, 431.8),  # millimetres
}
MARGIN = 12.0
HEAD = 38.0  # millimetres above the table
FOOT = 12.0
POINTS = 2.8346  # of a millimetre
INK, PALE, LINE = (25, 30, 38), (95, 102, 112), (150, 156, 165)


class Wall(FPDF):
    """A document of one event: each page has its name, what the page shows, and when that was so."""

    def __init__(self, title: str, paper: str, *, wide: bool = True) -> None:
        super().__init__(orientation="landscape" if wide else "portrait", unit="mm", format=PAPERS[paper])
        self.title_text, self.subtitle = title, ""
        for style, name in FILES.items():
            self.add_font("atkinson", style, FONTS / name)
            self.add_font("more", style, FONTS / MORE)
        self.set_fallback_fonts(["more"], exact_match=False)
        self.set_auto_page_break(False)
        self.set_title(clean(title))
        self.set_creation_date(clock.now())
        self.set_margin(MARGIN)

    @property
    def room(self) -> tuple[float, float]:
        """Width and height between margins, head and foot, in millimetres."""
        return self.w - 2 * MARGIN, self.h - MARGIN - HEAD - FOOT

    def page_of(self, subtitle: str) -> None:
        """Begin a page that shows `subtitle`."""
        self.subtitle = subtitle
        self.add_page()

    def header(self) -> None:
        """Write the event's name and what the page shows."""
        self.write_at(MARGIN, MARGIN, self.w - 2 * MARGIN, 13, self.title_text, size=26, bold=True)
        self.write_at(MARGIN, MARGIN + 13, self.w - 2 * MARGIN, 9, self.subtitle, size=17, colour=PALE)

    def footer(self) -> None:
        """Write when this was so."""
        at = _("As of %(time)s") % {"time": f"{timezone.localtime(clock.now()):%Y-%m-%d %H:%M}"}
        self.write_at(MARGIN, self.h - FOOT, self.w - 2 * MARGIN, 6, f"{at} · {self.page_no()}", size=9, colour=PALE)

    def write_at(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        text: str,
        *,
        size: float,
        bold: bool = False,
        align: str = "L",
        colour: tuple[int, int, int] = INK,
    ) -> None:
        """Write one line into a box, cut with an ellipsis where it is too long. `size`: of the type, in points."""
        self.set_font("atkinson", "B" if bold else "", size)
        self.set_text_color(*colour)
        self.set_xy(x, y)
        self.cell(width, height, self._fitting(clean(text), width - 1), align=align)

    def _fitting(self, text: str, width: float) -> str:
        if self.get_string_width(text) <= width:
            return text
        short = text
        while short and self.get_string_width(f"{short}…") > width:
            short = short[:-1]
        return f"{short.rstrip()}…"


def clean(text: str) -> str:
    """Return a text of one line in letters that the fonts have; a question mark stands for any other sign."""
    line = " ".join(CONTROL.sub("", str(text)).split())
    known = _known()
    return "".join(sign if ord(sign) in known else "?" for sign in line)


@cache
def _known() -> frozenset[int]:
    """Return the code points of the fonts; they never change while the site runs."""
    found: set[int] = set()
    for name in (*FILES.values(), MORE):
        with TTFont(FONTS / name) as font:
            found |= set(font.getBestCmap())
    return frozenset(found)
