"""The rule of the register of incidents: administrators only, and they pass every rule."""

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import rule


@rule("incident.keep")
def _keep(_person: Player, _thing: object) -> bool:
    return False
