from django.db import models
from django.db.models import Q

from tock_league.common.models import Stamped

from .table import Table

CODE_LENGTH = 6


class CasualTable(Stamped):
    """What a casual table has besides its `Table`: how people find it, and what its bots are."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="casual")
    code = models.CharField(max_length=CODE_LENGTH, unique=True)  # in the link, and to be read out
    # Who opened it: a player, or a guest by the key of the session.
    host = models.ForeignKey("accounts.Player", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    host_key = models.CharField(max_length=64, blank=True, default="")
    listed = models.BooleanField(default=False)  # in the list of open tables, and of games to watch
    quick = models.BooleanField(default=False)  # it waits for whoever presses "quick seat", and begins when it is full
    level = models.CharField(max_length=10)  # of the bots that take seats here

    class Meta:
        indexes = [models.Index(fields=["quick", "listed"], name="casual_lobby")]

    def __str__(self) -> str:
        return self.code


class TableInvitation(models.Model):
    """Somebody at a casual table asks a player to sit down there; deleted when the player sits down or declines."""

    casual = models.ForeignKey(CasualTable, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="table_invitations")
    by = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["casual", "player"], name="table_invitation_once")]

    def __str__(self) -> str:
        return f"invitation to {self.casual_id}"


class HeldSeat(models.Model):
    """Who has held which seat in a game of a casual table: nobody may see a second hand of the same game."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="held_seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey("accounts.Player", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    guest_key = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        # A guest's own games are found by the key.
        indexes = [models.Index(fields=["guest_key"], name="held_seat_guest", condition=~Q(guest_key=""))]
        constraints = [
            models.CheckConstraint(condition=Q(player__isnull=False) | ~Q(guest_key=""), name="held_seat_by_somebody"),
            models.UniqueConstraint(fields=["game", "player"], name="held_seat_of_player"),
            models.UniqueConstraint(
                fields=["game", "guest_key"], name="held_seat_of_guest", condition=~Q(guest_key="")
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}"
