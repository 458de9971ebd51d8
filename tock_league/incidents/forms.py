"""Forms of the register of incidents."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tock_league.competitions.forms import LocalDateTimeField

from .models import IncidentEntry


def _text(label: Any, help_text: Any = "", *, required: bool = False) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 3})
    return forms.CharField(label=label, help_text=help_text, required=required, max_length=4000, widget=widget)


class FactsForm(forms.Form):
    """What is known of an incident; empty answers stay as they were told before."""

    circumstances = _text(_("What happened"), _("No names and no copies of the data."))
    happened = forms.CharField(label=_("When it happened, or between which days"), max_length=200, required=False)
    information = _text(_("Which personal information is concerned"), _("Or why this is not known."))
    persons = forms.CharField(
        label=_("How many persons, and how many of them in Québec"), max_length=200, required=False
    )
    measures = _text(_("What was done to reduce the risk and to keep it from happening again"))


class OpenForm(FactsForm):
    """A new incident."""

    known_at = LocalDateTimeField(
        label=_("When it became known"), help_text=_("The 72 hours run from then. In your time zone.")
    )
    circumstances = _text(_("What happened"), _("No names and no copies of the data."), required=True)
    field_order = ["known_at", "circumstances", "happened", "information", "persons", "measures"]


class RiskForm(forms.Form):
    """Whether there is a risk of serious injury."""

    serious = forms.TypedChoiceField(
        label=_("Is there a risk of serious injury?"),
        choices=[("yes", _("Yes")), ("no", _("No"))],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
    )
    reasons = _text(
        _("Why"), _("How sensitive the information is, what may follow, how likely misuse is."), required=True
    )


class NoticeForm(forms.Form):
    """Who was notified, and when."""

    whom = forms.ChoiceField(label=_("Who was notified"), choices=IncidentEntry.Whom.choices)
    given_at = LocalDateTimeField(label=_("When"), help_text=_("In your time zone."))
    text = _text(_("How, and under which reference"))


class NoteForm(forms.Form):
    """A note, or the reason to close."""

    text = _text(_("Note"), required=True)
