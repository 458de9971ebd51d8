"""Where django-allauth meets our people: a sign-up makes a user and a player together."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.translation import get_language

from tock_league.common.ids import new_slug

from . import services
from .models import User


class AccountAdapter(DefaultAccountAdapter):
    """Sign-up through our services; mail in the language of the page."""

    def populate_username(self, request: HttpRequest, user: User) -> None:
        """Give the login a generated name: people are known by their address and their player's name."""
        user.username = user.username or new_slug()

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Fill `user` from the sign-up form and write it with its player, in the form's transaction."""
        user = super().save_user(request, user, form, commit=False)
        if commit:
            services.sign_up(
                user=user,
                display_name=form.cleaned_data["display_name"],
                language=form.cleaned_data.get("language") or (get_language() or "fr")[:2],
            )
        return user
