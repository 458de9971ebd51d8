"""Announcements: a publish-subscribe bus, by which apps notify each other without imports.

`WITHIN` subscribers run now, in the announcer's transaction: for facts that must not be lost (a result, an outbox row).
They take no lock that precedes a held one in the lock order. `AFTER` subscribers run when the transaction has
committed: for notifications. tock_league/wiring.py lists all subscriptions; apps.py passes them to `connect`.
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
    """Pass `announcement` to its subscribers; call it inside `writing()`.

    An exception in a WITHIN subscriber rolls the whole transaction back. One in an AFTER subscriber is only logged,
    because the transaction is committed.
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
