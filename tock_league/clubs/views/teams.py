"""Views for a team's captain and for invited players. A team's own page is in `pages`."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player as player_by_slug
from tock_league.accounts.selectors import player_of
from tock_league.common.address import absolute
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal, valid
from tock_league.common.limits import spend

from .. import selectors, services
from ..forms import (
    AnswerForm,
    FoundTeamForm,
    InviteForm,
    MoveForm,
    PlaceForm,
    RenameTeamForm,
    ResizeTeamForm,
    SearchForm,
)
from ..models import PAIR, Team


@login_required
def found(request: HttpRequest) -> HttpResponse:
    """Found a team: a name, and the club it plays for."""
    person = player_of(request)
    form = FoundTeamForm(request.POST or None, by=person, initial={"club": request.GET.get("club")})
    if request.method == "POST" and form.is_valid():
        try:
            team = services.found_team(by=person, **form.cleaned_data)
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(
                request,
                _("The team is founded. Now invite your partner.")
                if team.size == PAIR
                else _("The team is founded. Now invite your players."),
            )
            return redirect("clubs:invite", slug=team.slug)
    return render(request, "clubs/found_team.html", {"form": form})


@login_required
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a team's name and, while its captain is alone, its size; or dissolve it."""
    team = selectors.team(slug)
    person = player_of(request)
    require(person, "team.edit", team, needed="captain")
    form = RenameTeamForm(request.POST or None, initial={"name": team.name})
    if request.method == "POST" and form.is_valid():
        try:
            services.rename_team(by=person, team=team, name=form.cleaned_data["name"])
        except Refused as error:
            add_refusal(form, error)
        else:
            return redirect("pages:team", slug=team.slug)
    size_form = None if selectors.is_settled(team) else ResizeTeamForm(initial={"size": team.size})
    return render(request, "clubs/edit_team.html", {"team": team, "form": form, "size_form": size_form})


@require_POST
@login_required
def resize(request: HttpRequest, slug: str) -> HttpResponse:
    """Change how many players of a team sit at a table."""
    team = selectors.team(slug)
    size = valid(ResizeTeamForm(request.POST))["size"]
    services.resize_team(by=player_of(request), team=team, size=size)
    return redirect("pages:team", slug=team.slug)


@login_required
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose whom to invite, by name or by a link, and for which place."""
    return _invite_page(request, selectors.team(slug))


def _invite_page(request: HttpRequest, team: Team, **more: Any) -> HttpResponse:
    person = player_of(request)
    require(person, "team.edit", team, needed="captain")
    places = selectors.places(team)
    free = [place for place in places if place.spell is None and place.invitation is None and place.slot > 1]
    wanted = PlaceForm({"slot": request.GET.get("place") or (free[0].slot if free else None)})
    chosen = next((p for p in free if wanted.is_valid() and p.slot == wanted.cleaned_data["slot"]), None)
    search = SearchForm(request.GET)
    query = search.cleaned_data["q"].strip() if search.is_valid() else ""
    context = {
        "team": team,
        "places": places,
        "free": free,
        "place": chosen or (free[0] if free else None),
        "search": search,
        "query": query,
        "players": selectors.players_to_invite(team, query) if search.is_valid() else (),
        **more,
    }
    return render(request, "clubs/invite.html", context, status=422 if "error" in more else 200)


@require_POST
@login_required
def invite_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Invite a player by name."""
    team = selectors.team(slug)
    person = player_of(request)
    chosen = valid(InviteForm(request.POST))
    spend(request, "invite", count=60, seconds=3600)
    player = player_by_slug(chosen["player"])
    try:
        services.invite(by=person, team=team, player=player, slot=chosen["slot"])
    except Refused as error:
        if error.status != 422:
            raise
        return _invite_page(request, team, error=error)
    messages.success(
        request,
        _("%(player)s is invited and sees it on the first page after signing in.") % {"player": player.display_name},
    )
    return redirect("pages:team", slug=team.slug)


@require_POST
@login_required
@never_cache
def invite_link(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a secret link; this answer is the only page that ever shows it."""
    team = selectors.team(slug)
    chosen = valid(PlaceForm(request.POST))
    spend(request, "invite", count=60, seconds=3600)
    try:
        invitation, token = services.invite_by_link(by=player_of(request), team=team, slot=chosen["slot"])
    except Refused as error:
        if error.status != 422:
            raise
        return _invite_page(request, team, error=error)
    link = absolute(request, reverse("clubs:invitation", args=[token]))
    return render(request, "clubs/link.html", {"team": team, "invitation": invitation, "link": link})


@require_POST
@login_required
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an invitation back."""
    invitation = selectors.invitation(pk)
    services.revoke(by=player_of(request), invitation=invitation)
    messages.success(request, _("The invitation is taken back."))
    return redirect("pages:team", slug=invitation.team.slug)


@require_POST
@login_required
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or decline an invitation by name."""
    invitation = selectors.invitation(pk)
    accept = valid(AnswerForm(request.POST))["accept"] == "yes"
    services.answer(by=player_of(request), invitation=invitation, accept=accept)
    return _after_answer(request, invitation.team, accept=accept)


def _after_answer(request: HttpRequest, team: Team, *, accept: bool) -> HttpResponse:
    if accept:
        messages.success(request, _("You play for %(team)s.") % {"team": team.name})
        return redirect("pages:team", slug=team.slug)
    messages.success(request, _("You have declined the invitation."))
    return redirect("pages:home")


@never_cache
@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a secret link offers: the team, the place, who sent it, until when."""
    found = selectors.invitation_by_token(token)
    services.open_or_refuse(found)
    person = player_of(request)
    context = {
        "invitation": found,
        "team": selectors.team(found.team.slug),
        "viewer": person,
        "own": person is not None and person.pk == found.sent_by_id,
        "token": token,
    }
    return render(request, "clubs/invitation.html", context)


@require_POST
@login_required
def answer_link(request: HttpRequest, token: str) -> HttpResponse:
    """Accept or decline what a secret link offers."""
    accept = valid(AnswerForm(request.POST))["accept"] == "yes"
    answered = services.answer_link(by=player_of(request), token=token, accept=accept)
    return _after_answer(request, answered.team, accept=accept)


@require_POST
@login_required
def set_place(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a player into another place of the team."""
    team = selectors.team(slug)
    chosen = valid(MoveForm(request.POST))
    player = player_by_slug(chosen["player"])
    services.set_place(by=player_of(request), team=team, player=player, slot=chosen["slot"])
    return redirect("pages:team", slug=team.slug)


@require_POST
@login_required
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a team."""
    team = services.leave_team(by=player_of(request), team=selectors.team(slug))
    messages.success(request, _("You have left %(team)s.") % {"team": team.name})
    return redirect("pages:team", slug=team.slug)


@require_POST
@login_required
def remove(request: HttpRequest, slug: str, player: str) -> HttpResponse:
    """End somebody's spell in the team."""
    team = selectors.team(slug)
    services.remove_player(by=player_of(request), team=team, player=player_by_slug(player))
    return redirect("pages:team", slug=team.slug)


@require_POST
@login_required
def dissolve(request: HttpRequest, slug: str) -> HttpResponse:
    """Dissolve a team."""
    team = services.dissolve(by=player_of(request), team=selectors.team(slug))
    messages.success(request, _("%(team)s is dissolved; its history stays.") % {"team": team.name})
    return redirect("pages:team", slug=team.slug)
