"""Halls: addresses that many people share for some hours, because an event takes place there. Limits of an address are higher.

An organiser opens the address from which the page was asked for. A person who has signed in counts apart anyway (limits.py);
a hall matters for what is done without a login, such as signing up.
"""

from datetime import datetime, timedelta

from . import clock
from .models import OpenHall
from .transactions import writing

FACTOR = 40  # so many times what an address may do otherwise
LONGEST_H = 14  # hours


def open_at(address: str, *, event: str, hours: int) -> datetime:
    """Open the address for the people of `event`, its slug, and return until when. Opening it again sets the end anew."""
    until = clock.now() + timedelta(hours=hours)
    with writing():
        forget()
        OpenHall.objects.update_or_create(
            address=address, event=event, defaults={"until": until, "opened_at": clock.now()}
        )
    return until


def close(*, event: str) -> int:
    """Close all addresses of an event; return how many were open. Idempotent."""
    with writing():
        return OpenHall.objects.filter(event=event).delete()[0]


def is_open(address: str) -> bool:
    """Return whether an event has opened this address. One query."""
    return OpenHall.objects.filter(address=address, until__gt=clock.now()).exists()


def opened(*, event: str) -> list[OpenHall]:
    """Return what an event has opened, the latest end first. One query."""
    return list(OpenHall.objects.filter(event=event, until__gt=clock.now()).order_by("-until"))


def forget() -> int:
    """Delete the addresses whose time is over: they are personal data; return how many."""
    return OpenHall.objects.filter(until__lte=clock.now()).delete()[0]
