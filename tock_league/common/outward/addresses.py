"""Which addresses belong to the public internet."""

import ipaddress
import socket
from dataclasses import dataclass

USUAL = {"https": 443, "http": 80}


class Unknown(Exception):
    """No such name."""


class NotPublic(Exception):
    """An address of the name is not on the public internet."""


@dataclass(frozen=True)
class Target:
    """An address taken apart."""

    scheme: str  # https or http
    host: str  # in ASCII, without brackets
    port: int
    path: str  # with the query

    @property
    def host_header(self) -> str:
        """Return the value of the header Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == USUAL[self.scheme] else f"{host}:{self.port}"


def resolved(host: str, port: int, *, inside: bool = False) -> list[str]:
    """Return the numeric addresses of a host. Raises Unknown; NotPublic when any of them is not public.

    `inside`: whether addresses of the own network are allowed, for developers and tests.
    """
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unknown(host) from None
    found = list(dict.fromkeys(str(row[4][0]) for row in rows))
    if not found:
        raise Unknown(host)
    if not inside and not all(is_public(each) for each in found):
        raise NotPublic(host)
    return found


def is_public(numeric: str) -> bool:
    """Return whether a numeric address belongs to the public internet.

    IPv6 addresses that carry an IPv4 address lead to a gateway: none of them is public, whatever they carry.
    """
    try:
        ip = ipaddress.ip_address(numeric.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and (ip.is_site_local or ip.sixtofour or ip.teredo):
        return False  # mapped addresses and those of NAT64 are reserved
    return ip.is_global and not ip.is_multicast and not ip.is_reserved
