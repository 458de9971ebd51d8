"""Devices on which a login has signed in before. Nobody else's wrong passwords count against them (decision 0023).

The device keeps a signed cookie with a random name and the logins that signed in there. It proves nothing else: who has it
still needs the password and the second factor.
"""

import ipaddress
import secrets
import unicodedata
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from .models import User

AGE_S = 400 * 24 * 3600  # the longest that browsers keep a cookie
LOGINS = 12  # on one device, the latest; a club's laptop has many
SALT = "tock_league.accounts.devices"


def cookie_name() -> str:
    """Return the cookie's name: with https one that only this host may set."""
    return "__Host-device" if settings.SESSION_COOKIE_SECURE else "device"


def tried_name(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """Return under which name axes counts a wrong password: the login that is tried, and the device if it knows it.

    With the address this is what is locked after five: `martine@example.org`, or `martine@example.org 5f0c...` for a device
    on which she has signed in before. After a sign-in axes gives the generated user name.
    """
    given = credentials or {}
    login = given.get("email") or request.POST.get("login")
    if not login:
        user = User.objects.filter(username=given.get("username", "")).first()
        login = user.email if user is not None else ""
    login = counted(str(login))
    return f"{login} {device}" if (device := known(request, login)) else login


def counted(login: str) -> str:
    """Return under which spelling the tries of a login count: databases find it by others too, such as with a long s."""
    return unicodedata.normalize("NFKC", login).casefold().strip()


def address_of(request: HttpRequest) -> str | None:
    """Return the address that a guess counts for: that of the peer or of whom a trusted proxy names; of IPv6 the /64.

    None where the server knows no address, as on a Unix socket: all such requests count together.
    """
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return None
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False).network_address)


def known(request: HttpRequest, login: str) -> str:
    """Return the name of the request's device if the login of that address has signed in on it before, else "".

    A query only where there is a cookie.
    """
    device, logins = _read(request)
    if not logins or not login:
        return ""
    return device if User.objects.filter(pk__in=logins, email__iexact=login).exists() else ""


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Let the device keep that this login has signed in on it."""
    device, logins = _read(request)
    kept = [user.pk, *(pk for pk in logins if pk != user.pk)][:LOGINS]
    value = signing.dumps({"device": device or secrets.token_hex(16), "logins": kept}, salt=SALT)
    response.set_cookie(
        cookie_name(), value, max_age=AGE_S, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
    )


def _read(request: HttpRequest) -> tuple[str, list[int]]:
    """Return the device's name and the keys of its logins, latest first; empty without a cookie of ours."""
    try:
        kept = signing.loads(request.COOKIES.get(cookie_name(), ""), salt=SALT, max_age=AGE_S)
    except signing.BadSignature:
        return "", []
    return str(kept["device"]), [int(pk) for pk in kept["logins"]]
