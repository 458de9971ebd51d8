"""The pages of the partner desk: of a club, and of an event."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player_of
from tock_league.clubs import selectors as clubs
from tock_league.clubs.forms import AnswerForm
from tock_league.common.errors import NotAllowed, NotThere, Refused
from tock_league.common.http import add_refusal

from ..forms.partners import SearchForm
from ..models import Competition, PartnerSearch
from ..selectors.entries import partners
from ..selectors.entries import registration as registrations
from ..selectors.entries.partners import Place
from ..selectors.seasons import competitions
from ..services.entries import partners as service
from . import tournament


@login_required
def of_club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the desk of a club, and write a line there."""
    club = clubs.club(slug)
    return _desk(request, club, "competitions/partners_club.html", {"club": club})


@login_required
def of_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the desk of an event that has not begun, and write a line there."""
    person = player_of(request)
    found = competitions.get(slug, person)
    if not partners.has_desk(found):
        raise NotThere(_("There is no partner desk: the event has begun, or takes no entries."))
    frame = tournament.frame(request, found, "partners", person) if found.is_planned else {"competition": found}
    organiser = can(person, "competition.organise", found)
    return _desk(request, found, "competitions/partners_event.html", {"organiser": organiser} | frame)


def _desk(request: HttpRequest, place: Place, template: str, context: dict[str, Any]) -> HttpResponse:
    person = player_of(request)
    if person is None or not partners.visible(person, place):
        raise NotAllowed(_("The partner desk is for members of the club."), needed="member")
    form = SearchForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            service.seek(by=person, place=place, text=form.cleaned_data["text"])
        except Refused as error:
            if error.status != 422:
                raise
            add_refusal(form, error)
        else:
            messages.success(request, _("Your line is on the desk. Who answers is asked about on your first page."))
            return redirect(request.path)
    status = 422 if form.errors else 200
    shown = {"desk": partners.desk(place, person), "form": form, "viewer": person, "tab": "partners"}
    return render(request, template, context | shown, status=status)


def _back(search: PartnerSearch) -> HttpResponse:
    if search.club is not None:
        return redirect("competitions:partners_club", slug=search.club.slug)
    assert search.competition is not None
    return redirect("competitions:partners_event", slug=search.competition.slug)


@require_POST
@login_required
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Offer to play with the one who searches: one press."""
    person = player_of(request)
    search = partners.search(pk, person)
    service.answer(by=person, search=search)
    messages.success(
        request, _("%(player)s is asked, and sees it on the first page.") % {"player": search.player.display_name}
    )
    return _back(search)


@require_POST
@login_required
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the own answer back."""
    person = player_of(request)
    search = partners.search(pk, person)
    service.take_back_answer(by=person, search=search)
    messages.success(request, _("Your answer is taken back."))
    return _back(search)


@require_POST
@login_required
def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the own line back, or remove somebody's as one who looks after the place."""
    person = player_of(request)
    search = partners.search(pk, person)
    if person is not None and search.player_id == person.pk:
        service.withdraw(by=person, search=search)
        messages.success(request, _("Your line is taken back."))
    else:
        service.remove(by=person, search=search)
        messages.success(request, _("The line is removed."))
    return _back(search)


@require_POST
@login_required
def reply(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or decline an answer to the own line; an accepted one leads on to the registration."""
    person = player_of(request)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        raise Refused("accept", _("Answer yes or no."), field="accept")
    accept = form.cleaned_data["accept"] == "yes"
    made = service.reply(by=person, answer=partners.answer(pk, person), accept=accept)
    search = made.search
    if not accept:
        messages.success(request, _("You have declined."))
        return _back(search)
    assert search.team is not None
    messages.success(
        request,
        _("%(player)s plays with you in %(team)s.") % {"player": made.player.display_name, "team": search.team.name},
    )
    event = search.competition
    if event is None or search.team.lacks:
        return redirect("pages:team", slug=search.team.slug)
    return _registration(event, search.team.slug)


def _registration(event: Competition, team: str) -> HttpResponse:
    """Lead on to where the team is entered; to its own page while entries are not open."""
    if registrations.registrations_open(event):
        return redirect("competitions:register", slug=event.slug)
    if event.state == Competition.State.OPEN and not event.is_planned:
        return redirect("competitions:competition", slug=event.slug)
    return redirect("pages:team", slug=team)
