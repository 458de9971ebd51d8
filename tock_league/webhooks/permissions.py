"""Who looks after webhooks: the organisers of the place."""

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import rule
from tock_league.clubs.models import Club
from tock_league.competitions.models import Competition
from tock_league.competitions.permissions import organises, runs


@rule("webhook.manage")
def _manage(person: Player, place: Club | Competition) -> bool:
    """Allow officers and organisers of a club; of a competition its organisers."""
    return organises(person, place) if isinstance(place, Club) else runs(person, place)
