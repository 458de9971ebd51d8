"""The calendars themselves, and the page where a person copies, renews and stops the own links.

The public ones ask for no session: they are the same for everybody, and caches on the way may keep them.
"""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache as shared
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST, require_safe

from tock_league.accounts.models import Player
from tock_league.accounts.selectors import player_of, site_language
from tock_league.clubs import selectors as clubs
from tock_league.common import limits
from tock_league.common.address import absolute, site_url
from tock_league.common.errors import NotThere
from tock_league.competitions.models import CompetitionRole, Season
from tock_league.competitions.permissions import REFEREES
from tock_league.competitions.selectors.rounds import matches
from tock_league.competitions.selectors.seasons import competitions

from . import facts, feed, scopes, services
from .feed import Contents, Feed
from .models import CalendarLink
from .scopes import Scope

CACHED_S = 15 * 60
GUESSES = 30  # unknown secrets of an address in an hour
HOUR_S = 3600


@login_required
@require_GET
def mine(request: HttpRequest) -> HttpResponse:
    """Show the own links, and the public calendars of the own teams and clubs."""
    player = player_of(request)
    if player is None:
        return redirect("accounts:profile")
    links = {link.kind: link for link in CalendarLink.objects.filter(player=player)}
    own = [
        {"kind": kind, "name": kind.label, "made_at": links[kind].made_at, "address": _address(request, links[kind])}
        if kind in links
        else {"kind": kind, "name": kind.label, "made_at": None, "address": ""}
        for kind in CalendarLink.Kind
        if kind in links or kind == CalendarLink.Kind.PLAYER or _is_referee(player)
    ]
    public = [(team.name, reverse("calendars:team", args=[team.slug])) for team in clubs.teams_of_player(player)]
    public += [(club.name, reverse("calendars:club", args=[club.slug])) for club in clubs.clubs_of(player)]
    shown = {"own": own, "public": [(name, absolute(request, path + _language())) for name, path in public]}
    response = render(request, "calendars/mine.html", shown)
    response["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def renew(request: HttpRequest, kind: str) -> HttpResponse:
    """Make or replace the own link of that kind."""
    player = player_of(request)
    if player is None or kind not in CalendarLink.Kind.values:
        raise NotThere
    services.renew(by=player, kind=kind)
    messages.success(request, _("Here is your new link. A former one does not work any more."))
    return redirect("calendars:mine")


@login_required
@require_POST
def stop(request: HttpRequest, kind: str) -> HttpResponse:
    """Delete the own link of that kind."""
    player = player_of(request)
    if player is None or kind not in CalendarLink.Kind.values:
        raise NotThere
    services.stop(by=player, kind=kind)
    messages.success(request, _("The link does not work any more."))
    return redirect("calendars:mine")


@require_safe
def own(request: HttpRequest, secret: str, kind: str) -> HttpResponse:
    """Send a person's own calendar in their language to whoever knows the link.

    Only unknown secrets count for the limit: calendar services read many people's links from one address.
    """
    link = services.link_of(secret, kind)
    if link is None:
        limits.spend(request, "calendar", count=GUESSES, seconds=HOUR_S)
        raise NotThere
    player = link.player
    scope = scopes.of_player(player) if kind == CalendarLink.Kind.PLAYER else scopes.of_referee(player)
    with override(site_language(player.language)):
        name = f"{player.display_name} · Tock League" if kind == "player" else _("Tock League: referee")
        return _answer(request, feed.of_scope(Feed(name, site_url(request), reminds=True), scope), cache="private")


@require_safe
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the matches of a team."""
    found = clubs.team(slug)
    return _public(request, found.name, scopes.of_team(found))


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the matches of a club's teams and of its competitions."""
    found = clubs.club(slug)
    return _public(request, found.name, scopes.of_club(found))


@require_safe
def competition(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the matches of a league or tournament; a league is the division of a season."""
    found = competitions.get(slug, None)
    return _public(request, found.name, scopes.of_competition(found))


@require_safe
def season(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the matches of all divisions of a season."""
    found = get_object_or_404(Season, slug=slug)
    return _public(request, found.name, scopes.of_season(found))


@require_safe
def match(request: HttpRequest, slug: str) -> HttpResponse:
    """Send one public match for the reader's own calendar; a match without a date is not there."""
    view = matches.match_view(slug, None)
    if view.starts_at is None:
        raise NotThere
    contents = feed.of_match(Feed(view.title, site_url(request)), facts.of_match(view))
    return _answer(request, contents, cache="public", name=f"match-{slug}.ics")


def _public(request: HttpRequest, name: str, scope: Scope) -> HttpResponse:
    contents = feed.of_scope(Feed(f"{name} · Tock League", site_url(request)), scope)
    return _answer(request, contents, cache="public")


def _answer(request: HttpRequest, contents: Contents, *, cache: str, name: str = "tock-league.ics") -> HttpResponse:
    """Return 304 before anything is written, a public calendar that was written already, or the calendar."""
    etag = contents.etag
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        body = _kept(contents) if cache == "public" else contents.written()
        answer = HttpResponse(body, content_type="text/calendar; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["ETag"] = etag
    answer["Cache-Control"] = f"{cache}, max-age={CACHED_S}"
    answer["Content-Language"] = get_language() or ""  # of the calendar, which may not be the request's
    if cache == "private":
        answer["X-Robots-Tag"] = "noindex"
    return answer


def _kept(contents: Contents) -> bytes:
    """Return a public calendar from the cache, where it lies under the hash of what it says; a private one never does."""
    key = f"calendar:{contents.etag}"
    body = shared.get(key)
    if body is None:
        body = contents.written()
        shared.set(key, body, CACHED_S)
    return bytes(body)


def _address(request: HttpRequest, link: CalendarLink) -> str:
    """Return the whole secret address; "" where it must be renewed, because the site's key has changed."""
    secret = services.secret_of(link)
    return absolute(request, reverse(f"calendars:{link.kind}", args=[secret])) if secret else ""


def _language() -> str:
    """Return the query that keeps the page's language in a link: a calendar program sends no cookie of ours."""
    return f"?lang={(get_language() or 'fr')[:2]}"


def _is_referee(player: Player) -> bool:
    return CompetitionRole.objects.filter(player=player, name__in=REFEREES, until__isnull=True).exists()
