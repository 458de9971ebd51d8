"""What the desk has for the people of an event: the check-in list, and badges with a code."""

from django.urls import reverse
from django.utils.translation import gettext as _

from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere
from tock_league.common.names import by_alphabet
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.entries import registration
from tock_league.competitions.selectors.entries.registration import EntryView, SpotView

from ..paper import FOOT, MARGIN, PALE
from .codes import draw_code
from .document import THIN, UNDER, Document
from .kinds import Choice

TEAM, PLAYER, SQUARE = 8.5, 7.5, 4.6  # millimetres of the check-in list: a team's line, a player's, the box
ACROSS, DOWN = 2, 4  # badges of a sheet
CODE = 26.0
POSTER_TEXT, POSTER_PART = 60, 0.8  # millimetres of its lines; what part of the rest its code takes


def _taking_part(found: Competition) -> list[EntryView]:
    views = [view for view in registration.entry_views(found) if view.entry.state not in registration.GONE]
    return sorted(views, key=lambda view: by_alphabet(view.name))


def _club(view: EntryView) -> str:
    team = view.entry.team
    return team.club.name if team is not None and team.club is not None else ""


def check_in(found: Competition, _viewer: Player | None, choice: Choice) -> bytes:
    """Return the teams by the alphabet, with a box for each player; who is here already has a tick. Four queries."""
    document = Document(found, choice.paper)
    bottom = document.h - MARGIN - FOOT
    y = bottom + 1
    for view in _taking_part(found):
        needed = TEAM + PLAYER * len(view.spots)
        if y + needed > bottom:
            document.page_of(_("Check-in list"))
            y = document.top
        _team(document, view, y)
        for place, spot in enumerate(view.spots):
            _player(document, spot, y + TEAM + place * PLAYER)
        y += needed + 1.5
    return document.made()


def _team(document: Document, view: EntryView, y: float) -> None:
    width = document.room[0]
    said = " · ".join(part for part in (_club(view), str(view.entry.get_state_display())) if part)
    document.write_fitting(MARGIN, y, 0.55 * width, TEAM, view.name, size=12, bold=True)
    document.write_fitting(MARGIN + 0.55 * width, y, 0.45 * width, TEAM, said, size=UNDER + 1, align="R", colour=PALE)
    document.rule(y + TEAM)


def _player(document: Document, spot: SpotView, y: float) -> None:
    width = document.room[0]
    document.box(MARGIN + 2, y + (PLAYER - SQUARE) / 2, SQUARE, ticked=spot.here)
    document.write_fitting(MARGIN + 9, y, 0.45 * width, PLAYER, spot.player.display_name, size=11)
    confirmed = _("confirmed") if spot.confirmed else _("not confirmed yet")
    said = f"{spot.spot.get_role_display()}, {confirmed}"
    document.write_fitting(MARGIN + 9 + 0.45 * width, y, 0.3 * width, PLAYER, said, size=UNDER + 1, colour=PALE)
    document.rule(y + PLAYER, thick=THIN)


def badges(found: Competition, _viewer: Player | None, choice: Choice) -> bytes:
    """Return a badge for each player of the entries, whose code checks the player in, and leads to the player's page.

    Four queries.
    """
    document = Document(found, choice.paper, headed=False)
    width, height = document.room[0] / ACROSS, (document.h - 2 * MARGIN - FOOT / 2) / DOWN
    people = [(view, spot) for view in _taking_part(found) for spot in view.spots]
    site = choice.site + reverse("competitions:poster", args=[found.slug])
    for place, (view, spot) in enumerate(people):
        on_page = place % (ACROSS * DOWN)
        if on_page == 0:
            document.page_of(_("Badges"))
            for line in range(DOWN + 1):
                document.cut(MARGIN, MARGIN + line * height, document.w - MARGIN, MARGIN + line * height)
            for line in range(ACROSS + 1):
                document.cut(MARGIN + line * width, MARGIN, MARGIN + line * width, MARGIN + DOWN * height)
        x, y = MARGIN + on_page % ACROSS * width, MARGIN + on_page // ACROSS * height
        _badge(document, view, spot, (x, y, width, height), site)
    return document.made()


def _badge(
    document: Document, view: EntryView, spot: SpotView, at: tuple[float, float, float, float], site: str
) -> None:
    """Draw a badge: event, name in large letters, team and club, and the code. `at`: x, y, width and height."""
    x, y, width, height = at
    inside = width - 6
    about = " · ".join(part for part in (document.event, document.date) if part)
    document.write_fitting(x + 3, y + 3, inside, 8, about, size=9, colour=PALE)
    document.write_fitting(x + 3, y + 11, inside, 20, spot.player.display_name, size=24, bold=True, family="besley")
    text = inside - CODE
    low = y + height - CODE - 2
    role = str(spot.spot.get_role_display()) if spot.is_substitute else ""
    document.write_fitting(x + 3, low + 2, text, 12, view.name, size=13, bold=True)
    club = " · ".join(part for part in (_club(view), role) if part)
    document.write_fitting(x + 3, low + 14, text, 9, club, size=10)
    address = f"{site}{spot.player.slug}/"
    draw_code(document, address, x + width - CODE - 2, low, CODE)


def poster(found: Competition, _viewer: Player | None, choice: Choice) -> bytes:
    """Return a page to hang at the door: its code leads each player to the own check-in. No query. NotThere without one."""
    if not found.has_check_in:
        raise NotThere
    document = Document(found, choice.paper)
    document.page_of(_("Check-in"))
    width, height = document.room
    side = min(width, height - POSTER_TEXT) * POSTER_PART
    document.write_fitting(
        MARGIN, document.top + 4, width, 16, _("You are here? Scan, sign in, press."), size=22, bold=True, align="C"
    )
    address = choice.site + reverse("competitions:poster", args=[found.slug])
    draw_code(document, address, MARGIN + (width - side) / 2, document.top + 26, side)
    document.write_fitting(MARGIN, document.top + 32 + side, width, 8, address, size=12, align="C")
    return document.made()
