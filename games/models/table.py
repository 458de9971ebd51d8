from django.db import models
from django.utils.translation import gettext_lazy as _

from tock_league.common.models import Stamped

GUEST_NAME_LENGTH = 20


class Table(Stamped):
    """The live place of one match, casual meeting or practice session; it holds its games one after another."""

    class Kind(models.TextChoices):
        MATCH = "match", _("match")
        PRACTICE = "practice", _("practice")
        CASUAL = "casual", _("casual")

    class State(models.TextChoices):
        OPEN = "open", _("open")  # seats are being taken
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")  # decided: enough games are won
        CLOSED = "closed", _("closed")  # players did not come, or left; the organiser decides

    class Release(models.TextChoices):
        DEAL = "deal", _("one deal late")
        LIVE = "live", _("live")
        GAME = "game", _("after the game")

    slug = models.CharField(max_length=20, unique=True)  # the public id
    name = models.CharField(max_length=120)
    rules = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    teams = models.PositiveSmallIntegerField()
    team_names = models.JSONField(default=list)  # a text for each team, or empty
    # Individual play only: the game continues until one seat is left, instead of ending with the first that finishes.
    full_ranking = models.BooleanField(default=False)
    # The number of rounds of a game; 0: the family's own rule ends it.
    rounds = models.PositiveSmallIntegerField(default=0)
    # TimeCap as JSON; null: a game goes to its end.
    cap = models.JSONField(null=True, blank=True)
    # A tied game does not count: another one is played, as in a knockout.
    decisive = models.BooleanField(default=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    rated = models.BooleanField(default=False)
    # Touched marble is enforced; a casual table may switch it off.
    touch = models.BooleanField(default=True)
    bots_allowed = models.BooleanField(default=False)
    # Nobody but those who hold a seat sees the table and its replays.
    seated_only = models.BooleanField(default=False)
    # When spectators may see what happened.
    release = models.CharField(max_length=5, choices=Release.choices, default=Release.DEAL)
    best_of = models.PositiveSmallIntegerField(default=1)  # the most games played: 3 ends when a team has won 2
    # ClockSettings as JSON; null: no clock runs here and nobody forfeits by time.
    clocks = models.JSONField(null=True, blank=True)
    # How long the table waits for a called referee, in seconds; 0: nobody is on duty and the game continues at once.
    referee_wait_s = models.PositiveSmallIntegerField(default=300)
    opens_at = models.DateTimeField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["state", "starts_at"], name="table_lobby")]
        constraints = [
            models.CheckConstraint(condition=models.Q(best_of__gte=1), name="table_best_of"),
            models.CheckConstraint(condition=models.Q(seats__gte=2, teams__gte=2), name="table_shape"),
            models.CheckConstraint(
                condition=models.Q(full_ranking=False) | models.Q(teams=models.F("seats")), name="table_full_ranking"
            ),
            models.CheckConstraint(condition=models.Q(referee_wait_s__lte=3600), name="table_referee_wait"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"

    @property
    def forfeits(self) -> bool:
        """Whether who does not come, or lets the clock play too often, loses: in matches and rated games of people."""
        return self.clocks is not None and (
            self.kind == self.Kind.MATCH or (self.kind == self.Kind.CASUAL and not self.bots_allowed)
        )


class Seating(models.Model):
    """The holder of a seat: a player, a guest's session, a bot, or a bot that plays for a player's identity (demo
    only).
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seatings")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        "accounts.Player", null=True, blank=True, on_delete=models.PROTECT, related_name="seatings"
    )
    # The key in the session of the guest who holds the seat; never shown.
    guest_key = models.CharField(max_length=64, blank=True, default="")
    # The name by which a guest plays at a casual table, or empty.
    guest_name = models.CharField(max_length=GUEST_NAME_LENGTH, blank=True, default="")
    # The level of the built-in bot that plays, or empty.
    bot = models.CharField(max_length=10, blank=True, default="")
    # At a casual table: when its person was last there, to the minute.
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["table", "seat"]
        # A guest's own tables are found on every page that the guest opens.
        indexes = [models.Index(fields=["guest_key"], name="seating_guest", condition=~models.Q(guest_key=""))]
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="seating_seat"),
            models.CheckConstraint(
                condition=models.Q(player__isnull=False) | ~models.Q(guest_key="") | ~models.Q(bot=""),
                name="seating_held",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}"

    @property
    def name(self) -> str:
        """The name of the person on the seat; empty for a bot, and for a guest at a practice table."""
        return self.player.display_name if self.player else self.guest_name


class TableRole(models.Model):
    """A role at one table that comes from elsewhere, such as a competition's referee; games only reads it."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="roles")
    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="table_roles")
    role = models.CharField(max_length=20)  # such as "referee", see `games.permissions.REFEREES`

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "player", "role"], name="table_role_once")]

    def __str__(self) -> str:
        return self.role
