"""Limits counted in the memory of this process: how many places a key holds now, and how often it may call.

A key is an address or a login. No database or cache is read, so a refusal costs next to nothing.
"""

from collections.abc import Hashable, Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.http import HttpRequest

from . import clock


def address_of(scope: Mapping[str, Any]) -> str:
    """Return the client address of an ASGI scope; for IPv6 its /64 network, because a household has a whole one.

    The client is the peer, or the client that a trusted proxy names (uvicorn's proxy headers).
    """
    client = scope.get("client")
    host = str(client[0]) if client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address.packed[:8] + bytes(8), 64)))


def address_of_request(request: HttpRequest) -> str:
    """Return `address_of` for a request of Django's."""
    return address_of({"client": (request.META.get("REMOTE_ADDR", ""), 0)})


class Places:
    """How many places each key holds now. A key that holds none is forgotten."""

    def __init__(self) -> None:
        self._taken: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self._taken)

    def taken(self, key: Hashable) -> int:
        """Return how many places the key holds."""
        return self._taken.get(key, 0)

    def take(self, wanted: Mapping[Hashable, int]) -> bool:
        """Take one place for each key, or none at all; return whether they were taken.

        `wanted`: keys with the most each may hold.
        """
        if any(self.taken(key) >= most for key, most in wanted.items()):
            return False
        for key in wanted:
            self._taken[key] = self.taken(key) + 1
        return True

    def give_back(self, keys: Mapping[Hashable, int]) -> None:
        """Give back what `take` took."""
        for key in keys:
            left = self._taken[key] - 1
            if left:
                self._taken[key] = left
            else:
                del self._taken[key]


class Calls:
    """A token bucket per key: `count` calls at once, refilled over `seconds`.

    A key whose bucket is full again is forgotten, so memory is bounded by the recent callers.
    """

    def __init__(self) -> None:
        self._buckets: dict[Hashable, tuple[float, float]] = {}  # (calls left, at this time)
        self._swept = 0.0

    def __len__(self) -> int:
        return len(self._buckets)

    def wait_for(self, wanted: Mapping[Hashable, int], seconds: float) -> float:
        """Count one call of each key and return 0; or count nothing and return the seconds until a retry."""
        now = clock.monotonic()
        self._sweep(now, seconds)
        left = {key: self._left(key, count, seconds, now) for key, count in wanted.items()}
        if pauses := [(1 - rest) * seconds / wanted[key] for key, rest in left.items() if rest < 1]:
            return max(pauses)
        for key, rest in left.items():
            self._buckets[key] = (rest - 1, now)
        return 0.0

    def _left(self, key: Hashable, count: int, seconds: float, now: float) -> float:
        rest, at = self._buckets.get(key, (float(count), now))
        return min(float(count), rest + (now - at) * count / seconds)

    def _sweep(self, now: float, seconds: float) -> None:
        if now - self._swept >= seconds:
            self._swept = now
            self._buckets = {key: known for key, known in self._buckets.items() if now - known[1] < seconds}
