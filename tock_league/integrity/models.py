"""Results that look arranged: what the watch found in the log of a ladder, and what the head referee decided.

What was found is never changed. Nothing follows from it by itself: docs/integrity.md.
"""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratings.models import Ladder, Subject
from tock_league.accounts.models import Player
from tock_league.arbitration.models import Case
from tock_league.journal.models import JournalEntry


class Watched(models.Model):
    """Up to which row of its log a ladder was looked at."""

    ladder = models.OneToOneField(Ladder, models.PROTECT, related_name="watched")
    seen = models.BigIntegerField(default=0)  # the key of a RatedResult

    class Meta:
        verbose_name_plural = "watched"

    def __str__(self) -> str:
        return f"{self.ladder} up to {self.seen}"


class Finding(models.Model):
    """Games that look arranged, and how surprising they are."""

    class Kind(models.TextChoices):
        ONE_OPPONENT = "one_opponent", _("Mostly against the same side")
        LOSES = "losses", _("Many losses against the expectation")
        RESIGNATIONS = "resignations", _("Given up early, several times")
        SUDDEN = "sudden", _("Sudden change of strength")
        ONE_WAY = "one_way", _("Points that move one way")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("state of a finding", "open")
        CLOSED = "closed", pgettext_lazy("state of a finding", "closed")
        CASE = "case", pgettext_lazy("state of a finding", "case opened")

    number = models.CharField(max_length=16, unique=True)  # such as W-2026-003
    ladder = models.ForeignKey(Ladder, models.PROTECT, related_name="findings")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    subject = models.ForeignKey(Subject, models.PROTECT, related_name="findings")
    other = models.ForeignKey(Subject, models.PROTECT, null=True, blank=True, related_name="findings_against")
    # The kind and the two subjects in one order: what is open once.
    key = models.CharField(max_length=200)
    players = models.ManyToManyField(Player, related_name="watch_findings")  # whom it is about
    games = models.JSONField()  # sources of the rated results, oldest first
    figures = models.JSONField()  # ratings.core.integrity.signals.Signal.figures
    once_in = models.FloatField(default=0.0)  # as Signal.once_in
    first_at = models.DateTimeField()  # end of the first game
    last_at = models.DateTimeField()  # end of the last one; a later finding of the kind is about later games only
    found_at = models.DateTimeField()
    state = models.CharField(max_length=6, choices=State.choices, default=State.OPEN)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    entry = models.ForeignKey(JournalEntry, models.PROTECT, null=True, blank=True, related_name="+")  # of the decision
    case = models.ForeignKey(Case, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-found_at", "-pk"]
        indexes = [models.Index(fields=["ladder", "subject", "kind"], name="finding_of_subject")]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "key"], condition=Q(state="open"), name="finding_open_once"),
            models.CheckConstraint(condition=Q(state__in=["open", "closed", "case"]), name="finding_state"),
            models.CheckConstraint(
                condition=Q(state="open", decided_at__isnull=True)
                | (~Q(state="open") & Q(decided_at__isnull=False, decided_by__isnull=False)),
                name="finding_decided_by_somebody",
            ),
            models.CheckConstraint(
                condition=(Q(state="case") & Q(case__isnull=False)) | (~Q(state="case") & Q(case__isnull=True)),
                name="finding_names_its_case",
            ),
        ]

    def __str__(self) -> str:
        return self.number
