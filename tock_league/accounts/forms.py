"""Forms of sign-up, profile and passkeys."""

import struct
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from allauth.account.forms import ResetPasswordForm as AllauthResetPasswordForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from allauth.account.models import EmailAddress
from allauth.account.utils import has_verified_email
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.webauthn import forms as webauthn
from cryptography.exceptions import InvalidSignature
from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tock_league.common.address import site_url
from tock_league.common.ids import new_slug
from tock_league.common.names import BOT_MARK, readable, tidy
from tock_league.common.passwords import NamesValidator
from tock_league.common.transactions import rolled_back, writing

from .minors import years
from .models import NAME_LENGTH, TOKEN_NAME_LENGTH, Player, Token, User, all_time_zones
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


class BirthYearField(forms.IntegerField):
    """A year of birth: four digits, no day, no document."""

    def __init__(self, **options: Any) -> None:
        text = _("The year alone. Nobody else sees it; below 14 a parent or guardian consents.")
        widget = forms.NumberInput(attrs={"autocomplete": "bday-year", "inputmode": "numeric"})
        super().__init__(label=_("Year of birth"), help_text=text, widget=widget, **options)

    def clean(self, value: Any) -> Any:
        year = super().clean(value)
        first, last = years()
        if year is not None and not first <= year <= last:
            raise ValidationError(
                _("Type the year of birth with four digits, from %(first)d to %(last)d."),
                code="birth_year",
                params={"first": first, "last": last},
            )
        return year


class SignupForm(AllauthSignupForm):
    """allauth's form with the name shown to others, the year of birth and the language."""

    display_name = NameField(
        label=_("Name shown to others"),
        min_length=2,
        max_length=40,
        help_text=_("On tables, standings and leaderboards; it need not be your full name."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    birth_year = BirthYearField()
    language = forms.ChoiceField(label=_("Language"), choices=Player.Language.choices)
    field_order = ["display_name", "email", "password1", "birth_year", "language"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].initial = (get_language() or "fr")[:2]
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
    """The name that others see, who sees the page, and the reader's language and time zone.

    `child`: the name by which the clubs of a child know it, which nobody else sees. A login without a player tells its year
    of birth here.
    """

    birth_year = BirthYearField()
    time_zone = forms.ChoiceField(label=_("Time zone"), help_text=_("Every date and hour on the site is shown in it."))

    class Meta:
        model = Player
        fields = ["display_name", "page_for", "shows_presence", "language", "time_zone"]
        field_classes: ClassVar = {"display_name": NameField}

    field_order = ["display_name", "birth_year", "page_for", "shows_presence", "language", "time_zone"]

    def __init__(self, *args: Any, child: str | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = time_zones()
        self.fields["page_for"].help_text = _(
            "Your next matches, results, teams and ratings on one page. Standings and results are public in any case."
        )
        self.fields["shows_presence"].help_text = _("To members of your clubs and teams alone, while you use the site.")
        if self.instance.pk is not None:
            del self.fields["birth_year"]
        if child is not None:
            del self.fields["page_for"]
            del self.fields["shows_presence"]  # nobody sees when a child is here
            self.fields["display_name"].label = _("Name in your clubs")
            self.fields["display_name"].help_text = _(
                "Your guardian and those who look after your clubs and competitions see it. Everybody else sees the pseudonym."
            )
            self.initial["display_name"] = child


class BirthYearForm(forms.Form):
    """Asks those who signed up before the site asked."""

    birth_year = BirthYearField()


class CodeForm(forms.Form):
    """The code that a child shows to its guardian."""

    code = forms.CharField(label=_("The child’s code"), max_length=24, widget=forms.TextInput(attrs={"size": 14}))


class PaperForm(forms.Form):
    """A consent signed on paper."""

    guardian = NameField(label=_("Parent or guardian who signed"), min_length=2, max_length=84)


# What allauth and fido2 raise when they read a credential that no browser has made.
NO_CREDENTIAL = (AttributeError, InvalidSignature, LookupError, RecursionError, TypeError, ValueError, struct.error)


class CredentialField(forms.JSONField):
    """A credential of a passkey as JSON; also a number or a nesting beyond what Python reads is only wrong."""

    def __init__(self) -> None:
        super().__init__(widget=forms.HiddenInput)

    def to_python(self, value: Any) -> Any:
        """Return the parsed text. Raises ValidationError `invalid`."""
        try:
            return super().to_python(value)
        except (RecursionError, ValueError):
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None

    def bound_data(self, data: Any, initial: Any) -> str:
        """Return nothing: a credential serves once, and what was wrong is not written into the page again."""
        return ""

    def prepare_value(self, value: Any) -> str:
        """Return nothing, see `bound_data`."""
        return ""


@contextmanager
def _refusing_what_is_no_credential() -> Iterator[None]:
    try:
        yield
    except NO_CREDENTIAL as error:
        raise get_mfa_adapter().validation_error("incorrect_code") from error


class AuthenticateWebAuthnForm(webauthn.AuthenticateWebAuthnForm):
    """The passkey as second factor."""

    credential = CredentialField()

    def clean_credential(self) -> Any:
        """Return the authenticator of the credential. Raises ValidationError for any other text."""
        with _refusing_what_is_no_credential():
            return super().clean_credential()


class LoginWebAuthnForm(AuthenticateWebAuthnForm, webauthn.LoginWebAuthnForm):
    """The passkey instead of a password."""


class ReauthenticateWebAuthnForm(AuthenticateWebAuthnForm, webauthn.ReauthenticateWebAuthnForm):
    """The passkey before a heavy act."""


class AddWebAuthnForm(webauthn.AddWebAuthnForm):
    """A new passkey."""

    credential = CredentialField()

    def clean(self) -> Any:
        """Check the new credential. Raises ValidationError for any other text."""
        with _refusing_what_is_no_credential():
            return super().clean()


class BotForm(forms.Form):
    """A new bot account."""

    name = forms.CharField(
        label=_("Name"),
        min_length=2,
        max_length=NAME_LENGTH - len(BOT_MARK),
        help_text=_("The site adds “(bot)”, so that everybody knows."),
    )


class TokenForm(forms.Form):
    """A new access token; `most`: for how many days it lasts at most. `scopes`: those that are offered."""

    name = forms.CharField(
        label=_("Name"), min_length=2, max_length=TOKEN_NAME_LENGTH, help_text=_("What will use it, for yourself.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=Token.Scope.choices,
        initial=[Token.Scope.READ],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.IntegerField(label=_("For how many days"), initial=30, min_value=1)

    def __init__(self, *args: Any, most: int, scopes: Collection[str] = Token.Scope.values, **more: Any) -> None:
        super().__init__(*args, **more)
        offered = self.fields["scopes"]
        assert isinstance(offered, forms.MultipleChoiceField)
        offered.choices = [choice for choice in Token.Scope.choices if choice[0] in scopes]
        days = self.fields["days"]
        days.help_text = _("Between 1 and %(most)d.") % {"most": most}
        days.widget.attrs["max"] = most
