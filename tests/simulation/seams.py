"""The replacements in the product's code during a simulation, and the module state of each process.

`MEMORY` lists all mutable state in modules: each process of a game has its own, and a restarted process begins with
fresh state. `tests/simulation/test_seams.py` looks for module state that is missing here.
"""

import random
import secrets
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from types import SimpleNamespace
from typing import Any
from unittest import mock

from channels.exceptions import StopConsumer

from games.live import answers, consumer, doors, feed, hints, hub, incidents, limits, people, polls, writer
from games.services import alarm, pulse
from games.store import states
from tock_league import wiring
from tock_league.common import bus, clock
from tock_league.common.breaker import Breaker

from .loop import OF

BEGIN = 1_790_000_000.0  # the wall time, in seconds since 1970, at which every game begins


@dataclass(frozen=True)
class Place:
    """An attribute with state of the process, and a function that returns its value in a new process."""

    owner: Any
    name: str
    fresh: Callable[[], Any]


MEMORY: list[Place] = [
    Place(states, "folded", lambda: states.States(states.CACHED_GAMES, states.CACHED_STATES)),
    Place(hub, "_hubs", dict),
    Place(writer, "_writers", dict),
    Place(hints, "_ears", dict),
    Place(hints.breaker, "__dict__", lambda: dict(Breaker("the channel layer", 1.0).__dict__)),
    Place(doors, "_watches", dict),
    Place(answers, "_reads", lambda: cache(answers._reads.__wrapped__)),  # a kill frees its gate
    Place(polls, "_watches", dict),
    Place(incidents, "_told", dict),
    Place(people, "_kept", dict),
    Place(people, "_seen", dict),
    Place(people, "_sitting", dict),
    Place(people, "_marked", dict),
    Place(limits.seat_rates, "_rates", dict),
    Place(alarm.alarm, "__dict__", lambda: dict(alarm.Alarm().__dict__)),
    Place(pulse.heart, "__dict__", lambda: dict(pulse.Heart().__dict__)),
    Place(clock, "_base_wall", lambda: clock.time.time()),
    Place(clock, "_base_mono", lambda: clock.time.monotonic()),
]


class Memory:
    """The module state of one process. `enter` installs it, `leave` saves it."""

    def __init__(self) -> None:
        self._kept = [place.fresh() for place in MEMORY]

    def enter(self) -> None:
        for place, value in zip(MEMORY, self._kept, strict=True):
            setattr(place.owner, place.name, value)

    def leave(self) -> None:
        self._kept = [getattr(place.owner, place.name) for place in MEMORY]


class Chance:
    """The replacement of the product's random functions: all values come from one seeded generator."""

    def __init__(self, roll: random.Random) -> None:
        self.roll = roll

    def token_bytes(self, size: int = 32) -> bytes:
        return self.roll.randbytes(size)

    def token_hex(self, size: int = 32) -> str:
        return self.roll.randbytes(size).hex()

    def choice(self, found: Any) -> Any:
        return self.roll.choice(found)

    def randbelow(self, top: int) -> int:
        return self.roll.randrange(top)

    def uuid4(self) -> uuid.UUID:
        return uuid.UUID(int=self.roll.getrandbits(128), version=4)


@contextmanager
def patched(
    *, now: Callable[[], float], roll: random.Random, layer: Callable[[], Any] = lambda: None
) -> Iterator[None]:
    """Replace time, randomness, the channel layer and everything that depends on memory addresses.

    `now`: virtual seconds. `layer`: returns the channel layer, None if there is only one process.
    """
    chance, numbers = Chance(roll), count(1)
    time = SimpleNamespace(time=lambda: BEGIN + now(), monotonic=lambda: 1000.0 + now(), sleep=lambda seconds: None)

    def number(member: Any) -> int:
        """Return a hash that does not depend on addresses, so that the order of sets is reproducible."""
        found = member.__dict__.get("_number")
        if found is None:
            found = member.__dict__["_number"] = next(numbers)
        return int(found)

    before = Memory.__new__(Memory)
    before.leave()
    subscriptions = dict(bus._within), dict(bus._after)
    with ExitStack() as stack:
        stack.callback(before.enter)
        stack.callback(bus.connect, *subscriptions)
        bus.connect({}, wiring.AFTER)
        patch = lambda owner, name, value: stack.enter_context(mock.patch.object(owner, name, value))  # noqa: E731
        patch(clock, "time", time)
        patch(clock, "_frozen", None)
        for name in ("token_bytes", "token_hex", "choice", "randbelow"):
            patch(secrets, name, getattr(chance, name))
        patch(uuid, "uuid4", chance.uuid4)
        patch(feed.Client, "__hash__", number)
        patch(doors.Visit, "__hash__", number)
        patch(hints._aside, "put", lambda send: send() or True)  # instead of a real thread
        for module in (hub, hints):
            patch(module, "get_channel_layer", layer)
        patch(hints, "async_to_sync", _in_a_task)
        patch(consumer.AsyncWebsocketConsumer, "websocket_disconnect", _disconnect)
        Memory().enter()
        yield


def _in_a_task(work: Any) -> Any:
    """Replacement of `async_to_sync`: run the work as a task of the process on the one loop."""

    def begin(*args: Any) -> None:
        process = OF.get()
        if process is not None:
            process.run(lambda: work(*args))

    return begin


async def _disconnect(self: Any, message: dict[str, Any]) -> None:
    """Replacement of Channels' method, without the thread that closes database connections."""
    await self.disconnect(message["code"])
    raise StopConsumer
