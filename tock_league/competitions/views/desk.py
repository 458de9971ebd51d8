"""The day desk of a tournament: everything an organiser does from the announcement to the podium."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.permissions import Person, can, require
from tock_league.accounts.selectors import player_of
from tock_league.clubs.forms import SearchForm
from tock_league.common import clock
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import valid

from ..forms.desk import CountdownForm, SeedingForm, SettleForm, StepForm
from ..forms.entries import NeededReasonForm, RegisterForm
from ..models import Competition, Entry, Group, StandingOverride
from ..selectors.entries import fitting, late, strength
from ..selectors.entries import registration as registrations
from ..selectors.rounds import progress
from ..selectors.rounds.clashes import clashes
from ..selectors.seasons import calendars, competitions, next_step
from ..services.entries import registration as service
from ..services.entries import seeding, withdrawals
from ..services.rounds import draw, ties
from ..services.seasons import countdown, lifecycle, steps
from .hall import hall_of
from .registration import back
from .settings import may_edit

S, C = Entry.State, Competition.State
IN = (S.CHECKED_IN, S.ACCEPTED, S.PENDING, S.WAITLISTED, S.PLAYING, S.FINISHED)
# No further round can be paired, by whatever leave: the organiser is offered the end of the tournament.
CANNOT_GO_ON = frozenset({"no_bye_left", "too_few_entries", "too_many_forbidden"})


def desk_page(request: HttpRequest, found: Competition, **more: Any) -> HttpResponse:
    """Show the desk of one tournament; `more`: `error`, a refusal to show above it."""
    person = player_of(request)
    require(person, "competition.organise", found, needed="organiser")
    views = registrations.entry_views(found)
    drawn = registrations.is_drawn(found)
    before = found.state in registrations.BEFORE_START and not drawn
    seeded = _seedable(found, views) if before else []
    ratings = strength.strengths(seeded)
    context = {
        "competition": found,
        "tab": "organise",
        "viewer": person,
        "organiser": True,
        "may_enter": can(person, "competition.desk", found),
        "step": next_step.next_step(found, person),
        "may_edit": may_edit(found),
        "drawn": drawn,
        "before": before,
        "inside": [view for view in views if view.entry.state in IN],
        "outside": [view for view in views if view.entry.state not in IN],
        "here": sum(view.entry.state == S.CHECKED_IN for view in views),
        "may_leave": before or (drawn and found.state in withdrawals.UNDER_WAY),
        "may_check_in": _may_check_in(found, views) if before else set(),
        "seeded": [(entry, ratings[entry.pk]) for entry in seeded],
        "teams": competitions.teams_outside(found) if before else [],
        "may_enter_late": drawn and found.state in late.UNDER_WAY and any(o.is_free for o in late.openings(found)),
        "rounds": calendars.rounds(found, person) if drawn else [],
        "clashes": clashes(found) if drawn and found.state not in competitions.OVER else [],
        "ties": _ties(found) if drawn else [],
        **hall_of(found),
        "stop": [state for state in lifecycle.TRANSITIONS[found.state] if state in lifecycle.NEEDS_REASON],
        **more,
    }
    error: Refused | None = more.get("error")
    return render(request, "competitions/desk.html", context, status=error.status if error else 200)


def _seedable(found: Competition, views: list[registrations.EntryView]) -> list[Entry]:
    """Return who would be drawn now, in seed order."""
    state = S.CHECKED_IN if found.has_check_in else S.ACCEPTED
    return [view.entry for view in views if view.entry.state == state]


def _may_check_in(found: Competition, views: list[registrations.EntryView]) -> set[int]:
    """Return the players whom the organiser may check in: from closed entries or open check-in until the draw."""
    opened = found.check_in_from is not None and clock.now() >= found.check_in_from
    if not found.has_check_in or not (found.state == C.CLOSED or (found.state == C.OPEN and opened)):
        return set()
    states = (*registrations.HERE, S.DROPPED)
    return {spot.player.pk for view in views if view.entry.state in states for spot in view.spots}


def _ties(found: Competition) -> list[dict[str, Any]]:
    names = {entry.pk: entry for entry in Entry.objects.filter(competition=found).select_related("team", "player")}
    return [
        {"tie": tie, "entries": [names[pk] for pk in tie.entries], "ways": [StandingOverride.How(w) for w in tie.ways]}
        for tie in progress.ties(found)
    ]


def _found(request: HttpRequest, slug: str) -> tuple[Person, Competition]:
    """Return the person asking and the tournament. Raises NotThere for a competition without a plan."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    if not found.is_planned:
        raise NotThere
    return person, found


def _on_desk(request: HttpRequest, found: Competition, error: Refused) -> HttpResponse:
    """Show a refusal above the desk; NotAllowed and NotThere get pages of their own."""
    if error.status in (403, 404):
        raise error
    pairs = error.details.get("pairs", ())
    relaxed = ",".join(f"{low}-{high}" for low, high in pairs)
    found = competitions.get(found.slug, player_of(request))
    return desk_page(request, found, error=error, relaxed=relaxed, may_end=error.code in CANNOT_GO_ON)


