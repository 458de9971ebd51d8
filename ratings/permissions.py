"""The rule of the seasons of ladders: administrators only, and they pass every rule."""

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import rule


@rule("season.end")
def _end_season(_person: Player, _thing: object) -> bool:
    return False
