"""At which addresses the others in a room reach a laptop that serves their network. Nothing is asked of anybody for it.

Names of hosts are no help in a hall: phones do not know a laptop's name. So these are the addresses of its own interfaces.
"""

import contextlib
import socket
import struct
import sys
from ipaddress import IPv4Address, ip_address
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest

from .address import site_url

DOCUMENTATION = "192.0.2.1"  # RFC 5737: belongs to nobody. A datagram socket that is "connected" to it sends nothing.
SIOCGIFADDR = 0x8915  # Linux: the address of an interface
ROUTES = Path("/proc/net/route")  # Linux: a line for each route, the interface first
WAY_OUT = "00000000"  # the destination of the usual way out there
VIRTUAL = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet")  # networks inside this computer
_listening = {"host": "127.0.0.1"}  # where this process takes connections


def listen_on(host: str) -> None:
    """Remember the address on which this process listens; 0.0.0.0: on all."""
    _listening["host"] = host


def own_addresses() -> list[str]:
    """Return this computer's IPv4 addresses that others may reach, that of the usual way out first."""
    found = _of_interfaces() if sys.platform == "linux" else [*_of_the_way_out(), *_of_the_name()]
    return [each for each in dict.fromkeys(found) if _reachable(each)]


def reached_at(host: str, port: int) -> list[str]:
    """Return the addresses, without a slash at their end, at which others reach a server that listens on `host`."""
    listens = ip_address(host)
    if listens.is_loopback:
        return []
    hosts = own_addresses() if listens.is_unspecified else [host]
    return [_url(each, port) for each in hosts]


def addresses(request: HttpRequest) -> list[str]:
    """Return the addresses of this site for others in the room, without a slash at their end; [] when there is none.

    SITE_URL where it is set. Else that at which the request arrived, unless only this computer has it, and our others.
    """
    if settings.SITE_URL:
        return [str(settings.SITE_URL)]
    arrived = str(request.META.get("SERVER_NAME", ""))
    known = [site_url(request)] if not _is_loopback(arrived) else []
    return list(dict.fromkeys([*known, *reached_at(_listening["host"], int(request.META.get("SERVER_PORT") or 80))]))


def url_for_phones(request: HttpRequest) -> str:
    """Return the address that codes for phones begin with: that of the request, unless it is of this computer alone."""
    asked = site_url(request)
    if settings.SITE_URL or not _is_loopback(str(request.META.get("SERVER_NAME", ""))):
        return asked
    return next(iter(addresses(request)), asked)


def absolute_for_phones(request: HttpRequest, path: str) -> str:
    """Return the whole address of a page of the site that a phone shall open; `path` begins with a slash."""
    return url_for_phones(request) + path


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}" + ("" if port == 80 else f":{port}")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _reachable(text: str) -> bool:
    address = IPv4Address(text)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast)


def _of_the_way_out() -> list[str]:
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect((DOCUMENTATION, 9))
        return [asked.getsockname()[0]]
    return []


def _of_interfaces() -> list[str]:
    """Return the first address of each interface of a Linux computer, that of the usual way out first."""
    import fcntl

    found = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _number, name in socket.if_nameindex():
            if name.startswith(VIRTUAL):
                continue
            with contextlib.suppress(OSError):  # it has no address
                told = fcntl.ioctl(asked.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                found[name] = socket.inet_ntoa(told[20:24])
    first = _way_out()
    return [found[name] for name in sorted(found, key=lambda name: name != first)]


def _way_out() -> str:
    """Return the interface of the usual way out of a Linux computer, "" where there is none."""
    with contextlib.suppress(OSError):
        for line in ROUTES.read_text(encoding="ascii").splitlines():
            words = line.split()
            if len(words) > 1 and words[1] == WAY_OUT:
                return words[0]
    return ""


def _of_the_name() -> list[str]:
    """Return the addresses that Windows and macOS know for this computer's own name."""
    with contextlib.suppress(OSError):
        return [str(found[4][0]) for found in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []
