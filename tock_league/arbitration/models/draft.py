"""Drafts of what people write into a case, kept until it is sent. The rows are mutable, as those of leases."""

from django.db import models
from django.db.models import Q

from tock_league.accounts.models import Player

from .case import Case

# The forms whose texts are kept.
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
    "review",
]


class Draft(models.Model):
    """What a person has typed into one form of a case and not sent yet. Nobody else reads it.

    `version` counts saves, so that an older window does not overwrite a newer one unnoticed.
    """

    case = models.ForeignKey(Case, models.CASCADE, related_name="drafts")
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
            models.CheckConstraint(
                condition=Q(form__in=FORMS),
                name="draft_form",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.form} of {self.person} in {self.case}"  # never the text
