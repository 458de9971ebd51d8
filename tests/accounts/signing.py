"""Signing in as people do: password, second factor, and the code that an authenticator app would show."""

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from allauth.mfa.totp.internal.auth import yield_hotp_counters_from_time as counters
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tock_league.accounts.models import Player, User
from tock_league.accounts.services import create_player, create_user

PASSWORD = "le tock du mercredi soir"


def a_player(name: str, address: str, birth_year: int | None = 1984) -> Player:
    """Return a new player with a login whose password is PASSWORD; one from before years of birth has None."""
    return create_player(display_name=name, user=create_user(email=address, password=PASSWORD), birth_year=birth_year)


def a_boss(name: str = "Chantal Brière", address: str = "chef@example.org") -> Player:
    """Return a new player whose login is Django's superuser and may enter the admin."""
    player = a_player(name, address)
    User.objects.filter(pk=player.user.pk).update(is_staff=True, is_superuser=True)
    return Player.objects.select_related("user").get(pk=player.pk)


def set_up_factor(user: User) -> str:
    """Give the login an authenticator app and recovery codes; return the app's secret."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    RecoveryCodes.activate(user)
    return secret


def code(secret: str) -> str:
    """Return what the app shows now. The test may use it again, which people may not within thirty seconds."""
    cache.clear()
    return format_hotp_value(hotp_value(secret, next(iter(counters()))))


def sign_in(client: Client, user: User, *, secret: str = "", password: str = PASSWORD) -> None:
    """Sign in through the pages, with the app's code where the login has a second factor."""
    answer = client.post(reverse("account_login"), {"login": user.email, "password": password})
    if secret:
        assert answer["Location"].startswith(reverse("mfa_authenticate")), answer
        client.post(reverse("mfa_authenticate"), {"code": code(secret)})
    assert client.session["_auth_user_id"] == str(user.pk)


def sign_up_form(address: str) -> dict[str, str]:
    return {
        "display_name": "Océane Trudel",
        "email": address,
        "password1": PASSWORD,
        "birth_year": 1984,
        "language": "fr",
    }
