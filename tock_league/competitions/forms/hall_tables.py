"""Forms of the hall's tables."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.models import plain_text

from ..models import Entry, HallTable
from ..models.table import ROOM_LENGTH

ALL, FINALS = "", "finals"  # for whom a table is; else the slug of an entry


class TablesForm(forms.Form):
    """The tables that are added to the list, or changed."""

    first = forms.IntegerField(label=_("First number"), min_value=1, max_value=HallTable.MOST)
    last = forms.IntegerField(
        label=_("Last number"),
        min_value=1,
        max_value=HallTable.MOST,
        required=False,
        help_text=_("Empty: this one table."),
    )
    room = forms.CharField(
        label=pgettext_lazy("of a table", "Room"), max_length=ROOM_LENGTH, required=False, validators=[plain_text]
    )
    accessible = forms.BooleanField(label=_("Step-free, with room for a wheelchair"), required=False)
    kept = forms.ChoiceField(label=_("For whom"), required=False)

    def __init__(self, *args: Any, entries: list[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = {entry.slug: entry for entry in entries}
        field = self.fields["kept"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (ALL, _("for everybody")),
            (FINALS, _("kept for finals")),
            (_("kept for a team"), [(slug, str(entry)) for slug, entry in self.entries.items()]),
        ]

    def clean(self) -> dict[str, Any]:
        """Add `for_finals` and `entry`."""
        chosen = super().clean() or {}
        kept = chosen.get("kept", ALL)
        chosen["last"] = chosen.get("last") or chosen.get("first")
        chosen["for_finals"] = kept == FINALS
        chosen["entry"] = self.entries.get(kept)
        return chosen


class RemoveForm(forms.Form):
    number = forms.IntegerField(min_value=1, max_value=HallTable.MOST)


class KeepForm(forms.Form):
    keep = forms.ChoiceField(choices=[("yes", ""), ("no", "")])


class PutForm(forms.Form):
    """A match and the table at which it is played."""

    match = forms.SlugField(max_length=16)
    table = forms.IntegerField(label=_("Table"), min_value=1, max_value=HallTable.MOST)
