"""Forms of sign-up and profile."""

from typing import Any

from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tock_league.common.transactions import writing

from .models import Player, User, all_time_zones


def time_zones() -> list[tuple[str, str]]:
    """Return the zones people choose from, Canada's first, then by name; each (IANA name, what is shown)."""
    zones = sorted(zone for zone in all_time_zones() if "/" in zone and not zone.startswith(("Etc/", "SystemV/")))
    near = [
        zone
        for zone in ("America/Toronto", "America/Halifax", "America/St_Johns", "America/Winnipeg", "America/Vancouver")
        if zone in zones
    ]
    return [(zone, zone.replace("_", " ")) for zone in [*near, *(zone for zone in zones if zone not in near)]]


class SignupForm(AllauthSignupForm):
    """allauth's form with the name shown to others and the language."""

    display_name = forms.CharField(
        label=_("Name shown to others"),
        min_length=2,
        max_length=40,
        help_text=_("On tables, standings and leaderboards; it need not be your full name."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    language = forms.ChoiceField(label=_("Language"), choices=Player.Language.choices)
    field_order = ["display_name", "email", "password1", "language"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail")
        self.fields["password1"].label = _("Password")
        self.fields["password1"].help_text = _("At least 12 characters; a short sentence is easy to remember.")
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        for validator in Player._meta.get_field("display_name").validators:
            self.fields["display_name"].validators.append(validator)

    def save(self, request: HttpRequest) -> User:
        """Write login, player and address together or not at all."""
        with writing():
            user: User = super().save(request)
            return user


class ProfileForm(forms.ModelForm):
    """The name that others see, and the reader's language and time zone."""

    time_zone = forms.ChoiceField(label=_("Time zone"), help_text=_("Every date and hour on the site is shown in it."))

    class Meta:
        model = Player
        fields = ["display_name", "language", "time_zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = time_zones()
