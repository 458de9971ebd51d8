"""The private links of the teams: a card for each, with a code that its players read with their phones."""

from django.urls import reverse
from django.utils.translation import gettext as _

from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Competition
from tock_league.hall.selectors.secret import secret_of
from tock_league.hall.selectors.teams import links_of

from ..paper import FOOT, MARGIN, PALE
from .codes import draw_code
from .document import Document
from .kinds import Choice

ACROSS, DOWN = 2, 4  # cards of a sheet
CODE = 38.0  # millimetres: read from the length of an arm


def links(found: Competition, _viewer: Player | None, choice: Choice) -> bytes:
    """Return a card for each team that has a link. NotThere where none has. Two queries."""
    lines = [(line, secret_of(line.link)) for line in links_of(found) if line.link is not None]
    cards = [(line.name, reverse("hall:team", args=[secret])) for line, secret in lines if secret]
    if not cards:
        raise NotThere
    document = Document(found, choice.paper, headed=False)
    width, height = document.room[0] / ACROSS, (document.h - 2 * MARGIN - FOOT / 2) / DOWN
    for place, (name, path) in enumerate(cards):
        on_page = place % (ACROSS * DOWN)
        if on_page == 0:
            document.page_of(_("Links of the teams"))
            _cuts(document, width, height)
        at = (MARGIN + on_page % ACROSS * width, MARGIN + on_page // ACROSS * height, width, height)
        _card(document, name, choice.site + path, at)
    return document.made()


def _cuts(document: Document, width: float, height: float) -> None:
    for line in range(DOWN + 1):
        document.cut(MARGIN, MARGIN + line * height, document.w - MARGIN, MARGIN + line * height)
    for line in range(ACROSS + 1):
        document.cut(MARGIN + line * width, MARGIN, MARGIN + line * width, MARGIN + DOWN * height)


def _card(document: Document, name: str, address: str, at: tuple[float, float, float, float]) -> None:
    """Draw a card. `at`: x, y, width and height."""
    x, y, width, height = at
    about = " · ".join(part for part in (document.event, document.date) if part)
    document.write_fitting(x + 3, y + 3, width - 6, 8, about, size=9, colour=PALE)
    text = width - CODE - 8
    low = y + height - CODE - 2
    document.write_fitting(x + 3, low + 1, text, 20, name, size=16, bold=True, family="besley")
    said = _("Your table, your opponents and the time, on the phone. Show this code only to your team.")
    document.write_fitting(x + 3, low + 22, text, 15, said, size=9)
    draw_code(document, address, x + width - CODE - 2, low, CODE)
