"""Pages that need several apps: the first page, tonight, a player, a club, the rules. Reads only."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.selectors import lessons, rule_sets
from games.selectors import own as own_games
from ratings.selectors import boards, leading, profiles, seasons
from tock_league.accounts import blocks, bot_accounts
from tock_league.accounts import selectors as people
from tock_league.accounts.merged import kept_of
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.clubs import following, presence
from tock_league.clubs import selectors as clubs
from tock_league.common import clock, proxies
from tock_league.common.address import absolute, site_url
from tock_league.common.bounds import address_of_request
from tock_league.common.errors import NotAllowed, NotThere
from tock_league.competitions.permissions import organises_something
from tock_league.competitions.selectors.entries import partners, registration
from tock_league.competitions.selectors.rankings.kept import shown
from tock_league.competitions.selectors.rankings.kept.keeping import kept
from tock_league.competitions.selectors.seasons import calendars, competitions
from tock_league.embedded import forwarded
from tock_league.imports import selectors as imports

from . import components as component_samples
from . import finding, published
from . import rules as rule_pages
from .member import first_page
from .organising import organised
from .others import others
from .running import reader_of, running_tables
from .waiting import Waiting, waiting_for

GAMES_A_PAGE = 20
PRACTICE_ON_PROFILE = 5
SECURITY_TXT_LIFE = timedelta(days=180)  # RFC 9116 recommends less than a year; every answer counts anew
# A moment of a game for the first page: a king brings a marble out onto the own start, case 18.
HERO = {
    "marbles": {
        "0": ["h4", "t9", "r", "r"],
        "1": ["t18", "t46", "r", "r"],
        "2": ["h4", "h3", "t62", "r"],
        "3": ["t54", "r", "r", "r"],
    },
    "fresh": [1, 3],
    "targets": [["t0", 0, "move"]],
}


def _zone() -> ZoneInfo:
    return timezone.get_current_timezone()


@ensure_csrf_cookie
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show a member what is next; a visitor, or a player who has nothing yet, how to begin."""
    person = player_of(request)
    open_entries = registration.open_for_entries(limit=3)
    member = first_page(person, running_tables(request)) if person is not None else None
    if member is not None and not member.has_nothing:
        return render(request, "pages/member.html", {"viewer": person, "member": member, "open_entries": open_entries})
    tonight = calendars.tonight(_zone(), person, limit=6)
    ladder = leading()
    context = {
        "hero": HERO,
        "viewer": person,
        "member": member,
        "open_entries": open_entries,
        "tonight": tonight,
        "coming": [] if tonight else calendars.coming(limit=4, viewer=person),
        "results": calendars.latest_results(viewer=person),
        "ladder": ladder,
        "pairs": _best(ladder, "team", 5),
        "players": _best(ladder, "player", 3),
    }
    return render(request, "pages/home.html", context)


def _best(ladder: Any, kind: str, limit: int) -> Any:
    """Return the head of the board of teams (`team`) or players; nobody before the first rated game."""
    return boards.board(ladder.key, kind, limit=limit, with_apart=False).rows if ladder is not None else ()


@require_safe
def tonight(request: HttpRequest) -> HttpResponse:
    """Show what is played today, and the way to each table."""
    person = player_of(request)
    now = calendars.tonight(_zone(), person, limit=50)
    listed = {view.match.pk for view in now}
    coming = [view for view in calendars.coming(limit=10, viewer=person) if view.match.pk not in listed]
    context = {
        "viewer": person,
        "matches": now,
        "coming": coming,
        "waiting": waiting_for(person),
        "open_entries": registration.open_for_entries(),
    }
    return render(request, "pages/tonight.html", context)


