"""Forms of the talk after a game."""

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models.talk import LINE_LENGTH


class LineForm(forms.Form):
    """What somebody says."""

    text = forms.CharField(
        label=_("Your line"), max_length=LINE_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class DecisionForm(forms.Form):
    """What a moderator does with a reported line."""

    decision = forms.ChoiceField(choices=[("keep", _("Keep it")), ("remove", _("Remove it"))])
