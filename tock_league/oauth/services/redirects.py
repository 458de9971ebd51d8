"""Addresses to which a browser is sent back: which may be registered, and which fit (RFC 9700, 2.1; RFC 8252, 7 and 8).

They are compared character by character. Only the port of a loopback address is free, because a program on somebody's
computer takes the port that it gets.
"""

import re
from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, urlsplit

from django.utils.translation import gettext_lazy as _

from tock_league.common.errors import Refused

from ..models import ADDRESS_LENGTH

MOST = 5  # of one application
# What RFC 3986 allows in a path and a query: no space, no quotation mark, no backslash, no fragment. No wildcard either.
_CHARACTER = r"(?:[A-Za-z0-9\-._~!$&'()+,;=:@]|%[0-9A-Fa-f]{2})"
_QUERY = r"(?:\?(?:" + _CHARACTER + r"|[/?])*)?"
_REST = r"(?:/(?:" + _CHARACTER + r"|/)*)?" + _QUERY
_PORT = r"(?::[0-9]{1,5})?"
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HTTPS = re.compile(r"https://(?:" + _LABEL + r"\.)+" + _LABEL + _PORT + _REST)
LOOPBACK = re.compile(r"http://(127\.0\.0\.1|\[::1\])" + _PORT + "(" + _REST + ")")
# The reversed name of a domain, and a single slash.
SCHEME = re.compile(r"[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:/(?:" + _CHARACTER + r"(?:" + _CHARACTER + r"|/)*)?" + _QUERY)
OURS = frozenset({"code", "state", "iss", "error", "error_description", "error_uri"})  # what the answer adds


def checked(addresses: Iterable[str]) -> list[str]:
    """Return addresses to register, each once. Raises Refused on `redirects`: `redirect`, `redirects_most`,
    `redirects_none`.
    """
    given = list(dict.fromkeys(address.strip() for address in addresses if address.strip()))
    if not given:
        raise Refused("redirects_none", _("Give at least one address to return to."), field="redirects")
    if len(given) > MOST:
        text = _("Give at most %(most)d addresses to return to.")
        raise Refused("redirects_most", text % {"most": MOST}, field="redirects")
    for address in given:
        if not _may_be_registered(address):
            text = _(
                "“%(address)s” cannot be used. Allowed are https:// addresses without “#” and “*”, http://127.0.0.1 and"
                " http://[::1] for programs on a computer, and schemes such as org.example.app:/return for apps."
            )
            raise Refused("redirect", text % {"address": address[:80]}, field="redirects")
    return given


def fits(asked: str, registered: Sequence[str]) -> bool:
    """Return whether an application may be answered at the address `asked`."""
    if len(asked) > ADDRESS_LENGTH:
        return False
    if asked in registered:
        return True
    found = LOOPBACK.fullmatch(asked)
    if found is None:
        return False
    known = (LOOPBACK.fullmatch(address) for address in registered)
    return any(one is not None and one.groups() == found.groups() for one in known)


def form_action(address: str) -> str:
    """Return the source of the Content-Security-Policy that lets a form's answer redirect to the address.

    A policy cannot name an IPv6 address or a path of a scheme, so these give their scheme alone.
    """
    parts = urlsplit(address)
    if parts.scheme == "https" or (parts.scheme == "http" and parts.hostname == "127.0.0.1"):
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:"


def host_of(address: str) -> str:
    """Return who gets the answer, for people: the host, "" for a program on the person's own computer, else the scheme."""
    parts = urlsplit(address)
    if parts.scheme == "https":
        return parts.netloc
    return "" if parts.scheme == "http" else parts.scheme


def is_website(address: str) -> bool:
    """Return whether the address is that of a page on the public web, with a name and without a person in it."""
    return len(address) <= ADDRESS_LENGTH and HTTPS.fullmatch(address) is not None and _port_is_possible(address)


def _may_be_registered(address: str) -> bool:
    if len(address) > ADDRESS_LENGTH:
        return False
    known = HTTPS.fullmatch(address) or LOOPBACK.fullmatch(address) or SCHEME.fullmatch(address)
    if not known or not _port_is_possible(address):
        return False
    return not OURS & {name for name, _value in parse_qsl(urlsplit(address).query, keep_blank_values=True)}


def _port_is_possible(address: str) -> bool:
    try:
        return urlsplit(address).port != 0
    except ValueError:
        return False
