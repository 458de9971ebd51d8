"""What the services of a hall share."""

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Refused
from tock_league.competitions.models import Competition

# Of a finished event the hall stays open: there is a podium to show.
CLOSED = (Competition.State.DRAFT, Competition.State.CANCELLED, Competition.State.ARCHIVED)


def refuse_without_hall(competition: Competition) -> None:
    """Raise Refused (`competition_state`) for an event that is a draft, cancelled or archived."""
    if competition.state in CLOSED:
        raise Refused("competition_state", _("A draft, a cancelled or an archived event has no hall."))
