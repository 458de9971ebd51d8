"""Leases of referees on cases, recusals and family ties."""

from django.db import models
from django.db.models import F, Q

from tock_league.accounts.models import Player

from ..core.conflicts import GROUNDS
from .case import Case


class Lease(models.Model):
    """A referee's lease on a case until `until`. It ends by release, by expiry, with the role, or with the ruling.

    `version` counts renewals, so that two concurrent renewals collide. A case has at most one open lease, expired ones
    included: taking a case with an expired lease ends that lease first.
    """

    case = models.ForeignKey(Case, models.PROTECT, related_name="leases")
    referee = models.ForeignKey(Player, models.PROTECT, related_name="leases")
    since = models.DateTimeField()
    until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["case", "since", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["case"], condition=Q(ended_at__isnull=True), name="lease_of_case_held_once"
            ),
            models.CheckConstraint(condition=Q(until__gt=F("since")), name="lease_ends_after_start"),
        ]

    def __str__(self) -> str:
        return f"{self.case} by {self.referee}"


class Recusal(models.Model):
    """A referee is excluded from a case, by own declaration or because a conflict was detected when taking it."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="recusals")
    person = models.ForeignKey(Player, models.PROTECT, related_name="recusals")
    ground = models.CharField(max_length=12)
    declared = models.BooleanField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["case", "at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "person"], name="recusal_once"),
            models.CheckConstraint(condition=Q(ground__in=GROUNDS), name="recusal_ground"),
        ]

    def __str__(self) -> str:
        return f"{self.person} not in {self.case}"


class FamilyTie(models.Model):
    """Two players of one family or household, as one of them declared; `low` has the smaller id.

    Until the other one confirms it, the tie is a conflict of interest only of the player who declared it.
    """

    low = models.ForeignKey(Player, models.CASCADE, related_name="+")
    high = models.ForeignKey(Player, models.CASCADE, related_name="+")
    declared_by = models.ForeignKey(Player, models.PROTECT, related_name="+")
    since = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(confirmed_at__isnull=True) | Q(confirmed_at__gte=F("since")),
                name="family_tie_confirmed_after_it_began",
            ),
            models.CheckConstraint(
                condition=Q(declared_by=F("low")) | Q(declared_by=F("high")), name="family_tie_declared_by_one_of_two"
            ),
            models.UniqueConstraint(fields=["low", "high"], condition=Q(until__isnull=True), name="family_tie_once"),
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="family_tie_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.low_id} and {self.high_id}"
