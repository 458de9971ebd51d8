"""Forms of the organisers' hand on the draw."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models import Entry, PairingWish
from .fields import reason_field

NEW_SEED, WISH, SWAP_OPPONENTS, SWAP_PLACES = DEEDS = ("seed", "wish", "opponents", "places")


class SeedForm(forms.Form):
    """The reason for a new seed of the lots."""

    reason = reason_field(required=True)


class TwoForm(forms.Form):
    """Two entries and the reason."""

    one = forms.ModelChoiceField(label=_("One team"), queryset=Entry.objects.none())
    other = forms.ModelChoiceField(label=_("The other team"), queryset=Entry.objects.none())
    reason = reason_field(required=True)

    def __init__(self, *args: Any, entries: Sequence[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = Entry.objects.filter(pk__in=[entry.pk for entry in entries]).select_related("team", "player")
        for name in ("one", "other"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = rows.order_by("seed", "pk")


class WishForm(TwoForm):
    """What is wished of two entries."""

    kind = forms.ChoiceField(
        label=_("They play"), choices=PairingWish.Kind.choices, widget=forms.RadioSelect, initial=PairingWish.Kind.APART
    )
    field_order = ["kind", "one", "other", "reason"]
