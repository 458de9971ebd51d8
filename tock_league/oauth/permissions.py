"""Who may suspend applications. What a person does with their own needs no rule but being that person."""

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import rule


@rule("application.suspend")
def _suspend(person: Player, _thing: object) -> bool:
    return False  # administrators only
