"""Offices in one competition, besides the roles of the site and of the club."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player, plain_text

from .competition import Competition


class CompetitionRole(models.Model):
    """A player's office in one competition, from `since` to `until`; open while `until` is null."""

    class Name(models.TextChoices):
        ORGANISER = "organiser", _("organiser")
        REFEREE = "referee", _("referee")
        HEAD_REFEREE = "head_referee", _("head referee")

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="roles")
    player = models.ForeignKey(Player, models.PROTECT, related_name="competition_roles")
    name = models.CharField(max_length=16, choices=Name.choices)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    given_by = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")
    # Named because every other referee had a conflict of interest; the cases concerned show this.
    outsider = models.BooleanField(default=False)
    reason = models.CharField(_("public reason"), max_length=200, blank=True, default="", validators=[plain_text])

    class Meta:
        ordering = ["competition", "name", "since", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["competition", "player", "name"],
                condition=Q(until__isnull=True),
                name="competition_role_held_once",
            ),
            models.CheckConstraint(
                condition=Q(name__in=["organiser", "referee", "head_referee"]), name="competition_role_name"
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="competition_role_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.name} of {self.competition}"
