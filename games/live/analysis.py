"""The analysis of a finished game over HTTP: GET reads it, POST requests it."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_http_methods

from games.models import Game
from games.selectors import analyses
from games.services import analysis as analysing
from tock_league.common import limits

from .answers import no_store, of_game

ASKED = 60  # Requests per address in ten minutes: enough for a club that reads many replays.


@require_http_methods(["GET", "POST"])
def analysis(request: HttpRequest, slug: str) -> HttpResponse:
    """GET or POST: `{"state": "none" | "waiting" | "done", ...}`, see `games.selectors.analyses.of_game`.

    POST requests the analysis if nobody has; refused with `running` (409) during the game and with `rate` (429) after
    too many requests.
    """
    return of_game(request, slug, _analysis)


def _analysis(request: HttpRequest, game: Game) -> HttpResponse:
    found = analyses.of_game(game)
    if request.method == "POST" and found["state"] == "none":
        limits.spend(request, "analysis", count=ASKED, seconds=600)
        analysing.ask(game)
        found = analyses.of_game(game)
    return no_store(JsonResponse(found))
