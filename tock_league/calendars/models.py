"""Private links to calendars, and what calendars were last told about each match and event."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.models import Player
from tock_league.competitions.models import Competition, Entry


class CalendarLink(models.Model):
    """The secret address of a person's own calendar. Renewing it replaces both secrets, so that the old one is unknown."""

    class Kind(models.TextChoices):
        PLAYER = "player", _("my matches")
        REFEREE = "referee", pgettext_lazy("a calendar", "matches of competitions that I referee")

    player = models.ForeignKey(Player, models.CASCADE, related_name="calendar_links")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the secret, hex
    sealed = models.CharField(max_length=250)  # the secret, encrypted, so that its person can read it again
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["player", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["player", "kind"], name="calendar_link_once"),
            models.CheckConstraint(condition=Q(kind__in=["player", "referee"]), name="calendar_link_kind"),
        ]

    def __str__(self) -> str:
        return f"calendar link {self.pk}"  # never whose, never the secret


class CalendarItem(models.Model):
    """What calendars were last told about a match, or about an event as a whole.

    Rows are written when a feed is read and something has changed since (decision 48). The row of a match outlives it, so
    that calendars learn that the match of a discarded draw is cancelled.
    """

    uid = models.CharField(max_length=80, unique=True)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="+")
    match_slug = models.CharField(max_length=16, blank=True, default="", db_index=True)  # "" for the event as a whole
    entries = models.ManyToManyField(Entry, related_name="+")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    digest = models.CharField(max_length=64)  # of the facts, independent of the language
    sequence = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()
    gone_at = models.DateTimeField(null=True, blank=True)  # since when the match does not exist any more

    class Meta:
        ordering = ["starts_at", "uid"]

    def __str__(self) -> str:
        return self.uid
