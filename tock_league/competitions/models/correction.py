"""Corrections of results by the desk of a competition: append-only rows."""

from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from tock_league.accounts.models import Player, plain_text
from tock_league.common.validation import no_markup

from .competition import Competition
from .match import Match

PREFIX = "C-"  # of a correction's ref; no ruling's number begins like this


class Correction(models.Model):
    """A result that an organiser or a referee corrected. Its effects are the ResultEffects that its `ref` names."""

    class Kind(models.TextChoices):
        PAPER = "paper", pgettext_lazy("correction", "the score was wrong")
        NO_SHOW = "no_show", pgettext_lazy("correction", "a team did not come")
        REOPEN = "reopen", pgettext_lazy("correction", "the match has no result yet")
        MOVE = "move", pgettext_lazy("correction", "the result belongs to another match")
        REVERT = "revert", pgettext_lazy("correction", "an earlier correction is taken back")

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="corrections")  # a copy of the match's
    number = models.PositiveIntegerField()  # rising in the competition
    match = models.ForeignKey(Match, models.PROTECT, related_name="corrections")
    # Of `move`: the match that the result belongs to
    other = models.ForeignKey(Match, models.PROTECT, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    # Of `revert`: the correction that it takes back
    reverts = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="reverted_by")
    reason = models.CharField(max_length=200, validators=[plain_text, no_markup])  # public
    by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    # Whether `by` belonged to the club of one side only
    tied = models.BooleanField(default=False)
    digest = models.CharField(max_length=64, blank=True, default="")  # of the preview that was signed, hex
    at = models.DateTimeField()

    class Meta:
        ordering = ["competition", "number"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "number"], name="correction_number"),
            models.CheckConstraint(
                condition=Q(kind__in=["paper", "no_show", "reopen", "move", "revert"]), name="correction_kind"
            ),
            models.CheckConstraint(
                condition=Q(kind="revert", reverts__isnull=False) | (~Q(kind="revert") & Q(reverts__isnull=True)),
                name="correction_reverts_one",
            ),
            models.CheckConstraint(
                condition=Q(kind="move", other__isnull=False) | (~Q(kind="move") & Q(other__isnull=True)),
                name="correction_moves_to_a_match",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="correction_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"correction {self.number} of {self.competition}"

    @property
    def ref(self) -> str:
        """The name under which its effects and the rating log know it."""
        return f"{PREFIX}{self.number}"
