"""The organisers' hand on the draw: what they wish of the pairings, and the seeds that they have replaced, with the reasons."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text

from .competition import Competition
from .entry import Entry
from .stage import Round

REASON_LENGTH = 200


class PairingWish(models.Model):
    """What the organisers wish of two entries in the rounds that are paired as it goes; everybody reads the reason.

    In force until it is taken back; TOGETHER until the round that has paired the two.
    """

    class Kind(models.TextChoices):
        APART = "apart", _("never against each other")
        RATHER_NOT = "rather_not", _("rather not against each other")
        TOGETHER = "together", _("against each other in the next round")

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="pairing_wishes")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    low = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    high = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    reason = models.CharField(_("reason, shown to everybody"), max_length=REASON_LENGTH, validators=[plain_text])
    by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="pairing_wishes")
    at = models.DateTimeField()
    # The round that has paired the two, of TOGETHER.
    round = models.ForeignKey(Round, models.PROTECT, null=True, blank=True, related_name="wishes")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "pairing wishes"
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(low__lt=F("high")), name="pairing_wish_low_before_high"),
            models.CheckConstraint(condition=Q(kind__in=["apart", "rather_not", "together"]), name="pairing_wish_kind"),
            models.CheckConstraint(
                condition=Q(round__isnull=True) | Q(kind="together", ended_at__isnull=False),
                name="pairing_wish_round_of_together",
            ),
            models.UniqueConstraint(
                fields=["competition", "low", "high"], condition=Q(ended_at=None), name="pairing_wish_one_in_force"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.low}, {self.high}"


class FormerSeed(models.Model):
    """A published seed of the lots that was replaced before anything was drawn from it, or after that was taken back."""

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="former_seeds")
    seed = models.CharField(max_length=64)
    reason = models.CharField(_("reason, shown to everybody"), max_length=REASON_LENGTH, validators=[plain_text])
    by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="former_seeds")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.seed
