"""One field for rule set and table; the choices come from the registry, grouped by rule set."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Text

from ..models.competition import MOST_ROUNDS, SEATS
from ..selectors.seasons import shapes
from ..selectors.seasons.shapes import Shape


def shape_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the tables of each rule set, in words."""
    return [
        (str(one.name), [(shape.key, _words(one.name, shape.seats)) for shape in found])
        for one, found in shapes.offered()
    ]


def _words(name: Text, seats: int) -> str:
    return gettext("%(rules)s, %(seats)d seats") % {"rules": name, "seats": seats}


def usual_shape() -> str:
    """Return the default shape of a new event: the first rule set, at the usual table."""
    found = [shape for _one, tables in shapes.offered() for shape in tables]
    return next((shape for shape in found if shape.seats == SEATS), found[0]).key


class LengthField(forms.IntegerField):
    """How many rounds a game lasts, 0 for its end by the rules; cleans to a number."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("Rounds of a game (Tractor)"),
            min_value=0,
            max_value=MOST_ROUNDS,
            required=False,
            initial=0,
            help_text=_(
                "Tractor only. 0: a game ends when a team climbs past the ace, in about two and a half hours. Otherwise after so "
                "many rounds, of about 8 minutes each: the higher rank wins, then the points."
            ),
            **kwargs,
        )

    def clean(self, value: Any) -> int:
        return super().clean(value) or 0


class ShapeField(forms.TypedChoiceField):
    """A choice of rule set and number of seats; cleans to a Shape."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("Rules and table"),
            choices=shape_choices,
            coerce=shapes.shape_of,
            initial=usual_shape,
            help_text=_("At 6 seats teams of three meet, at 8 seats teams of four."),
            **kwargs,
        )

    def prepare_value(self, value: Any) -> Any:
        return value.key if isinstance(value, Shape) else value
