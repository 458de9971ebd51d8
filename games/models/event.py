from django.db import models

from .game import Game


class GameEvent(models.Model):
    """One row of a game's record; the columns are those of `games.fold.Row`. Append-only: never changed; deleted only
    when the whole record goes into the archive (`ArchivedRecord`).

    On PostgreSQL the table is partitioned by `month`, and a foreign key over (game, month) ties it to the game's, so the
    constraints below hold across all partitions. See docs/decisions/0036.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="events", db_index=False)  # event_seq serves
    month = models.PositiveIntegerField()  # that of the game
    seq = models.PositiveIntegerField()  # contiguous from 1
    epoch = models.PositiveIntegerField(default=0)  # a count that rises at each rewind
    kind = models.CharField(max_length=4)  # "play" or "act"
    code = models.CharField(max_length=16)  # "play", or the act's code
    body = models.JSONField()
    actor = models.CharField(max_length=12)  # "seat:N", "system", "clock" or "referee"
    # Null, not empty, if no command caused the row: NULLs do not collide in the unique constraint.
    command_id = models.CharField(max_length=36, null=True, blank=True)  # noqa: DJ001
    # Hash of the command's content, in hex: tells a retry from a reused command id.
    body_hash = models.CharField(max_length=64, default="", blank=True)
    # Milliseconds since 1970 of the game clock; integers, so that a fold is the same everywhere.
    at = models.BigIntegerField()
    chain = models.CharField(max_length=64)  # hash of the previous row's chain value and this row, in hex

    class Meta:
        ordering = ["game", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["game", "seq"], name="event_seq"),
            models.UniqueConstraint(fields=["game", "command_id"], name="event_command"),
            models.CheckConstraint(condition=models.Q(seq__gte=1), name="event_from_one"),
            models.CheckConstraint(condition=models.Q(kind__in=["play", "act"]), name="event_kind"),
        ]

    def __str__(self) -> str:
        return f"event {self.seq}"  # never its body: rows of a running game are secret
