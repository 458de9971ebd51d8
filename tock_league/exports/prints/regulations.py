"""The regulations of an event on one page: what its page of regulations says, in type as large as fits."""

from django.utils.translation import gettext as _

from tock_league.accounts.models import Player
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.seasons.regulation_lines import RegulationLine, regulation_lines

from ..paper import LEADING, LEAST, MARGIN, POINTS, clean
from .document import THIN, Document
from .kinds import Choice

TERM = 0.25  # of the page's width, for what a line is about
LARGEST = 13.0  # points
BETWEEN = 1.2  # millimetres between two lines at the largest type

Line = tuple[str, str]  # what it is about, what holds


def regulations(found: Competition, _viewer: Player | None, choice: Choice) -> bytes:
    """Return the regulations on one page. Two queries."""
    document = Document(found, choice.paper)
    document.page_of(_("Regulations"))
    lines = [(line.term, _text(line)) for line in regulation_lines(found)]
    width, height = document.room
    size = LARGEST
    while size > LEAST and _height(document, lines, size) > height:
        size -= 0.25
    y = document.top
    for term, text in lines:
        taken = _taken(document, text, size)
        document.write_fitting(MARGIN, y, TERM * width, size / POINTS * LEADING * 1.3, term, size=size * 0.9, bold=True)
        document.set_font("atkinson", "", size)
        for place, part in enumerate(_parts(document, text)):
            document.set_xy(MARGIN + TERM * width, y + place * size / POINTS * LEADING + 0.2 * size / POINTS)
            document.cell((1 - TERM) * width, size / POINTS * LEADING, part)
        y += taken
        document.rule(y, thick=THIN)
    return document.made()


def _parts(document: Document, text: str) -> list[str]:
    inner = (1 - TERM) * document.room[0] - 2 * document.c_margin
    return [part for row in text.split("\n") for part in document.wrapped(clean(row), inner)]


def _taken(document: Document, text: str, size: float) -> float:
    document.set_font("atkinson", "", size)
    return len(_parts(document, text)) * size / POINTS * LEADING + 2 * BETWEEN * size / LARGEST


def _height(document: Document, lines: list[Line], size: float) -> float:
    return sum(_taken(document, text, size) for _term, text in lines)


def _text(line: RegulationLine) -> str:
    """Return what stands beside the term, a row for each thing."""
    code = f"({line.code})" if line.text and line.rules_page else line.code
    first = " ".join(part for part in (line.text, code) if part)
    items = [f"{number}. {item}" for number, item in enumerate(line.items, start=1)]
    return "\n".join(row for row in (first, *items, line.more) if row)
