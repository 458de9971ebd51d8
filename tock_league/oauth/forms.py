"""The forms of an application."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from .models import ADDRESS_LENGTH, NAME_LENGTH, TEXT_LENGTH, Application
from .services.redirects import MOST


class ApplicationForm(forms.Form):
    """An application that exists. The services judge the name and the addresses."""

    name = forms.CharField(
        label=_("Name"), min_length=2, max_length=NAME_LENGTH, help_text=_("People see it when they are asked.")
    )
    website = forms.CharField(
        label=_("Website"),
        max_length=ADDRESS_LENGTH,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Its first page, such as https://example.org."),
    )
    description = forms.CharField(
        label=_("What it does"),
        max_length=TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("In a sentence or two, for the people who are asked."),
    )
    redirects = forms.CharField(
        label=_("Addresses to return to"),
        max_length=MOST * (ADDRESS_LENGTH + 2),
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("One a line, exactly as the application sends them. At most five."),
    )

    def values(self) -> dict[str, Any]:
        """Return what the services take."""
        values = {name: self.cleaned_data[name] for name in self.fields if name != "redirects"}
        return {**values, "redirects_to": self.cleaned_data["redirects"].splitlines()}


class NewApplicationForm(ApplicationForm):
    """A new application."""

    kind = forms.ChoiceField(
        label=_("Where it runs"),
        choices=[(kind, label) for kind, label in Application.Kind.choices],
        initial=Application.Kind.CONFIDENTIAL,
        widget=forms.RadioSelect,
    )
    field_order = ("name", "website", "description", "kind", "redirects")
