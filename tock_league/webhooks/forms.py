"""The forms of webhooks: an address and events."""

from django import forms
from django.utils.translation import gettext_lazy as _

from .models import ADDRESS_LENGTH
from .services import KINDS

# In the order of FACTS.
LABELS = {
    "result.confirmed": _("A result counts"),
    "result.corrected": _("A result is corrected, by the desk or by a ruling"),
    "standings.changed": _("The standings change"),
    "round.published": _("A draw, a calendar or a round is published"),
    "match.moved": _("A match gets another date"),
    "table.open": _("The table of a match is open"),
    "game.finished": _("A game is over"),
    "ruling.published": _("A ruling is published"),
    "entry.accepted": _("An entry is accepted"),
    "event.cancelled": _("A competition is cancelled"),
}


class KindsForm(forms.Form):
    """Of which events a webhook hears."""

    kinds = forms.MultipleChoiceField(
        label=_("Events"),
        choices=[(kind, LABELS[kind]) for kind in KINDS],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one event.")},
    )


class WebhookForm(KindsForm):
    """A new webhook. The service checks the address."""

    address = forms.CharField(
        label=_("Address"),
        max_length=ADDRESS_LENGTH,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Of the program that is told, such as https://example.org/tock."),
    )
    field_order = ("address", "kinds")
