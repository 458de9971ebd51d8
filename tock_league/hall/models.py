"""What a hall follows: the round clock, announcements, screens, and the private links of teams."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.models import plain_text
from tock_league.common.validation import no_markup
from tock_league.competitions.models import Competition, Entry

TEXT_LENGTH, NAME_LENGTH = 160, 40


class RoundClock(models.Model):
    """The clock of an event. It is running, paused, or stopped; what is left follows from these instants alone, so a restart
    of the server changes nothing."""

    class Call(models.TextChoices):
        DEAL = "deal", pgettext_lazy("the call when time is up", "Last deal")
        TURN = "turn", pgettext_lazy("the call when time is up", "One more turn each")
        STOP = "stop", pgettext_lazy("the call when time is up", "Stop at once")

    competition = models.OneToOneField(Competition, models.CASCADE, related_name="round_clock")
    minutes = models.PositiveSmallIntegerField()  # as started
    ends_at = models.DateTimeField()  # while it runs; of a paused clock, had it run on since `paused_at`
    paused_at = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    call = models.CharField(max_length=12, choices=Call.choices, default=Call.DEAL)
    # Each change has a number, and says what it was: two presses of one button are one change.
    version = models.PositiveIntegerField(default=1)
    change = models.CharField(max_length=40)

    class Meta:
        ordering = ["competition"]
        constraints = [
            models.CheckConstraint(condition=Q(minutes__gte=1), name="hall_clock_minutes"),
            models.CheckConstraint(condition=Q(call__in=["deal", "turn", "stop"]), name="hall_clock_call"),
        ]

    def __str__(self) -> str:
        return f"clock of {self.competition_id}"


class TableTime(models.Model):
    """Extra time of one table, added to the clock of all."""

    clock = models.ForeignKey(RoundClock, models.CASCADE, related_name="tables")
    table_no = models.PositiveSmallIntegerField()
    seconds = models.PositiveIntegerField()

    class Meta:
        ordering = ["table_no"]
        constraints = [models.UniqueConstraint(fields=["clock", "table_no"], name="hall_table_time_once")]

    def __str__(self) -> str:
        return f"table {self.table_no}: {self.seconds} s"


class Announcement(models.Model):
    """The sentence that every screen and every phone shows now. A newer one takes its row: old ones are not kept."""

    competition = models.OneToOneField(Competition, models.CASCADE, related_name="announcement")
    text = models.CharField(max_length=TEXT_LENGTH, validators=[plain_text, no_markup])
    at = models.DateTimeField()

    class Meta:
        ordering = ["competition"]

    def __str__(self) -> str:
        return f"announcement {self.pk}"


class Screen(models.Model):
    """A screen of the hall: its number in the address, which views it shows in turn, and what the desk holds on it now."""

    class Theme(models.TextChoices):
        DARK = "dark", pgettext_lazy("theme", "dark")
        LIGHT = "light", pgettext_lazy("theme", "light")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="screens")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=NAME_LENGTH, validators=[plain_text, no_markup])
    turns = models.JSONField(default=list)  # [key of a view, seconds] in order
    held = models.CharField(max_length=16, blank=True, default="")  # the key of a view, "" while they take turns
    theme = models.CharField(max_length=8, choices=Theme.choices, default=Theme.DARK)

    class Meta:
        ordering = ["competition", "number"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "number"], name="hall_screen_number_once"),
            models.CheckConstraint(condition=Q(theme__in=["dark", "light"]), name="hall_screen_theme"),
        ]

    def __str__(self) -> str:
        return self.name


class TeamLink(models.Model):
    """The secret address where a team's phones read their table. Renewing it replaces both secrets."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="team_link")
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the secret, hex
    sealed = models.CharField(max_length=250)  # the secret, encrypted, so that the desk can print it again
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["entry"]

    def __str__(self) -> str:
        return f"team link {self.pk}"  # never whose, never the secret
