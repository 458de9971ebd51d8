"""Forms of the organisers' and captains' pages. They check what was typed; services decide."""

from .fields import LocalDateTimeField
from .leagues import (
    AwardForm,
    CalendarForm,
    DateForm,
    DrawForm,
    EditForm,
    EntryForm,
    LeagueForm,
    NightForm,
    PlaceForm,
    SeasonForm,
    StateForm,
    WithdrawForm,
    own_clubs,
)

__all__ = [
    "AwardForm",
    "CalendarForm",
    "DateForm",
    "DrawForm",
    "EditForm",
    "EntryForm",
    "LeagueForm",
    "LocalDateTimeField",
    "NightForm",
    "PlaceForm",
    "SeasonForm",
    "StateForm",
    "WithdrawForm",
    "own_clubs",
]
