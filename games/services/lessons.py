"""Keeps which lessons of the guided first game a player has finished."""

from django.utils.translation import gettext_lazy as _

from games.models import TablePreferences
from games.selectors.lessons import LESSONS
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing


def finish(*, by: Person, player: Player | None, names: object) -> list[str]:
    """Add lessons to those that `player` has finished, and return all of them in their order; only the own ones.

    `names`: a list of names, of which some may be known already. Raises NotAllowed for another person, and for a login
    without a player; Refused `lessons` when `names` is no list of names of lessons.
    """
    with writing():
        require(by, "profile.edit", player, needed="player")
        known = [one.name for one in LESSONS]
        if not isinstance(names, list) or not all(name in known for name in names):
            raise Refused(
                "lessons", _("Send a list of lessons: %(names)s.") % {"names": ", ".join(known)}, field="lessons"
            )
        row, _created = TablePreferences.objects.select_for_update().get_or_create(player=player)
        row.lessons = [name for name in known if name in names or name in row.lessons]
        row.save(update_fields=["lessons", "updated_at"])
        return row.lessons
