"""A league year and its tiers."""

from django.core.validators import MinLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import plain_text
from tock_league.clubs.models import Club
from tock_league.common.models import Stamped

NAME_LENGTH = 80
NAME_TAKEN = _("There is a season of that name already.")


class Season(Stamped):
    """From its first day to its last, both included: of the whole site, or of one club for its own leagues."""

    slug = models.SlugField(max_length=60, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, validators=[MinLengthValidator(3), plain_text])
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="seasons")
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))

    class Meta:
        ordering = ["-starts_on", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["name"],
                condition=Q(club__isnull=True),
                name="season_name_once",
                violation_error_message=NAME_TAKEN,
            ),
            models.UniqueConstraint(
                fields=["club", "name"], name="season_name_once_in_club", violation_error_message=NAME_TAKEN
            ),
            models.CheckConstraint(
                condition=Q(ends_on__gte=F("starts_on")),
                name="season_ends_after_start",
                violation_error_message=_("The last day lies before the first day."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Division(models.Model):
    """A tier of a season (I03)."""

    season = models.ForeignKey(Season, models.PROTECT, related_name="divisions")
    tier = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, validators=[plain_text])
    size = models.PositiveSmallIntegerField(_("number of teams"))
    up = models.PositiveSmallIntegerField(default=0)  # how many teams rise
    down = models.PositiveSmallIntegerField(default=0)  # how many teams fall
    playoff = models.PositiveSmallIntegerField(default=0)  # how many teams play for promotion or relegation

    class Meta:
        ordering = ["season", "tier", "name"]
        constraints = [
            models.UniqueConstraint(fields=["season", "tier", "name"], name="I03_division_once"),
            models.CheckConstraint(
                condition=Q(up__gte=0, down__gte=0, playoff__gte=0, size__gte=F("up") + F("down") + F("playoff")),
                name="I03_berths_fit_size",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.season}"
