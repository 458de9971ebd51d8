"""Forms for the codes of authenticator apps and recovery codes."""

from typing import Any

from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from . import seals

LOST = _(
    "This site has lost the key of codes that were set up before: it can check neither those of your app nor your recovery"
    " codes. Use a passkey, or ask an administrator of the site to remove your second factor."
)


class _Codes(forms.BaseAuthenticateForm):
    """Says why no code fits where the key was lost with which they are sealed; whoever reads this knows the password."""

    def clean_code(self) -> Any:
        try:
            return super().clean_code()
        except ValidationError as error:
            if error.code != "incorrect_code":
                raise
            found = Authenticator.objects.filter(user=self.user).values_list("data", flat=True)
            if any(map(seals.is_lost, found)):
                raise ValidationError(LOST, code="lost_key") from None
            raise


class AuthenticateForm(_Codes, forms.AuthenticateForm):
    """Asks for a code after the password."""


class ReauthenticateForm(_Codes, forms.ReauthenticateForm):
    """Asks for a code before a heavy act."""
