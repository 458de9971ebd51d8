"""Sheets of paper: the fonts of the look, texts that fit, and the sheets for a wall, with the library fpdf2."""

import re
from functools import cache
from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext as _
from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.fpdf import get_page_format

from tock_league.common import clock
from tock_league.common.errors import NotThere

from .sheets import CONTROL

FONTS = Path(__file__).parent / "fonts"
FILES = {"": "atkinson-regular.ttf", "B": "atkinson-bold.ttf"}
TITLES = "besley-bold.ttf"  # the look's letters of headings
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
LEADING = 1.15  # of a line, in the size of its type
LEAST = 6.0  # points: the smallest type that is read without a glass
ONE_LINE, SMALLER = 0.8, 0.94
# Every space but the no-break ones, which French typography needs.
SPACES = re.compile(r"[^\S\u00a0\u202f]+")
# Spaces beside which French never begins or ends a line; people type ordinary ones.
TIED = re.compile(r"(?<=«) | (?=[»:;?!%])")
INK, PALE, LINE = (25, 30, 38), (95, 102, 112), (150, 156, 165)


class Paper(FPDF):
    """A document in the fonts of the look, in millimetres. `wide`: whether its pages lie on the long side."""

    def __init__(self, title: str, paper: str, *, wide: bool) -> None:
        super().__init__(orientation="landscape" if wide else "portrait", unit="mm", format=PAPERS[paper])
        for style, name in FILES.items():
            self.add_font("atkinson", style, FONTS / name)
            self.add_font("more", style, FONTS / MORE)
        self.add_font("besley", "B", FONTS / TITLES)
        self.set_fallback_fonts(["more"], exact_match=False)
        self.set_auto_page_break(False)
        self.set_title(clean(title))
        self.set_creation_date(clock.now())
        self.set_margin(MARGIN)

    @classmethod
    def across(cls, paper: str) -> float:
        """Return the width between the margins of an upright page, in millimetres."""
        return float(get_page_format(PAPERS[paper])[0]) / POINTS - 2 * MARGIN

    def made(self) -> bytes:
        """Return the file. Raise NotThere where nothing was written."""
        if self.page_no() == 0:
            for font in self.fonts.values():
                font.ttfont.close()  # type: ignore[union-attr]  # which `output` does otherwise
            raise NotThere
        return bytes(self.output())

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

    def write_fitting(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        text: str,
        *,
        size: float,
        least: float = LEAST,
        bold: bool = False,
        align: str = "L",
        colour: tuple[int, int, int] = INK,
        family: str = "atkinson",
    ) -> None:
        """Write a text into a box and never beyond it: in smaller type, then on several lines, then with an ellipsis.

        `size`: of the type, in points; `least`: below which it never goes, unless `size` is smaller.
        """
        text, inner, least = clean(text), width - 2 * self.c_margin, min(least, size)
        style, at = "B" if bold else "", size
        self.set_font(family, style, size)
        lines, most = [text], 1
        if self.get_string_width(text) > inner:
            while True:
                self.set_font(family, style, at)
                most = max(1, int(height / (at / POINTS * LEADING)))
                # A little smaller on one line reads better than two lines.
                whole = at >= ONE_LINE * size and self.get_string_width(text) <= inner
                lines = [text] if whole else self.wrapped(text, inner)
                if whole or (len(lines) <= most and at < ONE_LINE * size) or at <= least:
                    break
                at = max(least, at * SMALLER)
        if len(lines) > most:
            lines = [*lines[: most - 1], self._fitting(" ".join(lines[most - 1 :]), inner)]
        each = at / POINTS * LEADING
        self.set_text_color(*colour)
        for number, line in enumerate(lines):
            self.set_xy(x, y + (height - each * len(lines)) / 2 + number * each)
            self.cell(width, each, line, align=align)

    def wrapped(self, text: str, width: float) -> list[str]:
        """Return the lines of a text in the present type; a word that is wider than a line is divided."""
        lines, line = [], ""
        for word in TIED.sub("\u00a0", text).split(" "):
            joined = f"{line} {word}" if line else word
            if self.get_string_width(joined) <= width:
                line = joined
                continue
            if line:
                lines.append(line)
            line = word
            while len(line) > 1 and self.get_string_width(line) > width:
                kept = next(end for end in range(len(line) - 1, 0, -1) if end == 1 or self._fits(line[:end], width))
                lines.append(line[:kept])
                line = line[kept:]
        return [*lines, line]

    def _fits(self, text: str, width: float) -> bool:
        return bool(self.get_string_width(text) <= width)

    def _fitting(self, text: str, width: float) -> str:
        if self.get_string_width(text) <= width:
            return text
        short = text
        while short and self.get_string_width(f"{short}…") > width:
            short = short[:-1]
        return f"{short.rstrip()}…"


class Wall(Paper):
    """A document of one event: each page has its name, what the page shows, and when that was so."""

    def __init__(self, title: str, paper: str, *, wide: bool = True) -> None:
        super().__init__(title, paper, wide=wide)
        self.title_text, self.subtitle = title, ""

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


def clean(text: str) -> str:
    """Return a text of one line in letters that the fonts have; a question mark stands for any other sign."""
    line = SPACES.sub(" ", CONTROL.sub("", str(text))).strip()
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
