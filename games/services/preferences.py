"""Keeps what a player has chosen for the tables' pages."""

from games.models import TablePreferences
from games.selectors import preferences
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common.transactions import writing


def choose(*, by: Person, player: Player | None, chosen: object) -> dict[str, str]:
    """Write the settings in `chosen` over what `player` has chosen before, and return all of it; only the own ones.

    Raises NotAllowed for another person, and for a login without a player; Refused as `preferences.checked` does.
    """
    with writing():
        require(by, "profile.edit", player, needed="player")
        valid = preferences.checked(chosen)
        row, _created = TablePreferences.objects.select_for_update().get_or_create(player=player)
        known = {name: value for name, value in row.chosen.items() if name in preferences.BY_NAME}
        row.chosen = known | valid
        row.save(update_fields=["chosen", "updated_at"])
        return row.chosen
