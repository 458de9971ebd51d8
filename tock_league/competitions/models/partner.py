"""The partner desk: who looks for a partner in a club or for an event, and who would play."""

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text
from tock_league.clubs.models import Club, Team
from tock_league.common.validation import no_markup

from .competition import Competition

TEXT_LENGTH = 140


class PartnerSearch(models.Model):
    """A line on the desk of a club, or of an event before it begins. Only those who may answer it see it.

    It closes by itself: `selectors.entries.partners.open_now` says when it is open.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        FOUND = "found", _("found")
        WITHDRAWN = "withdrawn", _("taken back")
        REMOVED = "removed", _("removed")  # by whoever looks after the club or the event

    player = models.ForeignKey(Player, models.CASCADE, related_name="partner_searches")
    club = models.ForeignKey(Club, models.CASCADE, null=True, blank=True, related_name="+")
    competition = models.ForeignKey(Competition, models.CASCADE, null=True, blank=True, related_name="+")
    text = models.CharField(
        _("a line about it"), max_length=TEXT_LENGTH, validators=[MinLengthValidator(2), plain_text, no_markup]
    )
    # The team that the first accepted answer has made; of three or four players it still lacks some.
    team = models.ForeignKey(Team, models.SET_NULL, null=True, blank=True, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    since = models.DateTimeField()
    until = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-since", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(club__isnull=False, competition__isnull=True)
                | Q(club__isnull=True, competition__isnull=False),
                name="partner_search_in_club_or_event",
            ),
            models.UniqueConstraint(
                fields=["player", "club"], condition=Q(state="open"), name="partner_search_once_in_club"
            ),
            models.UniqueConstraint(
                fields=["player", "competition"], condition=Q(state="open"), name="partner_search_once_in_event"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "found", "withdrawn", "removed"]), name="partner_search_state"
            ),
            models.CheckConstraint(
                condition=Q(state="open", closed_at__isnull=True) | (~Q(state="open") & Q(closed_at__isnull=False)),
                name="partner_search_closed_has_a_date",
            ),
            models.CheckConstraint(condition=Q(until__gt=F("since")), name="partner_search_ends_later"),
        ]

    def __str__(self) -> str:
        return f"partner search {self.pk}"

    @property
    def where(self) -> str:
        """The name of the club or event."""
        return (self.club or self.competition).name  # type: ignore[union-attr]


class PartnerAnswer(models.Model):
    """Somebody who would play with the one who searches: until the answer is accepted or declined."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    search = models.ForeignKey(PartnerSearch, models.CASCADE, related_name="answers")
    player = models.ForeignKey(Player, models.CASCADE, related_name="partner_answers")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["search", "player"], name="partner_answer_once"),
            models.CheckConstraint(
                condition=Q(state__in=["open", "accepted", "declined"]), name="partner_answer_state"
            ),
        ]

    def __str__(self) -> str:
        return f"partner answer {self.pk}"