@require_safe
def player(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player: ratings, teams, next matches, results with replays; only the name to those who may not see the page."""
    found = people.player(slug)
    if (kept := kept_of(found)) is not None:
        return redirect("pages:player", slug=kept.slug)  # not for good: the two may be separated again
    viewer = player_of(request)
    own = viewer is not None and viewer.pk == found.pk
    if not clubs.shows_page(found, viewer):
        closed = {"player": found, "viewer": viewer, "blocked": _blocked(viewer, found)}
        return render(request, "pages/player_closed.html", closed)
    context = {
        "blocked": _blocked(viewer, found),
        "follows": following.follows(viewer, player=found),
        "others": others(found) if own else None,
        "player": found,
        "viewer": viewer,
        "own": own,
        "waiting": waiting_for(viewer) if own else Waiting(),
        "owner": bot_accounts.owner_of(found) if viewer is not None else None,
        "club": clubs.home_club(found),
        "teams": clubs.teams_of_player(found),
        "next": calendars.next_matches(found, viewer=viewer),
        "results": calendars.recent_results(found, viewer=viewer),
        "ratings": profiles.player_summary(found.pk),
        "places": seasons.places(found.pk),
        "practice": own_games.casual_games(reader_of(request), limit=PRACTICE_ON_PROFILE) if own else (),
    }
    return render(request, "pages/player.html", context)


def _blocked(viewer: Player | None, player: Player) -> bool | None:
    """Return whether `viewer` has blocked the player; None where there is nothing to block."""
    if viewer is None or viewer.pk == player.pk or player.bot:
        return None
    return blocks.blocks(viewer, player)


@require_safe
@login_required
def followed(request: HttpRequest) -> HttpResponse:
    """Show the reader whom the reader follows, with their matches; to nobody else."""
    person = player_of(request)
    if person is None:
        raise NotAllowed(needed="player")
    return render(request, "pages/following.html", {"viewer": person, "others": others(person, limit=20)})


@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """Show the reader's practice games, running ones first, with replays and figures; to guests by their session."""
    reader = reader_of(request)
    pager = Paginator(range(own_games.casual_count(reader)), GAMES_A_PAGE)
    page = pager.get_page(request.GET.get("page"))
    context = {
        "viewer": player_of(request),
        "games": own_games.casual_games(reader, offset=max(page.start_index() - 1, 0), limit=GAMES_A_PAGE),
        "figures": own_games.casual_figures(reader),
        "page": page,
        "guest_days": settings.GUEST_SESSION_S // 86400,
    }
    return render(request, "pages/my_games.html", context)


@login_required
@require_safe
def organising(request: HttpRequest) -> HttpResponse:
    """Show an organiser the own events and what waits in them."""
    person = player_of(request)
    context = {
        "viewer": person,
        "events": organised(person) if person is not None else [],
        "may_create": person is not None and organises_something(person),
    }
    return render(request, "pages/organising.html", context)


@require_safe
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a team: its places and who stands in them, its history, its competitions and matches."""
    found = clubs.team(slug)
    viewer = player_of(request)
    ahead, past = calendars.of_team(found, viewer=viewer)
    context = {
        "team": found,
        "viewer": viewer,
        "places": clubs.places(found),
        "lacks": found.lacks,
        "history": clubs.history(found),
        "mine": viewer is not None and any(spell.player_id == viewer.pk for spell in found.now),  # type: ignore[attr-defined]
        "may_edit": found.dissolved_at is None and can(viewer, "team.edit", found),
        "entries": competitions.of_team(found),
        "next": ahead,
        "results": past,
        "follows": following.follows(viewer, team=found),
        "present": presence.present_in_team(viewer, found),
    }
    return render(request, "pages/team.html", context)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club: tonight's tables, matches, teams, members, its league and its leaderboard."""
    found = clubs.club(slug)
    person = player_of(request)
    ahead, past = calendars.of_club(found, viewer=person)
    played = list(competitions.of_club(found)[:6])
    league = next((made for made in played if made.kind == "league" and made.state in ("running", "finished")), None)
    context = {
        "club": found,
        "viewer": person,
        "live": [view for view in ahead if view.table_slug],
        "ahead": ahead,
        "past": past,
        "teams": clubs.teams_of_club(found),
        "members": clubs.members(found),
        "competitions": played,
        "imported": imports.listed(found)[:6],
        "league": league,
        "table": shown.tables(league, kept(league), person, most=5)[0].lines if league else (),
        "board": _club_board(found),
        "membership": clubs.membership(person, found),
        "has_home": person is not None and clubs.home_club(person) is not None,
        "may_edit": can(person, "club.edit", found),
        "may_form": can(person, "team.form", (found, ())),
        "may_read_news": can(person, "club.read_news", found),
        "present": presence.present_in_club(person, found),
        "partners": partners.how_many(found, person),
    }
    return render(request, "pages/club.html", context)


def _club_board(found: Any) -> Any:
    ladder = leading()
    return boards.board(ladder.key, "player", found) if ladder is not None else None


@require_safe
def rules(request: HttpRequest, name: str) -> HttpResponse:
    """Show the rules of a rule set in the reader's language, with links to a game. `?q=` marks words."""
    shown = rule_pages.page(name, translation.get_language() or "fr")
    others = [other for other in rule_pages.pages(shown.language) if other.name != shown.name]
    played = next((one for one in rule_sets.offered() if one.page == shown.name), None)
    # The lessons are by one rule set; whoever reads the rules of another Tock meets most of it there too.
    taught = played is not None and played.game == rule_sets.game_of(lessons.RULES)
    words = finding.asked(request.GET.get("q", ""))
    text, found = finding.find(shown.text, words)
    context = {
        "page": shown,
        "others": others,
        "practice": urlencode({"rules": played.id}) if played else "",
        "taught": taught,
        "text": text,
        "words": words,
        "found": found,
        "longest": finding.LONGEST,
    }
    return render(request, "pages/rules.html", context)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what the site holds about people, why and how long, in the reader's language."""
    return _published(request, "privacy")


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Show what the site promises, with the tests that show it, and what is not protected."""
    return _published(request, "security")


@require_safe
def how_ratings(request: HttpRequest) -> HttpResponse:
    """Show how ratings work, with pictures, in the reader's language."""
    return _published(request, "ratings")


def _published(request: HttpRequest, name: str) -> HttpResponse:
    language = translation.get_language() or "fr"
    return render(request, "pages/published.html", {"page": published.page(name, language)})


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Say where vulnerabilities are reported (RFC 9116). NotThere while SECURITY_CONTACT is not set."""
    if not settings.SECURITY_CONTACT:
        raise NotThere
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {(clock.now() + SECURITY_TXT_LIFE).strftime('%Y-%m-%dT00:00:00Z')}",
        "Preferred-Languages: fr, en, es",
        f"Canonical: {absolute(request, request.path)}",
        f"Policy: {absolute(request, reverse('pages:security'))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def access(request: HttpRequest) -> HttpResponse:
    """Show how the site is reached and which proxies are not trusted: administrators only."""
    require(player_of(request), "access.see", needed="administrator")
    peers = proxies.untrusted()
    context = {
        "own": address_of_request(request),
        "site_url": site_url(request),
        "is_set": bool(settings.SITE_URL),
        "trusted": forwarded.trusted(),
        "peers": peers,
        "near": [peer for peer in peers if peer.is_near],
    }
    return render(request, "pages/access.html", context)


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Show every component with samples, for those who work on the site's pages: administrators only."""
    require(player_of(request), "components.see", needed="administrator")
    return render(request, "pages/components.html", component_samples.samples(clock.now()))
