"""Phases of a competition: Stage > Group > Round. Format keys are checked by the registry, not by the database."""

from django.db import models
from django.db.models import Q

from .competition import Competition


class Stage(models.Model):
    """A phase with one format (I09)."""

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="stages")
    ordinal = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(max_length=40)
    options = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["competition", "ordinal"]
        constraints = [models.UniqueConstraint(fields=["competition", "ordinal"], name="I09_stage_ordinal")]

    def __str__(self) -> str:
        return f"{self.competition} {self.ordinal}"


class Group(models.Model):
    """A pool, bracket or division inside a stage (I09)."""

    stage = models.ForeignKey(Stage, models.PROTECT, related_name="groups")
    ordinal = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=60, blank=True, default="")

    class Meta:
        ordering = ["stage", "ordinal"]
        constraints = [models.UniqueConstraint(fields=["stage", "ordinal"], name="I09_group_ordinal")]

    def __str__(self) -> str:
        return f"{self.stage} {self.ordinal}"


class Round(models.Model):
    """One set of meetings. `exclusive` rounds of a group are open one at a time (I12)."""

    class State(models.TextChoices):
        PLANNED = "planned"
        OPEN = "open"
        DONE = "done"

    group = models.ForeignKey(Group, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.PLANNED)
    exclusive = models.BooleanField(default=False)

    class Meta:
        ordering = ["group", "number"]
        constraints = [
            models.UniqueConstraint(fields=["group", "number"], name="I12_round_number"),
            models.UniqueConstraint(
                fields=["group"], condition=Q(state="open", exclusive=True), name="I12_one_exclusive_round_open"
            ),
            models.CheckConstraint(condition=Q(state__in=["planned", "open", "done"]), name="I12_state"),
        ]

    def __str__(self) -> str:
        return f"{self.group} round {self.number}"
