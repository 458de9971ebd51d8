from django.db import models

from tock_league.accounts.models import Player
from tock_league.common.models import Stamped


class TablePreferences(Stamped):
    """What a player has chosen for the tables' pages, and learnt there; the device keeps its own copy."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="table_preferences")
    chosen = models.JSONField(default=dict)  # values by the name of the setting, see `games.selectors.preferences`

    # names of the lessons of the guided first game that the player has finished
    lessons = models.JSONField(default=list)

    class Meta:
        verbose_name_plural = "table preferences"

    def __str__(self) -> str:
        return f"table preferences of {self.player_id}"
