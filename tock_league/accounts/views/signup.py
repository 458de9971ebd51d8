"""Signing up, with our limit for an address."""

from typing import Any

from allauth.account.views import SignupView
from django.http import HttpResponse

from tock_league.common import limits

SIGN_UPS, HOUR_S = 5, 3600


class SignUp(SignupView):
    """allauth's page. Forms without a mistake count, whether or not the address is known already; others do not."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Refuse before the form is read where the hour of the address is full."""
        limits.check(self.request, "signup", count=SIGN_UPS, seconds=HOUR_S, in_halls=True)
        response: HttpResponse = super().post(*args, **kwargs)
        return response

    def form_valid(self, form: Any) -> HttpResponse:
        limits.spend(self.request, "signup", count=SIGN_UPS, seconds=HOUR_S, in_halls=True)
        response: HttpResponse = super().form_valid(form)
        return response
