"""Forms of the partner desk."""

from django import forms
from django.utils.translation import gettext_lazy as _

from ..models.partner import TEXT_LENGTH


class SearchForm(forms.Form):
    """The line of somebody who looks for a partner."""

    text = forms.CharField(
        label=_("A line about it"),
        max_length=TEXT_LENGTH,
        help_text=_("How you play, when you can. Those who may answer read it; no address or number belongs here."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
