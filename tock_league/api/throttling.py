"""How often somebody may call: a window of a minute per person, or per address without a login."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from tock_league.common import limits
from tock_league.common.bounds import address_of_request

WINDOW_S = 60


class Throttle(BaseThrottle):
    """Counts a call in the shared cache. The answer's headers say what is left (`headers`)."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return whether the call is within the limit; keep what is left on the request."""
        self.left = self._left(request)
        request.calls_left = self.left  # type: ignore[attr-defined]  # read by views.base
        return not self.left.refused

    def wait(self) -> float:
        return self.left.seconds

    def _left(self, request: Request) -> limits.Left:
        user = request.user
        if not (user and user.is_authenticated):
            return left_of(request._request, None)
        if request.method not in SAFE_METHODS:
            writes = limits.take(f"api:writes:{user.pk}", count=settings.API_MINUTE_WRITES, seconds=WINDOW_S)
            if writes.refused:
                return writes
        return left_of(request._request, user.pk)


def left_of(request: HttpRequest, user_id: int | None) -> limits.Left:
    """Count a call of a login, or of an address without one, and return what is left of the window."""
    if user_id is None:
        address = address_of_request(request)
        return limits.take(f"api:at:{address}", count=settings.API_MINUTE_WITHOUT_LOGIN, seconds=WINDOW_S)
    return limits.take(f"api:of:{user_id}", count=settings.API_MINUTE_PER_PERSON, seconds=WINDOW_S)


def headers(left: limits.Left) -> dict[str, str]:
    """Return the headers that tell a caller what is left of the window."""
    return {
        "RateLimit-Limit": str(left.limit),
        "RateLimit-Remaining": str(left.calls),
        "RateLimit-Reset": str(left.seconds),
    }
