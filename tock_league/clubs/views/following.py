"""The buttons that follow a player or a team; the page of whom one follows is in `pages`."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.selectors import player as player_by_slug
from tock_league.accounts.selectors import player_of

from .. import following, selectors


@require_POST
@login_required
def follow_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Follow a player."""
    player = player_by_slug(slug)
    following.follow_player(by=player_of(request), player=player)
    messages.success(request, _followed(player.display_name))
    return redirect("pages:player", slug=slug)


@require_POST
@login_required
def unfollow_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop following a player."""
    player = player_by_slug(slug)
    following.unfollow(by=player_of(request), player=player)
    messages.success(request, _unfollowed(player.display_name))
    return redirect("pages:following")


@require_POST
@login_required
def follow_team(request: HttpRequest, slug: str) -> HttpResponse:
    """Follow a team."""
    team = selectors.team(slug)
    following.follow_team(by=player_of(request), team=team)
    messages.success(request, _followed(team.name))
    return redirect("pages:team", slug=slug)


@require_POST
@login_required
def unfollow_team(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop following a team."""
    team = selectors.team(slug)
    following.unfollow(by=player_of(request), team=team)
    messages.success(request, _unfollowed(team.name))
    return redirect("pages:following")


def _followed(name: str) -> str:
    return _("You follow %(name)s: the matches are on your first page. Nobody else sees that.") % {"name": name}


def _unfollowed(name: str) -> str:
    return _("You no longer follow %(name)s.") % {"name": name}
