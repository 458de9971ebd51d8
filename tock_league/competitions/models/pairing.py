"""The stored output of a pairing: past meetings, and the published round with its certificate."""

from django.db import models
from django.db.models import F, Q

from .entry import Entry
from .stage import Round, Stage


class Meeting(models.Model):
    """Two entries that were paired in a stage, the one with the lower id first (I16).

    `waiver` is empty, or gives the reason why the meeting does not count, so that the two may be paired again.
    """

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="meetings")
    leg = models.PositiveSmallIntegerField(default=1)
    low = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    high = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    round = models.ForeignKey(Round, models.PROTECT, related_name="meetings")
    waiver = models.CharField(max_length=40, blank=True, default="")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="I16_low_before_high"),
            models.UniqueConstraint(
                fields=["stage", "leg", "low", "high"], condition=Q(waiver=""), name="I16_met_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.low} and {self.high}"


class PairingRun(models.Model):
    """One run of the pairing engine for a round: its input, its output and the reasons (I18).

    A published run is immutable.
    """

    class State(models.TextChoices):
        DRAFT = "draft"
        PUBLISHED = "published"
        DISCARDED = "discarded"

    round = models.ForeignKey(Round, models.PROTECT, related_name="runs")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    engine = models.CharField(max_length=40)
    seed = models.CharField(max_length=64)
    inputs = models.JSONField()
    # SHA-256 of the canonical JSON of `inputs`, hex.
    inputs_hash = models.CharField(max_length=64)
    # The pairs, the cost vector and each pair's explanation, as core.pairings.swiss writes it. The verifier has checked
    # it before the publication.
    certificate = models.JSONField()
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round"], condition=Q(state="published"), name="I18_published_once"),
            models.CheckConstraint(condition=Q(state__in=["draft", "published", "discarded"]), name="I18_state"),
            models.CheckConstraint(
                condition=~Q(state="published") | Q(published_at__isnull=False), name="I18_published_is_dated"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.engine} for {self.round}"
