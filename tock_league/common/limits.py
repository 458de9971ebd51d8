"""Rate limits counted in the shared cache, in windows of fixed length: per address for requests, per person for deeds."""

from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from . import clock
from .errors import Refused, Text

DAY_S = 24 * 3600


def spend(request: HttpRequest, name: str, *, count: int, seconds: int) -> None:
    """Count one `name` of the request's address in the present window of `seconds`.

    Raises Refused(`rate`, status 429) when the window has seen `count` already.
    """
    if _spent(_of(request, name), seconds) > count:
        raise _too_often()


def check(request: HttpRequest, name: str, *, count: int, seconds: int) -> None:
    """Refuse as `spend` would, without counting: for what is no failure itself, but would tell who has failed too often."""
    if int(cache.get(_window(_of(request, name), seconds), 0)) >= count:
        raise _too_often()


def _of(request: HttpRequest, name: str) -> str:
    return f"{name}:{request.META.get('REMOTE_ADDR', '')}"


def _too_often() -> Refused:
    return Refused("rate", _("That was too often. Wait a few minutes and try again."), status=429)


@dataclass(frozen=True)
class Left:
    """What is left of a window: calls, and seconds until the next one begins. `refused`: the call is over the limit."""

    limit: int
    calls: int
    seconds: int
    refused: bool


def take(name: str, *, count: int, seconds: int) -> Left:
    """Count one call of `name` in the present window of `seconds`, and return what is left of it."""
    spent = _spent(name, seconds)
    ends = seconds - (clock.now_ms() // 1000) % seconds
    return Left(limit=count, calls=max(0, count - spent), seconds=ends, refused=spent > count)


def spend_of_day(person: object, name: str, *, count: int, sentence: Text) -> None:
    """Count one `name` of a person, or of a club, of the database today (UTC); the site itself has no key and is not counted.

    Services call it just before they write, so that what is refused for another reason costs nothing.
    Raises Refused(`too_many_today`, status 429) with `sentence` when the day has seen `count` already.
    """
    key = getattr(person, "pk", None)
    if key is not None and _spent(f"{name}:of:{key}", DAY_S) > count:
        raise Refused("too_many_today", sentence, status=429)


def _spent(name: str, seconds: int) -> int:
    """Add one to the counter of the present window and return it; 0 when the window ended between the two calls."""
    key = _window(name, seconds)
    cache.add(key, 0, timeout=seconds)
    try:
        return cache.incr(key)
    except ValueError:
        return 0


def _window(name: str, seconds: int) -> str:
    return f"limit:{name}:{clock.now_ms() // (seconds * 1000)}"
