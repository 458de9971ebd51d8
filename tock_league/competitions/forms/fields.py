"""Fields that several forms share: local times, days, players."""

from datetime import datetime
from typing import Any, NamedTuple

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import plain_text
from tock_league.common.validation import no_markup

from ..core import dates
from ..models import Competition

LAST_YEAR = 9000  # later years could overflow the calendar when a round or a time-zone offset is added


class LocalDateTimeField(forms.DateTimeField):
    """A wall-clock time in the reader's zone; an hour that the clocks skip is refused with its reason."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    input_formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]

    def to_python(self, value: Any) -> datetime | None:
        if value in self.empty_values:
            return None
        if isinstance(value, datetime):
            return value
        for form in ("%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"):
            try:
                local = datetime.strptime(str(value).strip(), form)
                if not 1 < local.year < LAST_YEAR:
                    break
                return dates.instant(local, timezone.get_current_timezone())
            except dates.NoSuchHour as error:
                raise forms.ValidationError(
                    _("The clocks skip this hour on that day; choose another one."), code="no_such_hour"
                ) from error
            except ValueError:
                continue
        raise forms.ValidationError(self.error_messages["invalid"], code="invalid")


class DayInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class BotsField(forms.BooleanField):
    """Whether the regulations allow bots; not unless they say so."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Bots may play"),
            required=False,
            help_text=_("Bot accounts of members may be in teams. A game in which one plays is not rated."),
        )


class PlayersField(forms.ModelMultipleChoiceField):
    """Players by their ids; an id beyond the database's integer range is treated as unknown."""

    def clean(self, value: Any) -> Any:
        try:
            return super().clean(value)
        except OverflowError as error:
            raise forms.ValidationError(
                self.error_messages["invalid_choice"], code="invalid_choice", params={"value": value[0]}
            ) from error


def reason_field(*, required: bool = False) -> forms.CharField:
    """Return a field for a public reason: plain text, at most 200 characters."""
    label = _("Reason, shown to everybody")
    return forms.CharField(label=label, max_length=200, required=required, validators=[plain_text, no_markup])


class PlaceField(forms.ChoiceField):
    """Where the games are played. The value is a key of PLACES."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("Where the games are played"),
            choices=[
                ("tables", _("at the tables of this site: results come by themselves")),
                ("paper", _("on boards in the room: captains or a referee enter the results")),
                ("agreed", _("at the tables of this site, or on a board where both captains of a match agree")),
            ],
            widget=forms.RadioSelect,
            **{"initial": "tables"} | kwargs,
        )


class Place(NamedTuple):
    """What a choice of PlaceField means for a competition."""

    on_paper: bool
    by_agreement: bool


PLACES = {"tables": Place(False, False), "paper": Place(True, False), "agreed": Place(False, True)}


def place_of(competition: Competition) -> str:
    """Return the key of PLACES that a competition has."""
    if competition.by_agreement:
        return "agreed"
    return "paper" if competition.on_paper else "tables"


class CorrectionField(forms.TypedChoiceField):
    """For how long the desk may correct a result, in seconds."""

    def __init__(self, **kwargs: Any) -> None:
        hour = 3600
        super().__init__(
            label=_("How long a result may be corrected"),
            coerce=int,
            empty_value=None,  # the usual time
            required=False,
            choices=[
                (hour // 4, _("15 minutes")),
                (hour // 2, _("30 minutes")),
                (hour, _("1 hour")),
                (24 * hour, _("24 hours")),
                (48 * hour, _("48 hours")),
                (7 * 24 * hour, _("7 days")),
            ],
            help_text=_("By organisers and referees; until then a result is provisional, later it takes a ruling."),
            **kwargs,
        )
