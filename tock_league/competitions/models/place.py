"""What the captains of a match agree on: a board in a room, or a table of the site."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player

from .match import Match


class PlaceProposal(models.Model):
    """A captain's proposal to play a match on a board, or at a table of the site. One of a match is open at a time."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("taken back")
        ENDED = "ended", _("decided by an organiser")

    match = models.ForeignKey(Match, models.CASCADE, related_name="place_proposals")
    on_board = models.BooleanField()
    by = models.ForeignKey(Player, models.PROTECT, related_name="place_proposals")
    position = models.PositiveSmallIntegerField()  # of the side that proposes
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField()
    answered_by = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["match"], condition=Q(state="open"), name="place_proposal_one_open"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "accepted", "declined", "withdrawn", "ended"]),
                name="place_proposal_state",
            ),
            models.CheckConstraint(
                condition=Q(state="open", answered_at__isnull=True) | (~Q(state="open") & Q(answered_at__isnull=False)),
                name="place_proposal_answered",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} on a board" if self.on_board else f"{self.match} at a table"
