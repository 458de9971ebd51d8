"""Forms of sign-up and profile."""

from typing import Any, ClassVar

from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from allauth.account.models import EmailAddress
from allauth.account.utils import has_verified_email
from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tock_league.common.address import site_url
from tock_league.common.ids import new_slug
from tock_league.common.names import readable, tidy
from tock_league.common.passwords import NamesValidator
from tock_league.common.transactions import rolled_back, writing

from .models import Player, User, all_time_zones
from .services import promise_letter


def time_zones() -> list[tuple[str, str]]:
    """Return the zones people choose from, Canada's first, then by name; each (IANA name, what is shown)."""
    zones = sorted(zone for zone in all_time_zones() if "/" in zone and not zone.startswith(("Etc/", "SystemV/")))
    near = [
        zone
        for zone in ("America/Toronto", "America/Halifax", "America/St_Johns", "America/Winnipeg", "America/Vancouver")
        if zone in zones
    ]
    return [(zone, zone.replace("_", " ")) for zone in [*near, *(zone for zone in zones if zone not in near)]]


class NameField(forms.CharField):
    """A name, tidied before it is judged: keyboards write joiners that the model refuses."""

    def to_python(self, value: Any) -> Any:
        return tidy(super().to_python(value) or "")


class SignupForm(AllauthSignupForm):
    """allauth's form with the name shown to others and the language."""

    display_name = NameField(
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
        self.fields["display_name"].validators.append(readable)

    def clean(self) -> dict[str, Any]:
        """Compare the password with the name too, which allauth does not know."""
        cleaned: dict[str, Any] = super().clean()
        if (password := cleaned.get("password1")) and "password1" not in self.errors:
            user = User(email=cleaned.get("email", ""))
            user.display_name = cleaned.get("display_name", "")  # type: ignore[attr-defined]
            try:
                NamesValidator().validate(password, user)
            except ValidationError as error:
                self.add_error("password1", error)
        return cleaned

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Write the account; for an address that has one, do the same work and undo it.

        Otherwise the time of the answer would tell whether an address is known: a password's hash takes a tenth of a
        second.
        """
        if self.account_already_exists:
            self._pretend(request)
        found: tuple[User | None, HttpResponse | None] = super().try_save(request)
        return found

    def save(self, request: HttpRequest) -> User:
        """Write login, player and address together or not at all."""
        with writing():
            user: User = super().save(request)
            return user

    def _pretend(self, request: HttpRequest) -> None:
        """Write an account with an address that nobody has, read what a sign-up reads of it, and undo it.

        The outer transaction commits, with nothing in it: the disk is waited for as in a real sign-up.
        """
        known = self.cleaned_data["email"]
        self.cleaned_data["email"] = f"{new_slug(24)}@invalid.invalid"
        self.account_already_exists = False
        try:
            with writing(), rolled_back():
                user: User = super().save(request)
                if not has_verified_email(user):
                    EmailAddress.objects.filter(user=user).order_by("-primary", "-verified").first()
        finally:
            self.cleaned_data["email"], self.account_already_exists = known, True


class ResetPasswordForm(AllauthResetPasswordForm):
    """Asks for a letter. Whether the address has an account is found out where the letter is written."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email: str = self.cleaned_data["email"]
        promise_letter("reset", email=email, language=get_language() or "fr", site=site_url(request))
        return email


class ProfileForm(forms.ModelForm):
    """The name that others see, and the reader's language and time zone."""

    time_zone = forms.ChoiceField(label=_("Time zone"), help_text=_("Every date and hour on the site is shown in it."))

    class Meta:
        model = Player
        fields = ["display_name", "language", "time_zone"]
        field_classes: ClassVar = {"display_name": NameField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = time_zones()
