"""Views of clubs: list, found, edit, join, leave, teams, roles. A club's own page is in `pages`."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts import consents
from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player as player_by_slug
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import fresh_sign_in
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal
from tock_league.notices.selectors import refused_players

from .. import selectors, services
from ..forms import ClubForm, JoinForm, RoleEndForm, RoleForm, TeamForm
from ..models import ClubRole


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show every club."""
    return render(request, "clubs/list.html", {"clubs": selectors.clubs()})


@login_required
def found(request: HttpRequest) -> HttpResponse:
    """Found a club."""
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club = services.found_club(by=player_of(request), **form.cleaned_data)
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("%(club)s is founded. You are its first officer.") % {"club": club.name})
            return redirect("pages:club", slug=club.slug)
    return render(request, "clubs/found.html", {"form": form})


@login_required
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and change the club's description and roles."""
    club = selectors.club(slug)
    person = player_of(request)
    require(person, "club.edit", club, needed="club_officer")
    form = ClubForm(request.POST or None, instance=selectors.club(slug))
    if request.method == "POST" and form.is_valid():
        try:
            club = services.edit_club(by=person, club=club, **form.cleaned_data)
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("The club's page is changed."))
            return redirect("pages:club", slug=club.slug)
    members = selectors.members(club)
    papers = consents.papers_of(member.player for member in members)
    refused = refused_players(member.player.pk for member in members)
    context = {"club": club, "form": form, "members": members, "papers": papers, "refused": refused}
    return render(request, "clubs/edit.html", context)


@require_POST
@login_required
def talk(request: HttpRequest, slug: str) -> HttpResponse:
    """Open or close the talk after games."""
    club = selectors.club(slug)
    is_open = request.POST.get("open") == "yes"
    services.set_talk(by=player_of(request), club=club, is_open=is_open)
    messages.success(request, _("Talk after games is open.") if is_open else _("Talk after games is closed."))
    return redirect("clubs:edit", slug=club.slug)


@require_POST
@login_required
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Become a member."""
    club = selectors.club(slug)
    form = JoinForm(request.POST)
    form.full_clean()
    services.join(by=player_of(request), club=club, home=form.cleaned_data["home"])
    messages.success(request, _("You are a member of %(club)s.") % {"club": club.name})
    return redirect("pages:club", slug=club.slug)


@require_POST
@login_required
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave the club."""
    club = selectors.club(slug)
    services.leave(by=player_of(request), club=club)
    messages.success(request, _("You have left %(club)s.") % {"club": club.name})
    return redirect("pages:club", slug=club.slug)


@login_required
def form_team(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a team of members without asking them, for players without a login."""
    club = selectors.club(slug)
    person = player_of(request)
    require(person, "team.form", (club, ()), needed="club_officer")
    form = TeamForm(request.POST or None, club=club, initial={"captain": person})
    if request.method == "POST" and form.is_valid():
        try:
            team = services.form_team(by=person, name=form.cleaned_data["name"], players=form.players(), club=club)
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("The team %(team)s is formed.") % {"team": team.name})
            return redirect("pages:team", slug=team.slug)
    return render(request, "clubs/team.html", {"club": club, "form": form})


@require_POST
@login_required
@fresh_sign_in
def give_role(request: HttpRequest, slug: str) -> HttpResponse:
    """Name a member officer or organiser."""
    club = selectors.club(slug)
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Refused("club_role_name", _("Choose club officer or organiser."), field="name")
    player = player_by_slug(form.cleaned_data["player"])
    services.give_role(by=player_of(request), club=club, player=player, name=form.cleaned_data["name"])
    return redirect("clubs:edit", slug=club.slug)


@require_POST
@login_required
@fresh_sign_in
def end_role(request: HttpRequest, slug: str) -> HttpResponse:
    """Take a role back."""
    club = selectors.club(slug)
    form = RoleEndForm(request.POST)
    role = ClubRole.objects.filter(club=club, pk=form.cleaned_data["role"]).first() if form.is_valid() else None
    if role is None:
        raise NotThere
    services.end_role(by=player_of(request), role=role)
    return redirect("clubs:edit", slug=club.slug)
