"""Test that `seams.MEMORY` has all module state of the live table, so that a simulated restart loses it."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, MutableSequence, MutableSet
from typing import Any

import games.live
import games.services
import games.store
import tock_league.common

from .seams import MEMORY

ROOMS = (games.live, games.services, games.store, tock_league.common)
OURS = ("games.", "tock_league.")
# State on which no guarantee depends, each with the reason.
HARMLESS = {
    "games.store.rows._read_text": "SQL, the same in every process",
    "tock_league.common.alone._here": "locks of jobs that no part of the simulation runs",
    "tock_league.common.refusals._malformed": "how many lines of the log were written lately",
    "games.live.asyncapi.stored": "a file of the code, the same in every process",
    "games.live.hints._aside": "a thread's queue; the simulation has it done at once",
    "games.live.threads._lane": "threads; the simulation has its own",
    "games.live.threads._pool": "threads; the simulation has its own",
    "games.live.traces._slow_lines": "how many lines of the log were written lately",
    "games.live.urls.websocket_urlpatterns": "never changed",
    "games.services.pulses.source": "rounds of the beacon that this process knows; no game of the simulation has one",
    "games.services.bots.thinkers": "threads and processes of bots of level master; none sits in the simulation",
    "games.store.locked._check_text": "SQL, the same in every process",
    "games.store.locked._lock_text": "SQL, the same in every process",
    "games.store.locked._update_text": "SQL, the same in every process",
    "games.store.locked._with_bots_text": "SQL, the same in every process",
    "tock_league.common.broker.sender": "a thread's queue of tasks; the simulation has no broker",
    "tock_league.common.bus._within": "subscriptions, never changed while the process serves",
    "tock_league.common.bus._after": "subscriptions, never changed while the process serves",
    "tock_league.common.cache.breaker": "of the shared cache, which no table needs",
    "tock_league.common.health._migrations": "names of files, the same in every process",
    "tock_league.common.health.looks": "of the readiness probe",
    "tock_league.common.http._busy_page": "a page without data, the same in every process",
    "tock_league.common.metrics.play_counter": "counts, which no promise rests on",
    "tock_league.common.names.skeleton": "follows from the name, the same in every process",
    "tock_league.common.names._table": "the table of confusable characters, the same in every process",
    "tock_league.common.passwords._known_to_all": "subscriptions, never changed while the process serves",
    "tock_league.common.passwords._of_the_person": "subscriptions, never changed while the process serves",
    "tock_league.common.room._listening": "the address that the process listens on, set before it serves",
    "tock_league.common.proxies._seen": "of the readiness probe and a page of administrators",
    "tock_league.common.refusals._window": "how many lines of the log were written lately",
    "tock_league.common.statements._with_question_marks": "SQL, the same in every process",
    "tock_league.common.urls.urlpatterns": "never changed",
    "tock_league.common.validation._checks_of": "read from the models, the same in every process",
}


def state() -> Iterator[tuple[str, Any]]:
    """Yield (name, value) of all mutable values in the modules of ROOMS."""
    for room in ROOMS:
        for found in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(found.name)
            for name, value in vars(module).items():
                if not name.startswith("__") and not name.strip("_").isupper() and can_change(value):
                    yield f"{module.__name__}.{name}", value


def can_change(value: Any) -> bool:
    """Return whether a value is a container, an object of our code that is not frozen, or a cached function."""
    if hasattr(value, "cache_clear"):
        return True
    if isinstance(value, Mapping | MutableSequence | MutableSet):
        return True
    kind = type(value)
    parameters = getattr(kind, "__dataclass_params__", None)
    return kind.__module__.startswith(OURS) and not (parameters is not None and parameters.frozen)


def test_all_module_state_is_in_memory_or_harmless() -> None:
    known = {id(place.owner) for place in MEMORY}
    known |= {id(getattr(place.owner, place.name)) for place in MEMORY}
    known |= {id(value) for name, value in state() if name in HARMLESS}
    missing = [name for name, value in state() if id(value) not in known]
    assert missing == [], "name them in tests/simulation/seams.py, or say here why nothing rests on them"


def test_every_harmless_name_exists() -> None:
    assert set(HARMLESS) <= {name for name, _ in state()}
