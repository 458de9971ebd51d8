"""The page of the talk after a game, its buttons, and what the moderators decide."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tock_league.accounts.selectors import player as player_by_slug
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal
from tock_league.common.limits import spend

from ..forms.talk import DecisionForm, LineForm
from ..selectors.results import talk as talks
from ..services.results import talk as service
from .registration import back


@login_required
@never_cache
def talk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what was said after a game to those who played it, and say something."""
    person = player_of(request)
    game = talks.game(slug)
    if person is None or not talks.may_read(person, game):
        raise NotThere
    form = LineForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        spend(request, "talk", count=20, seconds=60)
        try:
            service.say(by=person, game=game, text=form.cleaned_data["text"])
        except Refused as error:
            if error.status != 422:
                raise
            add_refusal(form, error)
        else:
            return redirect("competitions:talk", slug=slug)
    context = {"talk": talks.talk(game, person), "game": game, "form": form, "viewer": person}
    return render(request, "competitions/talk.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Report a line to the moderators."""
    person = player_of(request)
    line = talks.line(pk, person)
    service.report(by=person, line=line)
    messages.success(request, _("The line is reported: those who look after the club decide."))
    return redirect("competitions:talk", slug=line.game.slug)


@require_POST
@login_required
def mute(request: HttpRequest, slug: str) -> HttpResponse:
    """Hide what somebody says after games."""
    player = player_by_slug(slug)
    service.mute(by=player_of(request), player=player)
    messages.success(request, _("You no longer see what %(player)s says.") % {"player": player.display_name})
    return back(request, "pages:player", slug)


@require_POST
@login_required
def unmute(request: HttpRequest, slug: str) -> HttpResponse:
    """Show again what somebody says after games."""
    service.unmute(by=player_of(request), player=player_by_slug(slug))
    return back(request, "pages:player", slug)


@require_POST
@login_required
def decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep or remove a reported line, as a moderator."""
    person = player_of(request)
    found = talks.report(pk, person)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        raise Refused("decision", _("Keep the line or remove it."), field="decision")
    keep = form.cleaned_data["decision"] == "keep"
    service.decide(by=person, report=found, keep=keep)
    messages.success(request, _("The line stays.") if keep else _("The line is removed."))
    return redirect("pages:home")
