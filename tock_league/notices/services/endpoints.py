"""Addresses of push services, which browsers give: https, a name, the usual port, and nothing of the own network."""

import contextlib
import ipaddress
from collections.abc import Mapping
from urllib import parse

from tock_league.common import outward
from tock_league.common.outward import USUAL, Answer, Limits, Target

NAMES_INSIDE = (".localhost", ".local", ".internal", ".arpa")


class Forbidden(Exception):
    """Why nothing is sent to an address: `form`, or `private` for one that is not of the public Internet."""


def checked(url: str) -> Target:
    """Return the parts of an https address with a host name and no other port. Asks nobody. Raises Forbidden."""
    try:
        parts = parse.urlsplit(url)
        port = parts.port
    except ValueError:
        raise Forbidden("form") from None
    host = parts.hostname or ""
    plain = url.isascii() and url.isprintable() and not set(url) & set(' "<>\\^`{|}#')
    if not plain or parts.scheme != "https" or not host or "@" in parts.netloc or port not in (None, 443):
        raise Forbidden("form")
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(host)
        raise Forbidden("private")  # also a public one: whoever serves others has a name
    name = host.rstrip(".")
    if "." not in name or name.endswith(NAMES_INSIDE):
        raise Forbidden("private")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target("https", name, USUAL["https"], path)


def post(url: str, body: bytes, headers: Mapping[str, str], *, patience: float) -> Answer:
    """Send `body` within `patience` seconds and return what became of it. Raises Forbidden; outward.Unknown."""
    target = checked(url)
    try:
        numeric = outward.resolved(target.host, target.port)
    except outward.NotPublic:
        raise Forbidden("private") from None
    return outward.post(target, numeric, body, headers, Limits(patience, patience, patience))
