"""Which addresses may be told something: https on a usual or a high port, and public ones only (`common.outward`)."""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tock_league.common import outward
from tock_league.common.errors import Refused
from tock_league.common.outward import USUAL, Target

from ..models import ADDRESS_LENGTH

HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")  # in ASCII; an IPv6 address without brackets and without a zone
LEAST_PORT = 1024  # of those beside the usual ones: below are mail, shells and other protocols


def parsed(address: str) -> Target:
    """Return the parts of an address. Raises Refused on `address`: `webhook_address`, `webhook_https`, `webhook_port`."""
    text = address.strip()
    if not text or len(text) > ADDRESS_LENGTH or any(ord(char) <= 32 or ord(char) > 126 for char in _path(text)):
        raise _malformed()
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise _malformed() from None
    if parts.scheme not in USUAL or not host or parts.username is not None or parts.fragment or "\\" in text:
        raise _malformed()
    if parts.scheme == "http" and not _is_lenient():
        raise Refused("webhook_https", _("The address must begin with https://."), field="address")
    try:
        host = host if ":" in host else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise _malformed() from None
    if not HOST.fullmatch(host):
        raise _malformed()
    port = port if port is not None else USUAL[parts.scheme]
    if port != USUAL[parts.scheme] and not LEAST_PORT <= port <= 65535:
        text_of = _("Use port %(usual)d, or one from %(least)d on.")
        values = {"usual": USUAL[parts.scheme], "least": LEAST_PORT}
        raise Refused("webhook_port", text_of % values, field="address")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port, path)


def resolved(target: Target) -> Sequence[str]:
    """Return the numeric addresses of the host, all of which are public.

    Raises Refused on `address`: `webhook_unknown` for a name without address, `webhook_inside` where one is not public.
    """
    try:
        return outward.resolved(target.host, target.port, inside=_is_lenient())
    except outward.Unknown:
        sentence = _("No server has the name “%(host)s”.") % {"host": target.host}
        raise Refused("webhook_unknown", sentence, field="address") from None
    except outward.NotPublic:
        sentence = _("“%(host)s” is not on the public internet.") % {"host": target.host}
        raise Refused("webhook_inside", sentence, field="address") from None


def _is_lenient() -> bool:
    """Return whether http and addresses of the own network are allowed, for developers and tests."""
    return bool(settings.DEBUG or settings.WEBHOOKS_INSIDE)


def _path(text: str) -> str:
    """Return what follows the host: only there must everything be ASCII, because a host's name may have accents."""
    return text.partition("://")[2].partition("/")[2]


def _malformed() -> Refused:
    text = _("Write a whole address such as https://example.org/tock, without a name and password and without “#”.")
    return Refused("webhook_address", text, field="address")
