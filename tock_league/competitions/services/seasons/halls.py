"""The hall of an event: its people share one address of the internet for some hours."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common import halls
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

from ...models import Competition
from ...selectors.seasons.competitions import OVER
from ..shared.journal import note
from ..shared.locking import lock_competition

NOBODY_COMES = (Competition.State.DRAFT, *OVER)


def open_hall(*, by: Person, competition: Competition, address: str, hours: int) -> datetime:
    """Let the people at `address` sign up and look on together for so many hours; return until when.

    `address`: that of the organiser's request, see common.bounds; the journal does not name it. Raises Refused on
    `hours`, `hall_address` without an address, `competition_state` for an event that nobody can come to.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        if competition.state in NOBODY_COMES:
            raise Refused("competition_state", _("Open the hall of an event that is announced and not over."))
        if not 1 <= hours <= halls.LONGEST_H:
            text = _("Choose between 1 and %(most)s hours.") % {"most": halls.LONGEST_H}
            raise Refused("hours", text, field="hours")
        if not address:
            raise Refused("hall_address", _("The server does not see from which address you come."))
        until = halls.open_at(address, event=competition.slug, hours=hours)
        note(competition, "hall.opened", by, until=until.isoformat())
        return until


def close_hall(*, by: Person, competition: Competition) -> None:
    """Close the hall before its time is over. Idempotent."""
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        if halls.close(event=competition.slug):
            note(competition, "hall.closed", by)
