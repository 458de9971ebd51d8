"""What pages of tables send besides the commands of a game."""

import json
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.http.request import RawPostDataException
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from tock_league.accounts.selectors import player_of
from tock_league.common import limits
from tock_league.common.errors import Refused

from .services import preferences

MAX_BYTES = 1024
CHOICES = 120  # changes of settings per address in ten minutes


@require_POST
def choose_preferences(request: HttpRequest) -> JsonResponse:
    """Keep settings of the tables' pages for the person who has signed in. The body is `{name: value}`; the answer is
    everything that is kept.
    """
    limits.spend(request, "preferences", count=CHOICES, seconds=600)
    player = player_of(request)
    return JsonResponse(preferences.choose(by=player, player=player, chosen=_body(request)))


def _body(request: HttpRequest) -> Any:
    """Return the JSON of the body. Raises Refused on the field `settings`."""
    try:
        body = request.body if request.content_type == "application/json" else b""
        if len(body) > MAX_BYTES:
            raise Refused(
                "too_long", _("At most %(count)s bytes.") % {"count": MAX_BYTES}, field="settings", status=413
            )
        return json.loads(body)
    except (ValueError, RecursionError, RawPostDataException):  # the last one: the check of its origin has read a form
        raise Refused("json", _("The body is no JSON."), field="settings", status=400) from None
