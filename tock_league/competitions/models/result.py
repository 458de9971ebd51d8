"""Results: rows that are added and never changed, each linked to the one before by its hash (I20)."""

from django.db import models
from django.db.models import Q

from tock_league.accounts.models import Player

from .match import Match


class ResultVersion(models.Model):
    """One statement about a match: the result of one of its games, or of the whole match when `game_number` is null.

    Two writers who both follow the same row collide on `prev_hash`: the chain cannot fork. No code updates or deletes.
    """

    class Source(models.TextChoices):
        ENGINE = "engine"
        ORGANISER = "organiser"

    match = models.ForeignKey(Match, models.PROTECT, related_name="versions")
    version = models.PositiveIntegerField()
    game_number = models.PositiveSmallIntegerField(null=True, blank=True)
    fact = models.CharField(max_length=16)
    source = models.CharField(max_length=10, choices=Source.choices)
    reason = models.CharField(max_length=200, blank=True, default="")
    by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    recorded_at = models.DateTimeField()
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["match", "version"]
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="I20_version_once"),
            models.UniqueConstraint(fields=["match", "prev_hash"], name="I20_chain_cannot_fork"),
            models.CheckConstraint(
                condition=Q(fact__in=["played", "adjudicated", "forfeit", "no_show", "double_forfeit", "void"]),
                name="I20_fact",
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.version} of {self.match}"


class ResultLine(models.Model):
    """One position's part: outcome, place (0 best), marbles home for minus against."""

    result = models.ForeignKey(ResultVersion, models.PROTECT, related_name="lines")
    position = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=4)
    place = models.PositiveSmallIntegerField()
    margin = models.SmallIntegerField(default=0)

    class Meta:
        ordering = ["result", "position"]
        constraints = [
            models.UniqueConstraint(fields=["result", "position"], name="I20_line_once"),
            models.CheckConstraint(condition=Q(outcome__in=["win", "tie", "loss"]), name="I20_outcome"),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.outcome}"
