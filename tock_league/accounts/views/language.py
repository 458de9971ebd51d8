"""The switch to another language, which every page has."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from .. import services
from ..selectors import known_language, player_of


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the language: a player's in the account, anybody's in a cookie of this browser. Go back to the page, `next`.

    A language that the site does not have changes nothing.
    """
    response: HttpResponse = set_language(request)
    language = known_language(request.POST.get("language", ""))
    if not language:
        response.cookies.pop(settings.LANGUAGE_COOKIE_NAME, None)
    elif (player := player_of(request)) is not None:
        services.choose_language(by=player, player=player, language=language[:2])
    return response
