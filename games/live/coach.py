"""The coach of a practice table over HTTP."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from games.permissions import person_of
from games.selectors import games as reader
from games.services import coach as asking
from tock_league.common import limits
from tock_league.common.errors import Refused

from .answers import no_store, read, refuse

ASKED = 240  # questions per address in ten minutes: enough for a club that practises behind one router


@require_GET
async def coach(request: HttpRequest, slug: str) -> HttpResponse:
    """GET what the coach would play for the own seat, and why: see `games.services.coach.advise` for answer and refusals;
    `rate` (429) after too many questions.
    """
    return await read(_coach, request, slug)


def _coach(request: HttpRequest, slug: str) -> HttpResponse:
    table = reader.table_by_slug(slug)
    if table is None:
        return refuse("not_found", gettext("There is no such table."), status=404)
    try:
        limits.spend(request, "coach", count=ASKED, seconds=600)
        person = person_of(request.user, request.session)
        return no_store(JsonResponse(asking.advise(reader.current_game(table.pk), by=person)))
    except Refused as error:
        return no_store(JsonResponse(error.body(), status=error.status))
