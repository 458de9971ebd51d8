from django.db import models

from tock_league.common.models import Stamped

from .game import Game


class Analysis(Stamped):
    """A bot's judgement of each choice in a finished game. A cache: it can be computed again."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="analysis")
    by = models.CharField(max_length=20)  # the bot and the edition of its judgement, such as `club/1`
    body = models.JSONField(null=True)  # a list of choices, see `games.services.analysis.Assessed`; null while waiting

    class Meta:
        verbose_name_plural = "analyses"

    def __str__(self) -> str:
        return f"analysis of game {self.game_id} by {self.by}"
