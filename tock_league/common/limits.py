"""Rate limits counted in the shared cache, in windows of fixed length: of a request per person, without a login per address.

The address of an open hall (halls.py) may do some things more often, because many people share it.
"""

from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import ngettext

from . import clock, halls
from .bounds import address_of_request
from .errors import Refused, Text

DAY_S = 24 * 3600


def spend(request: HttpRequest, name: str, *, count: int, seconds: int, in_halls: bool = False) -> None:
    """Count one `name` of whoever has signed in, else of the request's address, in the present window of `seconds`.

    `in_halls`: whether the address of an open hall may do it more often; not for what could be guessed. Raises
    Refused(`rate`, status 429) when the window has seen `count` already; a query only then, and only for a hall.
    """
    spent = _spent(_of(request, name), seconds)
    if spent > count and not (in_halls and spent <= _most(request, count)):
        raise _too_often(seconds)


def check(request: HttpRequest, name: str, *, count: int, seconds: int, in_halls: bool = False) -> None:
    """Refuse as `spend` would, without counting: for what is no failure itself, but would tell who has failed too often."""
    spent = int(cache.get(_window(_of(request, name), seconds), 0))
    if spent >= count and not (in_halls and spent < _most(request, count)):
        raise _too_often(seconds)


def _of(request: HttpRequest, name: str) -> str:
    login = _login(request)
    return f"{name}:login:{login}" if login is not None else f"{name}:{address_of_request(request)}"


def _login(request: HttpRequest) -> int | None:
    """Return the key of the login of the request's session; None without one.

    A request of the API is unwrapped: its own `user` would authenticate it, which is where a wrong token is counted.
    """
    user = getattr(getattr(request, "_request", request), "user", None)
    return user.pk if user is not None and user.is_authenticated else None


def _most(request: HttpRequest, count: int) -> int:
    """Return how often the request may come in a window: for whoever is in an open hall without a login, more often."""
    if _login(request) is not None:
        return count
    return count * halls.FACTOR if halls.is_open(address_of_request(request)) else count


def _too_often(seconds: int) -> Refused:
    left = _left(seconds)
    minutes = -(-left // 60)
    text = ngettext(
        "That was too often. It is possible again in %(minutes)d minute.",
        "That was too often. It is possible again in %(minutes)d minutes.",
        minutes,
    ) % {"minutes": minutes}
    return Refused("rate", text, status=429, retry_after=left)


def _left(seconds: int) -> int:
    """Return how many seconds of the present window are left."""
    return seconds - (clock.now_ms() // 1000) % seconds


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
    return Left(limit=count, calls=max(0, count - spent), seconds=_left(seconds), refused=spent > count)


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
