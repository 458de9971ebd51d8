from django.db import models

from tock_league.common.models import Stamped

from .game import Game


class Analysis(Stamped):
    """What a bot thinks of a finished game, choice by choice. Worked out once and kept; losing it loses nothing.

    `by`: the bot and the edition of its judgement, such as `club/1`. `body`: a list of choices, see
    `games.services.analysis.Assessed`; null while it is waited for.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="analysis")
    by = models.CharField(max_length=20)
    body = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "analyses"

    def __str__(self) -> str:
        return f"analysis of game {self.game_id} by {self.by}"
