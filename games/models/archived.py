from django.db import models

from .game import Game


class ArchivedRecord(models.Model):
    """The whole record of one finished game, packed; its rows (`GameEvent`) are deleted meanwhile.

    See docs/archive.md for the format, and docs/decisions/0037 for the reasons.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="archived")
    rows = models.PositiveIntegerField()
    body = models.BinaryField()  # JSON Lines of the exported record, compressed by gzip
    sha256 = models.CharField(max_length=64)  # of the uncompressed lines, hex
    archived_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(rows__gte=1), name="archived_rows")]

    def __str__(self) -> str:
        return f"archived record of game {self.game_id}"
