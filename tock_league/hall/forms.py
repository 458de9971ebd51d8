"""The forms of the hall's page."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .models import NAME_LENGTH, TEXT_LENGTH, RoundClock, Screen
from .names import LONGEST_S, SHORTEST_S, USUAL_S, VIEWS
from .services.clocks import DEEDS


class ClockForm(forms.Form):
    """A press on the clock: what, and the version of the clock that was seen."""

    deed = forms.ChoiceField(choices=[(deed, deed) for deed in DEEDS])
    seen = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    minutes = forms.IntegerField(label=_("Minutes"), required=False)
    call = forms.ChoiceField(label=_("The call"), choices=RoundClock.Call.choices, required=False)
    table = forms.IntegerField(label=_("Table"), required=False, min_value=1, max_value=999)


class SayForm(forms.Form):
    """A sentence to everybody."""

    text = forms.CharField(label=_("Announcement"), max_length=TEXT_LENGTH)


class ShowForm(forms.Form):
    """What a screen shows now; nothing lets its views take turns."""

    view = forms.ChoiceField(choices=[("", ""), *VIEWS.items()], required=False)


class ScreenForm(forms.Form):
    """A screen: its name, its theme, and for each view whether it is shown and for how long."""

    name = forms.CharField(label=_("Name"), max_length=NAME_LENGTH)
    theme = forms.ChoiceField(label=_("Theme"), choices=Screen.Theme.choices)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for view, name in VIEWS.items():
            self.fields[f"show-{view}"] = forms.BooleanField(label=name, required=False)
            self.fields[f"seconds-{view}"] = forms.IntegerField(
                label=_("Seconds"), required=False, min_value=SHORTEST_S, max_value=LONGEST_S
            )

    def turns(self) -> list[tuple[str, int]]:
        """Return the chosen views with their seconds, the usual ones where none were typed."""
        chosen = self.cleaned_data
        return [(view, chosen[f"seconds-{view}"] or USUAL_S[view]) for view in VIEWS if chosen[f"show-{view}"]]
