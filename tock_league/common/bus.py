"""Announcements: facts told to other apps without importing them.

`WITHIN` subscribers run now, in the announcer's transaction: for facts that must not be lost (a result, an outbox row).
They lock nothing that comes earlier in the lock order than what is held. `AFTER` subscribers run when the transaction has
committed: for news. Who hears what is written in one place, tock_league/wiring.py, and handed over by apps.py.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import transaction

log = logging.getLogger(__name__)

Subscriber = Callable[[Any], object]
_within: dict[type, tuple[Subscriber, ...]] = {}
_after: dict[type, tuple[Subscriber, ...]] = {}


def connect(within: Mapping[type, Sequence[Subscriber]], after: Mapping[type, Sequence[Subscriber]]) -> None:
    """Replace all subscriptions."""
    _within.clear()
    _after.clear()
    _within.update({kind: tuple(subscribers) for kind, subscribers in within.items()})
    _after.update({kind: tuple(subscribers) for kind, subscribers in after.items()})


def publish(announcement: object) -> None:
    """Tell `announcement` to its subscribers; call it inside `writing()`.

    A WITHIN subscriber that raises undoes the whole transaction. An AFTER subscriber that raises is logged: the fact is
    committed and stays true.
    """
    for subscriber in _within.get(type(announcement), ()):
        subscriber(announcement)
    for subscriber in _after.get(type(announcement), ()):
        transaction.on_commit(partial(_tell, subscriber, announcement))


def _tell(subscriber: Subscriber, announcement: object) -> None:
    try:
        subscriber(announcement)
    except Exception:
        log.exception("subscriber %s failed for %s", subscriber, type(announcement).__name__)
