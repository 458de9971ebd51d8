from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.common.models import Stamped

from .table import Table


class Game(Stamped):
    """One play from the first deal to the end.

    The rows (GameEvent) are the source of truth. Every column below `rules` is an index of their fold, updated in the
    transaction that appends; `replay_game` recomputes it and must find no difference.
    """

    class State(models.TextChoices):
        SEATING = "seating", _("waiting for the players")
        PLAYING = "playing", _("playing")
        OVER = "over", _("over")

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()  # order of the games at the table
    slug = models.CharField(max_length=20, unique=True)  # the public id
    rules = models.CharField(max_length=40)
    # The month, in UTC, of the game's first row, as 202612; each of its rows carries it. It never changes.
    month = models.PositiveIntegerField()

    state = models.CharField(max_length=10, choices=State.choices, default=State.SEATING)
    epoch = models.PositiveIntegerField(default=0)
    last_seq = models.PositiveIntegerField(default=0)
    # Spectators may see no later row, see `games.fold.release.bound`.
    released_seq = models.PositiveIntegerField(default=0)
    # Chain value of the last row, in hex.
    chain = models.CharField(max_length=64, default="", blank=True)
    phase = models.CharField(max_length=10, default="", blank=True)
    # The seat to act; null when none or more than one has to.
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    # The id of the current decision, `epoch.seq`.
    decision = models.CharField(max_length=24, default="", blank=True)
    # The game waits for a referee, or for the deadline of waiting for one.
    frozen = models.BooleanField(default=False)
    # The deadline of the current decision (kind "decision"), of waiting for the referee ("referee") or of taking the
    # seats ("no_show"), of opening the shares of the shuffle ("shares"); or when the table draws the next cards ("draw") or
    # asks for the public beacon ("beacon").
    due_at = models.DateTimeField(null=True, blank=True)
    due_kind = models.CharField(max_length=10, default="", blank=True)
    # When a built-in bot has thought long enough; null when no bot is to act.
    bot_at = models.DateTimeField(null=True, blank=True)
    # The result; the codes of the reasons are those of `games.announcements.GameFinished`.
    ranks = models.JSONField(null=True, blank=True)  # per team, 0 is best, ties share a rank
    reason = models.CharField(max_length=20, default="", blank=True)
    rated = models.BooleanField(default=False)
    unrated_reason = models.CharField(max_length=20, default="", blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="game_number")]
        indexes = [
            models.Index(fields=["due_at"], name="game_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["bot_at"], name="game_bot", condition=Q(bot_at__isnull=False)),
            # Commitments that were never opened (`selectors.commitments.unopened`).
            models.Index(fields=["id"], name="game_unopened", condition=~Q(state="over") | Q(started_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"game {self.slug}"


class DealSecret(models.Model):
    """The seeds and salts of a game's deals, drawn when it was created. The used ones are revealed in the record at the
    end.

    They have a table of their own, so that lists of games do not read them.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="secret")
    seeds = models.BinaryField()  # 64 concatenated values of 32 bytes
    salts = models.BinaryField()  # 64 concatenated values of 16 bytes

    def __str__(self) -> str:
        return "secret"  # never its content


class SeatView(models.Model):
    """A referee's permission to see one seat's hand in a game for a while; each is also an act of the record."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seat_views")
    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="seat_views")
    seat = models.PositiveSmallIntegerField()
    granted_at = models.DateTimeField()
    until = models.DateTimeField()  # the permission expires then
    ended_at = models.DateTimeField(null=True, blank=True)  # set when it was ended

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "player"], name="seat_view_one_at_a_time", condition=Q(ended_at__isnull=True)
            ),
            models.CheckConstraint(condition=Q(until__gt=models.F("granted_at")), name="seat_view_ends"),
        ]

    def __str__(self) -> str:
        return f"view of seat {self.seat}"
