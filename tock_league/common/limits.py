"""Rate limits per address for expensive requests, counted in the shared cache in windows of fixed length."""

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from . import clock
from .errors import Refused


def spend(request: HttpRequest, name: str, *, count: int, seconds: int) -> None:
    """Count one `name` of the request's address in the present window of `seconds`.

    Raises Refused(`rate`, status 429) when the window has seen `count` already.
    """
    window = clock.now_ms() // (seconds * 1000)
    key = f"limit:{name}:{request.META.get('REMOTE_ADDR', '')}:{window}"
    cache.add(key, 0, timeout=seconds)
    try:
        spent = cache.incr(key)
    except ValueError:  # the window's counter ended between the two calls
        return
    if spent > count:
        raise Refused("rate", _("That was too often. Wait a few minutes and try again."), status=429)