@require_POST
@login_required
def step(request: HttpRequest, slug: str) -> HttpResponse:
    """Do the step that the desk offered."""
    person, found = _found(request, slug)
    form = StepForm(request.POST)
    code, relaxed = (form.cleaned_data["code"], form.pairs()) if form.is_valid() else ("", [])
    try:
        steps.take(by=person, competition=found, code=code, relaxed=relaxed)
    except Refused as error:
        if error.code == "step":
            raise
        return _on_desk(request, found, error)
    return back(request, "competitions:organise", slug)


@require_POST
@login_required
def begin_countdown(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin the countdown to the step that the desk offered."""
    person, found = _found(request, slug)
    try:
        chosen = valid(CountdownForm(request.POST))
        countdown.begin(by=person, competition=found, **chosen)
    except Refused as error:
        return _on_desk(request, found, error)
    return back(request, "competitions:organise", slug)


@require_POST
@login_required
def cancel_countdown(request: HttpRequest, slug: str) -> HttpResponse:
    """End the countdown without its step."""
    person, found = _found(request, slug)
    countdown.cancel(by=person, competition=found)
    messages.success(request, _("The countdown is cancelled."))
    return back(request, "competitions:organise", slug)


@require_safe
@login_required
def fitting_teams(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every team that may enter, with what stands in the way and the consents that it needs."""
    person, found = _found(request, slug)
    form = SearchForm(request.GET)
    words = form.cleaned_data["q"] if form.is_valid() else ""
    before = found.state in registrations.BEFORE_START and not registrations.is_drawn(found)
    context = {
        "competition": found,
        "form": form,
        "words": words,
        "teams": fitting.fitting(found, words),
        "most": fitting.MOST_SHOWN,
        "may_register": before and can(person, "competition.organise", found),
    }
    return render(request, "competitions/fitting_teams.html", context)


@require_POST
@login_required
def register_team(request: HttpRequest, slug: str) -> HttpResponse:
    """Register a team for its captain, as organiser."""
    person, found = _found(request, slug)
    form = RegisterForm(request.POST, teams=fitting.teams_that_fit(found))
    try:
        entry = service.register(by=person, competition=found, team=valid(form)["team"])
    except Refused as error:
        return _on_desk(request, found, error)
    messages.success(request, _("%(team)s is registered.") % {"team": str(entry)})
    return back(request, "competitions:organise", slug)


def _entry(found: Competition, slug: str) -> Entry:
    view = registrations.entry_view(slug)
    if view.entry.competition_id != found.pk:
        raise NotThere
    return view.entry


@require_POST
@login_required
def admit(request: HttpRequest, slug: str, entry: str) -> HttpResponse:
    """Let an entry in that waits, or that came late."""
    person, found = _found(request, slug)
    try:
        service.admit(by=person, entry=_entry(found, entry))
    except Refused as error:
        return _on_desk(request, found, error)
    return redirect("competitions:organise", slug=slug)


@require_POST
@login_required
def refuse(request: HttpRequest, slug: str, entry: str) -> HttpResponse:
    """Refuse an entry with a reason that everybody reads."""
    person, found = _found(request, slug)
    form = NeededReasonForm(request.POST)
    try:
        service.refuse(by=person, entry=_entry(found, entry), reason=valid(form)["reason"])
    except Refused as error:
        return _on_desk(request, found, error)
    return redirect("competitions:organise", slug=slug)


@require_POST
@login_required
def give_seeds(request: HttpRequest, slug: str) -> HttpResponse:
    """Put the entries in order: by rating, by lots, or by the numbers typed."""
    person, found = _found(request, slug)
    form = SeedingForm(request.POST, entries=_seedable(found, registrations.entry_views(found)))
    try:
        chosen = valid(form)
        seeding.seed(by=person, competition=found, how=chosen["how"], order=chosen["order"])
    except Refused as error:
        return _on_desk(request, found, error)
    return redirect("competitions:organise", slug=slug)


@require_POST
@login_required
def discard_draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the draw back before the start."""
    person, found = _found(request, slug)
    try:
        draw.discard(by=person, competition=found)
    except Refused as error:
        return _on_desk(request, found, error)
    messages.success(request, _("The draw is taken back; teams and seeds may change again."))
    return redirect("competitions:organise", slug=slug)


@require_POST
@login_required
def settle_tie(request: HttpRequest, slug: str) -> HttpResponse:
    """Settle a tie across the line of who plays on."""
    person, found = _found(request, slug)
    groups = Group.objects.filter(stage__competition=found)
    form = SettleForm(request.POST, groups=groups, entries=Entry.objects.filter(competition=found))
    try:
        chosen = valid(form)
        ties.settle_tie(
            by=person, group=chosen["group"], order=chosen["order"], how=chosen["how"], reason=chosen["reason"]
        )
    except Refused as error:
        return _on_desk(request, found, error)
    return redirect("competitions:organise", slug=slug)
