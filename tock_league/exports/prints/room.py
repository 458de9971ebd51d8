"""The sheet that says how others in the room reach the site: its address in large letters, and a code."""

from django.urls import reverse
from django.utils.translation import gettext as _

from tock_league.accounts.models import Player
from tock_league.competitions.models import Competition

from ..paper import MARGIN, PALE
from .codes import draw_code
from .document import Document
from .kinds import Choice

CODE = 110.0  # millimetres


def room(found: Competition, _viewer: Player | None, choice: Choice) -> bytes:
    """Return one page; its code leads to the event's page at the address that others in the room reach."""
    document = Document(found, choice.paper)
    document.page_of(_("How to reach this site in the room"))
    width, y = document.room[0], document.top
    said = _("Join the same network, then type this address or point your phone’s camera at the code.")
    document.write_fitting(MARGIN, y + 4, width, 14, said, size=13)
    document.write_fitting(MARGIN, y + 24, width, 26, shown(choice.site), size=60, bold=True, align="C")
    address = choice.site + reverse("competitions:competition", args=[found.slug])
    draw_code(document, address, (document.w - CODE) / 2, y + 56, CODE)
    last = _("No internet is needed.")
    document.write_fitting(MARGIN, y + 58 + CODE, width, 8, last, size=12, align="C", colour=PALE)
    return document.made()


def shown(site: str) -> str:
    """Return an address as people type it: without http://, which browsers add."""
    return site.removeprefix("http://")
