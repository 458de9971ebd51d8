"""Certificates for the podium, a page for each entry, to be signed by hand."""

from django.db.models import Prefetch
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.models import Player
from tock_league.competitions.models import Competition, Entry, RosterSpot
from tock_league.competitions.selectors.rankings.podium import PodiumStep

from ..paper import INK, PALE
from .document import Document
from .kinds import Choice, winners

PLACES = {
    1: pgettext_lazy("on a certificate", "First place"),
    2: pgettext_lazy("on a certificate", "Second place"),
    3: pgettext_lazy("on a certificate", "Third place"),
}
EDGE = 12.0  # millimetres from the page's edge to the frame


def certificates(found: Competition, _viewer: Player | None, choice: Choice) -> bytes:
    """Return a page for each entry on the podium, the winner's first. NotThere while the podium is not certain."""
    steps = winners(found)
    spots = RosterSpot.objects.filter(left__isnull=True, role=RosterSpot.Role.STARTER).select_related("player")
    rosters = {
        entry.pk: [spot.player.display_name for spot in entry.now]
        for entry in Entry.objects.filter(pk__in=[step.entry.pk for step in steps]).prefetch_related(
            Prefetch("roster", spots.order_by("slot"), to_attr="now")
        )
    }
    document = Document(found, choice.paper, wide=True, headed=False)
    for step in steps:
        document.page_of(_("Certificates"))
        _certificate(document, found, step, rosters.get(step.entry.pk, []))
    return document.made()


def _certificate(document: Document, found: Competition, step: PodiumStep, players: list[str]) -> None:
    width, height = document.w, document.h
    document.set_draw_color(*INK)
    for inset, thick in ((EDGE, 1.1), (EDGE + 2.5, 0.3)):
        document.set_line_width(thick)
        document.rect(inset, inset, width - 2 * inset, height - 2 * inset - 5)
    x, inner = EDGE + 12, width - 2 * (EDGE + 12)
    club = found.club.name if found.club is not None else ""
    document.write_fitting(x, 24, inner, 16, _("Certificate"), size=40, bold=True, align="C", family="besley")
    document.write_fitting(x, 42, inner, 12, found.name, size=22, align="C")
    document.write_fitting(
        x, 55, inner, 8, " · ".join(filter(None, (document.date, club))), size=13, align="C", colour=PALE
    )
    place = str(PLACES[step.rank])
    document.write_fitting(x, 74, inner, 14, place, size=28, bold=True, align="C", family="besley")
    document.write_fitting(x, 92, inner, 26, step.name, size=44, bold=True, align="C")
    said = ", ".join(name for name in players if name not in step.name)
    document.write_fitting(x, 120, inner, 14, said, size=18, align="C")
    team = step.entry.team
    of_club = team.club.name if team is not None and team.club is not None else ""
    document.write_fitting(x, 134, inner, 9, of_club, size=14, align="C", colour=PALE)
    line = height - EDGE - 24
    for left, words in ((x + 8, _("Date and place")), (x + inner - 98, _("For the organisers"))):
        document.to_write_on(left, line, 90)
        document.write_fitting(left, line + 1, 90, 5, words, size=9, align="C", colour=PALE)
