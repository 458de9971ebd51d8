"""Which peers may speak for others (X-Forwarded-For), and which ones tried to and are not trusted.

A proxy whose address is missing in FORWARDED_ALLOW_IPS is not believed: all its visitors count as one address, so that
every limit per address is one for the whole site. Nothing fails, hence this memory of the process. Each request of such
a proxy is a sign of it, so that every process knows within its first requests.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address, ip_network
from typing import Any

from . import clock
from .bounds import address_of

log = logging.getLogger(__name__)
KEPT = 50  # addresses; a stranger can send the header from many
RECENT_MS = 3600 * 1000
HEADER = b"x-forwarded-for"


@dataclass
class Peer:
    """A peer that sent X-Forwarded-For and is not trusted; `address` is an IPv6 peer's /64 network."""

    address: str
    first_ms: int
    last_ms: int
    count: int = 0

    @property
    def is_near(self) -> bool:
        """Whether the address belongs to a private network: probably a proxy of this site. Others may be anybody."""
        try:
            return not ip_network(self.address).is_global
        except ValueError:
            return False

    @property
    def last(self) -> datetime:
        """The instant of its last such request."""
        return clock.from_ms(self.last_ms)


_seen: dict[str, Peer] = {}


def note(scope: Mapping[str, Any]) -> None:
    """Remember an untrusted peer when the request brings X-Forwarded-For; log the first time. Costs a scan of headers."""
    if not any(name == HEADER and value.strip() for name, value in scope.get("headers", ())):
        return
    address, now = address_of(scope), clock.now_ms()
    peer = _seen.get(address)
    if peer is None:
        if len(_seen) >= KEPT:
            del _seen[min(_seen, key=lambda known: _seen[known].last_ms)]
        peer = _seen[address] = Peer(address, now, now)
        if peer.is_near:
            log.warning("X-Forwarded-For from %s, which is not in TRUSTED_PROXIES: its visitors count as one", address)
    peer.last_ms, peer.count = now, peer.count + 1


def untrusted() -> list[Peer]:
    """Return the peers of the last hour, the near ones first, then by count; of this process, since its start."""
    since = clock.now_ms() - RECENT_MS
    found = [peer for peer in list(_seen.values()) if peer.last_ms >= since]
    return sorted(found, key=lambda peer: (not peer.is_near, -peer.count, peer.address))


def are_right() -> bool:
    """Return False when a near peer forwarded requests within the last hour without being trusted."""
    return not any(peer.is_near for peer in untrusted())


def forget() -> None:
    """Forget all peers; for tests."""
    _seen.clear()


def read(text: str) -> list[str]:
    """Return the entries of a list of addresses and networks, separated by commas; `*` trusts every peer.

    Raises ValueError with a sentence that names the first entry that is neither. uvicorn would take such an entry for
    the name of a Unix socket, and trust nobody.
    """
    entries = [entry.strip() for entry in text.split(",") if entry.strip()]
    for entry in entries:
        if entry == "*":
            continue
        try:
            ip_network(entry) if "/" in entry else ip_address(entry)
        except ValueError as error:
            raise ValueError(
                f"FORWARDED_ALLOW_IPS (TRUSTED_PROXIES): {entry!r} is no address and no network: {error}."
            ) from None
    return entries


def beyond_this_machine(entries: list[str]) -> bool:
    """Return whether an entry trusts more than this machine's own loopback addresses."""
    return any(entry == "*" or not ip_network(entry).is_loopback for entry in entries)
