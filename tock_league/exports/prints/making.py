"""What makes each sheet. Imported late: fpdf2 takes a second and 29 MB, and few processes ever make a PDF."""

from collections.abc import Callable, Mapping

from django.utils.text import slugify

from tock_league.accounts.models import Player
from tock_league.competitions.models import Competition

from . import bracket, certificates, pairings, people, regulations, room, slips, tables, teams
from .kinds import BY_KEY, Choice, allow

Maker = Callable[[Competition, Player | None, Choice], bytes]
MAKERS: Mapping[str, Maker] = {
    "pairings": pairings.by_table,
    "pairings-by-name": pairings.by_name,
    "standings": tables.standings,
    "cross-table": tables.cross,
    "bracket": bracket.bracket,
    "regulations": regulations.regulations,
    "slips": slips.slips,
    "check-in": people.check_in,
    "badges": people.badges,
    "team-links": teams.links,
    "room": room.room,
    "poster": people.poster,
    "certificates": certificates.certificates,
}


def made(found: Competition, person: Player | None, what: str, choice: Choice) -> bytes:
    """Return a sheet of an event that `person` may see, as PDF in the reader's language.

    Raise NotThere for a sheet that the event does not have, now or at all, and NotAllowed (403) where it is for its organisers.
    """
    allow(person, found, what)
    return MAKERS[what](found, person, choice)


def name(found: Competition, what: str) -> str:
    """Return the name of the file."""
    return f"{found.slug}-{slugify(str(BY_KEY[what].title))}.pdf"
