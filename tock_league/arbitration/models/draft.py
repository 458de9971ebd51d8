"""Drafts of what people write into a case, or into the dispute of a match, kept until it is sent. The rows are mutable, as
those of leases."""

from django.db import models
from django.db.models import Q

from tock_league.accounts.models import Player
from tock_league.competitions.models import Match

from .case import Case

DISPUTE = "dispute"  # the form that opens a case, kept for its match
# The forms of a case whose texts are kept.
FORMS = [
    "decision",
    "uphold",
    "answer",
    "add",
    "appeal",
    "reply",
    "vote",
    "recuse",
    "escalate",
    "dismiss",
    "disagree",
    "refuse",
    "review",
]


class Draft(models.Model):
    """What a person has typed into one form of a case, or of a match, and not sent yet. Nobody else reads it.

    `version` counts saves, so that an older window does not overwrite a newer one unnoticed.
    """

    case = models.ForeignKey(Case, models.CASCADE, null=True, blank=True, related_name="drafts")
    match = models.ForeignKey(Match, models.CASCADE, null=True, blank=True, related_name="drafts")  # of `dispute`
    person = models.ForeignKey(Player, models.CASCADE, related_name="drafts")
    form = models.CharField(max_length=12)
    fields = models.JSONField(default=dict)  # the values of each field, as texts in a list
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField()
    # Whether the head referee who takes the case next gets a copy.
    offered = models.BooleanField(default=False)
    # Whose draft this is a copy of.
    given_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["case", "person", "form"]
        constraints = [
            models.UniqueConstraint(fields=["case", "person", "form"], name="draft_of_form_once"),
            models.UniqueConstraint(fields=["match", "person"], name="draft_of_a_dispute_once"),
            models.CheckConstraint(
                condition=Q(form__in=FORMS, case__isnull=False, match__isnull=True)
                | Q(form=DISPUTE, case__isnull=True, match__isnull=False),
                name="draft_form",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.form} of {self.person} in {self.case or self.match}"  # never the text
