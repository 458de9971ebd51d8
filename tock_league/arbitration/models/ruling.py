"""Decisions and their effects. A ruling is never edited; another one may supersede it."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.competitions.models import ResultEffect

from ..core.decisions import FACTS_LENGTH, REASONS_LENGTH
from ..core.effects import TYPES
from ..core.penalties import SEVERITY
from .case import Case, CaseEvent


class Ruling(models.Model):
    """A signed decision; append-only. In force until another ruling supersedes it."""

    class Outcome(models.TextChoices):
        UPHELD = "upheld", _("claim upheld")
        DISMISSED = "dismissed", _("claim dismissed")
        REFEREE_ERROR = "referee_error", _("error of the referee or of the site")
        ENTRY_ERROR = "entry_error", _("error in the result entered")

    case = models.ForeignKey(Case, models.PROTECT, related_name="rulings")
    number = models.PositiveSmallIntegerField()  # within the case, from 1
    level = models.PositiveSmallIntegerField(default=1)  # 1 the referee, 2 the panel
    author = models.ForeignKey(Player, models.PROTECT, related_name="rulings")
    as_head = models.BooleanField(default=False)
    # Who signed after the author, where two must sign (core.keys).
    second = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="seconded_rulings")
    # The ruling that a panel upholds; it stays in force.
    confirms = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="confirmed_by")
    supersedes = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="superseded_by")
    outcome = models.CharField(max_length=14, choices=Outcome.choices)
    # With `row` and `step`: the place in the penalty table that it cites.
    table_version = models.CharField(max_length=16)
    row = models.CharField(max_length=20, blank=True, default="")
    step = models.PositiveSmallIntegerField(default=0)
    offender = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="findings")
    # Another one than `standard` needs `deviation_reason` and a head referee.
    penalty = models.CharField(max_length=16, default="none")
    standard = models.CharField(max_length=16, default="none")  # the penalty that the table gives
    deviation_reason = models.TextField(max_length=REASONS_LENGTH, blank=True, default="")
    rules = models.JSONField(default=list)  # sections of the rules page
    facts = models.TextField(max_length=FACTS_LENGTH)
    reasons = models.TextField(max_length=REASONS_LENGTH)
    dissent = models.TextField(blank=True, default="")  # the published notes of a panel's minority
    decision = models.JSONField(default=dict)  # the signed decision
    day = models.DateField()  # of the act, where it was played
    preview_digest = models.CharField(max_length=64)
    signed_at = models.DateTimeField()
    event = models.OneToOneField(CaseEvent, models.PROTECT, related_name="ruling")

    class Meta:
        ordering = ["case", "number"]
        indexes = [
            models.Index(fields=["offender", "day"], name="ruling_findings"),
            models.Index(fields=["signed_at"], name="ruling_signed"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["case", "number"], name="ruling_number"),
            models.CheckConstraint(condition=Q(level__in=[1, 2]), name="ruling_level"),
            models.CheckConstraint(
                condition=Q(outcome__in=["upheld", "dismissed", "referee_error", "entry_error"]), name="ruling_outcome"
            ),
            models.CheckConstraint(
                condition=Q(penalty__in=SEVERITY, standard__in=SEVERITY), name="ruling_penalty_of_the_table"
            ),
            # I9 (docs/arbitration.md, "Checks"): a penalty cites a row of the table.
            models.CheckConstraint(
                condition=Q(penalty="none") | (~Q(row="") & Q(step__gte=1, offender__isnull=False)),
                name="I9_penalty_cites_a_row",
            ),
            models.CheckConstraint(
                condition=Q(confirms__isnull=True) | Q(supersedes__isnull=True), name="ruling_confirms_or_supersedes"
            ),
        ]

    def __str__(self) -> str:
        return self.ref

    @property
    def ref(self) -> str:
        """The name used in effects, journal and results: "TL-2026-000123/1"."""
        return f"{self.case.number}/{self.number}"


class Effect(models.Model):
    """One change made by a ruling. At most one of a type is in force per target and root."""

    ruling = models.ForeignKey(Ruling, models.PROTECT, related_name="effects")
    number = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=16)
    target = models.CharField(max_length=40)
    root = models.CharField(max_length=60)  # the disputed act
    amount = models.IntegerField(default=0)
    position = models.PositiveSmallIntegerField(null=True, blank=True)
    game_number = models.PositiveSmallIntegerField(null=True, blank=True)
    from_at = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    # The row of the game's record that implements it.
    act_seq = models.PositiveIntegerField(null=True, blank=True)
    result_effect = models.OneToOneField(ResultEffect, models.PROTECT, null=True, blank=True, related_name="cause")
    lifted_by = models.ForeignKey(Ruling, models.PROTECT, null=True, blank=True, related_name="lifts")

    class Meta:
        ordering = ["ruling", "number"]
        constraints = [
            models.UniqueConstraint(fields=["ruling", "number"], name="effect_number"),
            models.UniqueConstraint(
                fields=["type", "target", "root"],
                condition=Q(lifted_by__isnull=True),
                name="effect_in_force_once",
            ),
            models.CheckConstraint(condition=Q(type__in=sorted(TYPES)), name="case_effect_type"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.target}"

    @property
    def ref(self) -> str:
        """The name used at the table: "TL-2026-000123/1/2". It is an idempotency key: the same ref twice is one act."""
        return f"{self.ruling.ref}/{self.number}"
