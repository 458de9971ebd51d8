"""The settings of notices as a form: a box for each kind and way, and the quiet hours."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from .kinds import KINDS
from .models import ENDPOINT_LENGTH
from .selectors import KindView

HOURS = [(hour, f"{hour:02d}:00") for hour in range(24)]


class SettingsForm(forms.Form):
    """`ways`: the boxes that are ticked, as kind:way."""

    begins = forms.TypedChoiceField(label=_("Quiet from"), choices=HOURS, coerce=int)
    ends = forms.TypedChoiceField(label=_("Quiet until"), choices=HOURS, coerce=int)
    digest_day = forms.TypedChoiceField(label=_("Day of the digest"), choices=list(WEEKDAYS.items()), coerce=int)
    digest_hour = forms.TypedChoiceField(label=_("Hour of the digest"), choices=HOURS, coerce=int)
    ways = forms.MultipleChoiceField(
        required=False, choices=[(f"{kind}:{way}", kind) for kind in KINDS for way in KINDS[kind].offered]
    )

    def __init__(self, *args: Any, kinds: Sequence[KindView], **options: Any) -> None:
        super().__init__(*args, **options)
        self.kinds = kinds

    def wanted(self) -> dict[str, set[str]]:
        """Return the ways of each kind; those that cannot be switched off, whose boxes are not sent, stay on."""
        found = {key: set(kind.fixed) for key, kind in KINDS.items()}
        for box in self.cleaned_data["ways"]:
            key, _colon, way = box.partition(":")
            found[key].add(way)
        return found


class SeenForm(forms.Form):
    """The button that marks all as read; `newest`: the highest key on the page; none where the page shows no notice."""

    newest = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class DeviceForm(forms.Form):
    """What a browser says when pushes are switched on in it: its PushSubscription."""

    endpoint = forms.CharField(max_length=ENDPOINT_LENGTH)
    p256dh = forms.CharField(max_length=100)
    auth = forms.CharField(max_length=40)
