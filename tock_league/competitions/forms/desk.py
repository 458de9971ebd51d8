"""Forms of the day desk: seeds, ties, offices, the next step."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import plain_text
from tock_league.common.halls import LONGEST_H

from ..models import CompetitionRole, Entry, Group, StandingOverride
from .fields import reason_field


class SeedingForm(forms.Form):
    """How the entries are put in order; by hand, each gets a number."""

    how = forms.ChoiceField(choices=[("rating", _("by rating")), ("lots", _("by lots")), ("hand", _("by hand"))])

    def __init__(self, *args: Any, entries: Sequence[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = list(entries)

    def clean(self) -> dict[str, Any]:
        """Add `order`, the entries by the numbers given; None unless it is done by hand."""
        chosen = super().clean() or {}
        chosen["order"] = None
        if chosen.get("how") != "hand":
            return chosen
        places: dict[int, Entry] = {}
        for entry in self.entries:
            raw = str(self.data.get(f"seed-{entry.slug}", "")).strip()
            number = int(raw) if raw.isdecimal() and len(raw) < 6 else 0
            if not 1 <= number <= len(self.entries):
                raise forms.ValidationError(
                    _("Give every team a number from 1 to %(count)s.") % {"count": len(self.entries)}, code="seed_range"
                )
            if number in places:
                raise forms.ValidationError(
                    _("Two teams have the number %(number)s.") % {"number": number}, code="seed_twice"
                )
            places[number] = entry
        chosen["order"] = [places[number] for number in sorted(places)]
        return chosen


class SettleForm(forms.Form):
    """How a tie of a group is settled, and, for a play-off or a ruling, the order of the teams."""

    group = forms.ModelChoiceField(queryset=Group.objects.none())
    how = forms.ChoiceField(label=_("How"), choices=StandingOverride.How.choices)
    reason = reason_field()

    def __init__(self, *args: Any, groups: Any, entries: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["group"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = groups
        self.entries = {entry.slug: entry for entry in entries}

    def clean(self) -> dict[str, Any]:
        """Add `order`, the entries by the numbers given; empty for lots."""
        chosen = super().clean() or {}
        places: dict[int, Entry] = {}
        for slug, entry in self.entries.items():
            raw = str(self.data.get(f"place-{slug}", "")).strip()
            if raw and chosen.get("how") != StandingOverride.How.LOTS:
                number = int(raw) if raw.isdecimal() and len(raw) < 6 else 0
                if number < 1 or number in places:
                    raise forms.ValidationError(_("Give each of the equal teams its own number."), code="bad_order")
                places[number] = entry
        chosen["order"] = [places[number] for number in sorted(places)]
        return chosen


class RoleForm(forms.Form):
    """Gives a player an office in the competition."""

    player = forms.SlugField(label=_("Player"), max_length=16)
    name = forms.ChoiceField(label=_("Office"), choices=CompetitionRole.Name.choices)


class RoleEndForm(forms.Form):
    role = forms.IntegerField(min_value=1)


class HallForm(forms.Form):
    """For how long the hall of an event is open."""

    hours = forms.IntegerField(min_value=1, max_value=LONGEST_H)


class CountdownForm(forms.Form):
    """The step that a countdown ends with, and how long it takes."""

    code = forms.CharField(max_length=60, validators=[plain_text])
    minutes = forms.IntegerField(min_value=0, max_value=999)


class StepForm(forms.Form):
    """The step that the page offered; refused when the next step is another one by now."""

    code = forms.CharField(max_length=60, validators=[plain_text])
    # Second meetings that the organiser accepts by name, as "low-high" of entry numbers.
    relaxed = forms.RegexField(r"^\d{1,9}-\d{1,9}(,\d{1,9}-\d{1,9})*$", required=False, max_length=2000)

    def pairs(self) -> list[tuple[int, int]]:
        """Return the meetings accepted."""
        given = self.cleaned_data["relaxed"]
        return [(int(low), int(high)) for low, high in (pair.split("-") for pair in given.split(",") if pair)]
