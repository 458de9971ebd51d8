"""Appeals, the only level above a ruling: appellant, panel and votes."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player

from .case import Case, CaseEvent
from .ruling import Ruling


class Appeal(models.Model):
    """One side's appeal against the ruling of its case; each side may appeal once."""

    class Grounds(models.TextChoices):
        RULE = "rule", _("the wrong rule was applied")
        FACT = "fact", _("new evidence shows other facts")
        PROPORTION = "proportion", _("the penalty is out of proportion")
        PROCEDURE = "procedure", _("the procedure was not kept")

    case = models.ForeignKey(Case, models.PROTECT, related_name="appeals")
    ruling = models.ForeignKey(Ruling, models.PROTECT, related_name="appeals")
    side = models.PositiveSmallIntegerField()
    by = models.ForeignKey(Player, models.PROTECT, related_name="appeals")
    grounds = models.CharField(max_length=12, choices=Grounds.choices)
    at = models.DateTimeField()
    event = models.OneToOneField(CaseEvent, models.PROTECT, related_name="appeal")

    class Meta:
        ordering = ["case", "at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "side"], name="appeal_once_a_side"),
            models.CheckConstraint(
                condition=Q(grounds__in=["rule", "fact", "proportion", "procedure"]), name="appeal_grounds"
            ),
        ]

    def __str__(self) -> str:
        return f"appeal of side {self.side} in {self.case}"


class PanelSeat(models.Model):
    """A place on the panel of an appeal: three members (`place` 1 to 3) and up to two reserves (`place` null)."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="panel")
    member = models.ForeignKey(Player, models.PROTECT, related_name="panel_seats")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    since = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["case", "place", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "member"], name="panel_member_once"),
            models.UniqueConstraint(
                fields=["case", "place"],
                condition=Q(left_at__isnull=True, place__isnull=False),
                name="panel_place_held_once",
            ),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(place__gte=1, place__lte=3), name="panel_of_three"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.member} in {self.case}"


class Vote(models.Model):
    """A member's vote, with a note that the others can read once all have voted. Append-only."""

    class Choice(models.TextChoices):
        UPHOLD = "uphold", _("the ruling stands")
        OVERTURN = "overturn", _("the ruling falls")

    case = models.ForeignKey(Case, models.PROTECT, related_name="votes")
    member = models.ForeignKey(Player, models.PROTECT, related_name="votes")
    choice = models.CharField(max_length=10, choices=Choice.choices)
    at = models.DateTimeField()
    event = models.OneToOneField(CaseEvent, models.PROTECT, related_name="vote")

    class Meta:
        ordering = ["case", "at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["case", "member"], name="vote_once"),
            models.CheckConstraint(condition=Q(choice__in=["uphold", "overturn"]), name="vote_choice"),
        ]

    def __str__(self) -> str:
        return f"{self.member} in {self.case}"
