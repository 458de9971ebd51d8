"""The organiser's pages: making seasons, leagues and club nights, entering teams, dating matches."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import BaseForm, Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.clubs.models import PAIR
from tock_league.common.errors import Refused
from tock_league.common.http import add_refusal

from ..forms import (
    AwardForm,
    CalendarForm,
    DateForm,
    DrawForm,
    EntryForm,
    LeagueForm,
    NightForm,
    SeasonForm,
    StateForm,
    WithdrawForm,
    own_clubs,
)
from ..forms.announcing import frozen
from ..forms.fields import PLACES
from ..models import Competition
from ..selectors.rounds import matches
from ..selectors.rounds.clashes import clashes
from ..selectors.seasons import competitions
from ..services.entries import entering
from ..services.results import settlement
from ..services.rounds import calendar, schedule
from ..services.seasons import creation, lifecycle, nights
from .desk import desk_page
from .hall import hall_of
from .public import match_context

MOST_NAMED = 8  # matches without a result that the page names; the others are among all matches


def _try(form: BaseForm, act: Callable[[], Any]) -> Any:
    """Return what `act` does; on a refusal put it into `form` and return None."""
    try:
        return act()
    except Refused as error:
        if error.status in (403, 404):
            raise
        if error.field == "rounds":  # of a game, as the form calls them
            error.field = "game_rounds"
        add_refusal(form, error)
        return None


@login_required
def new_season(request: HttpRequest) -> HttpResponse:
    """Make a season."""
    person = player_of(request)
    clubs = own_clubs(person)
    if not clubs:
        require(person, "season.create", None, needed="organiser")
    form = SeasonForm(request.POST or None, by=person, initial={"club": clubs[0]} if len(clubs) == 1 else {})
    if request.method == "POST" and form.is_valid():
        season = _try(form, lambda: creation.create_season(by=person, **form.cleaned_data))
        if season is not None:
            messages.success(request, _("The season %(season)s is made; now its league.") % {"season": season.name})
            return redirect("competitions:new")
    return render(request, "competitions/new_season.html", {"form": form})


@login_required
def new_league(request: HttpRequest) -> HttpResponse:
    """Make a league with one division."""
    person = player_of(request)
    if not own_clubs(person):
        require(person, "competition.create", None, needed="organiser")
    form = LeagueForm(request.POST or None, by=person)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data

        def make() -> Competition:
            return creation.create_league(
                by=person,
                season=chosen["season"],
                name=chosen["name"],
                size=chosen["size"],
                division_name=chosen["division"],
                club=chosen["club"],
                regulations=frozen("league", chosen),
                bots_allowed=chosen["bots_allowed"],
                on_paper=PLACES[chosen["place"]].on_paper,
                by_agreement=PLACES[chosen["place"]].by_agreement,
            )

        made = _try(form, make)
        if made is not None:
            return redirect("competitions:organise", slug=made.slug)
    context = {"form": form, "may_create_season": can(person, "season.create") or bool(own_clubs(person))}
    return render(request, "competitions/new_league.html", context)


@login_required
def new_night(request: HttpRequest) -> HttpResponse:
    """Announce a club night; its seed is published with it."""
    person = player_of(request)
    if not own_clubs(person):
        require(None, "competition.create", None, needed="organiser")
    form = NightForm(request.POST or None, by=person)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data

        def make() -> Competition:
            return nights.announce_night(
                by=person,
                club=chosen["club"],
                name=chosen["name"],
                regulations=frozen("night", chosen),
                bots_allowed=chosen["bots_allowed"],
                on_paper=PLACES[chosen["place"]].on_paper,
                by_agreement=PLACES[chosen["place"]].by_agreement,
            )

        made = _try(form, make)
        if made is not None:
            return redirect("competitions:organise", slug=made.slug)
    return render(request, "competitions/new_night.html", {"form": form})


def _desk(request: HttpRequest, found: Competition, **bound: Form) -> HttpResponse:
    """Show the desk, with the errors of a returned form."""
    errors = [str(error) for form in bound.values() for problems in form.errors.values() for error in problems]
    return desk_page(request, found, **({"error": Refused("invalid", " ".join(errors))} if errors else {}))


def _page(request: HttpRequest, found: Competition, **bound: Form) -> HttpResponse:
    """Show the organiser's page of one competition: what is next, entries, calendar; of a tournament its desk."""
    if found.is_planned:
        return _desk(request, found, **bound)
    person = player_of(request)
    require(person, "competition.organise", found, needed="organiser")
    has_calendar = found.stages.exists()
    before_start = found.state in calendar.BEFORE_START
    is_night = found.kind == Competition.Kind.TOURNAMENT
    drawable = is_night and found.state in (Competition.State.PUBLISHED, Competition.State.OPEN)
    context = {
        "competition": found,
        "tab": "organise",
        "viewer": person,
        "organiser": True,
        "entries": competitions.entries(found),
        "next_states": lifecycle.next_states(found),
        **_waiting(found),
        "clashes": clashes(found) if has_calendar and found.state not in competitions.OVER else [],
        "has_calendar": has_calendar,
        "calendar_stays": calendar.RESULTS_STAND
        if before_start and has_calendar and calendar.has_results(found)
        else "",
        "may_edit": before_start and not has_calendar,
        "before_start": before_start,
        "entry_form": bound.get("entry_form"),
        "calendar_form": bound.get("calendar_form"),
        "draw_form": bound.get("draw_form"),
        "state_form": bound.get("state_form"),
        **hall_of(found),
    }
    if drawable and not has_calendar and not context["draw_form"]:
        form = DrawForm(night=found)
        context["draw_form" if form.members >= form.least else "draw_refused"] = form
    if before_start and not has_calendar and not is_night:
        context |= _entries_and_calendar(found, context)
    status = 422 if bound else 200
    return render(request, "competitions/organise.html", context, status=status)


def _entries_and_calendar(found: Competition, bound: dict[str, Any]) -> dict[str, Any]:
    """Return the forms of a league before its calendar, and in the place of one that could only refuse what is missing."""
    full = entering.refusal_for_all(found)
    entry_form = bound["entry_form"] or EntryForm(competition=found)
    too_few = calendar.too_few(found)
    return {
        "entries_refused": full,
        "entry_form": entry_form if bound["entry_form"] or (not full and entry_form.has_teams) else None,
        "calendar_refused": too_few,
        "calendar_form": bound["calendar_form"] or (None if too_few else CalendarForm()),
        "is_taking_entries": True,
    }


def _waiting(found: Competition) -> dict[str, Any]:
    """Return the first matches that keep a running league from its end, and how many there are."""
    if found.state != Competition.State.RUNNING:
        return {}
    waiting = lifecycle.without_result(found)
    return {"waiting": matches.views(waiting[:MOST_NAMED]), "waiting_count": waiting.count()}


@login_required
def organise(request: HttpRequest, slug: str) -> HttpResponse:
    """Look after one competition."""
    return _page(request, competitions.get(slug, player_of(request)))


@require_POST
@login_required
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter a team."""
    person = player_of(request)
    found = competitions.get(slug, person)
    form = EntryForm(request.POST, competition=found)
    if not can(person, "competition.organise", found):
        return _enter_own(request, found, form)
    if form.is_valid() and _try(
        form, lambda: entering.enter_team(by=person, competition=found, team=form.cleaned_data["team"])
    ):
        return redirect("competitions:organise", slug=found.slug)
    return _page(request, found, entry_form=form)


def _enter_own(request: HttpRequest, found: Competition, form: EntryForm) -> HttpResponse:
    """Enter the captain's own team; a refusal gets a page of its own."""
    if not form.is_valid():
        raise Refused("team", " ".join(str(error) for error in form.errors["team"]), field="team")
    team = form.cleaned_data["team"]
    entering.enter_team(by=player_of(request), competition=found, team=team)
    messages.success(request, _("%(team)s is entered.") % {"team": team.name})
    return redirect("competitions:competition", slug=found.slug)


@require_POST
@login_required
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Take an entry out again."""
    person = player_of(request)
    found = competitions.get(slug, person)
    form = WithdrawForm(request.POST, competition=found)
    if not form.is_valid():
        raise Refused("entry", _("This entry does not exist."), field="entry", status=404)
    entering.take_out(by=person, entry=form.cleaned_data["entry"])
    return redirect("competitions:organise", slug=found.slug)


@require_POST
@login_required
def make_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Date every round of the round robin."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    form = CalendarForm(request.POST)

    def make() -> object:
        chosen = form.cleaned_data
        zone = timezone.get_current_timezone()
        times = calendar.weekly(
            first=chosen["first"].astimezone(zone).replace(tzinfo=None),
            zone=str(zone),
            rounds=calendar.rounds_needed(found, legs=chosen["legs"]),
            days=chosen["days"],
        )
        return calendar.make_calendar(by=person, competition=found, times=times, legs=chosen["legs"])

    if form.is_valid() and _try(form, make):
        messages.success(request, _("The calendar is made."))
        return redirect("competitions:matches", slug=found.slug)
    return _page(request, found, calendar_form=form)


@require_POST
@login_required
def discard_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the calendar back before the start."""
    person = player_of(request)
    found = competitions.get(slug, person)
    calendar.discard_calendar(by=person, competition=found)
    return redirect("competitions:organise", slug=found.slug)


@require_POST
@login_required
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the partners of a club night and start it."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.organise", found, needed="organiser")
    form = DrawForm(request.POST, night=found)
    if form.is_valid() and _try(
        form,
        lambda: nights.draw_and_start(
            by=person,
            night=found,
            players=list(form.cleaned_data["players"]),
            starts_at=form.cleaned_data["starts_at"],
            minutes=form.cleaned_data["minutes"],
        ),
    ):
        drawn = _("The partners are drawn") if found.side_size == PAIR else _("The sides are drawn")
        opening = "" if found.on_paper else _("The first tables open 15 minutes before their time.")
        messages.success(request, f"{drawn}. {opening}".strip())
        return redirect("competitions:matches", slug=found.slug)
    return _page(request, found, draw_form=form)


@require_POST
@login_required
def set_state(request: HttpRequest, slug: str) -> HttpResponse:
    """Move the competition to its next state."""
    person = player_of(request)
    found = competitions.get(slug, person)
    form = StateForm(request.POST)
    if form.is_valid() and _try(
        form,
        lambda: lifecycle.advance(
            by=person, competition=found, to=form.cleaned_data["to"], reason=form.cleaned_data["reason"]
        ),
    ):
        return redirect("competitions:organise", slug=found.slug)
    return _page(request, found, state_form=form)


@require_POST
@login_required
def move(request: HttpRequest, slug: str) -> HttpResponse:
    """Fix or move the date of a match."""
    person = player_of(request)
    view = matches.match_view(slug, person)
    require(person, "match.move", view.match, needed="organiser")
    form = DateForm(request.POST)
    if form.is_valid() and _try(
        form, lambda: schedule.move(by=person, match=view.match, starts_at=form.cleaned_data["starts_at"])
    ):
        messages.success(request, _("The date is set."))
        return redirect("competitions:match", slug=slug)
    return render(request, "competitions/match.html", match_context(request, view, date_form=form), status=422)


@require_POST
@login_required
def award(request: HttpRequest, slug: str) -> HttpResponse:
    """Award a match nobody played."""
    person = player_of(request)
    view = matches.match_view(slug, person)
    require(person, "match.award", view.match, needed="organiser")
    form = AwardForm(request.POST, match=view.match, names=[side.name for side in view.sides])
    if form.is_valid() and _try(
        form,
        lambda: settlement.award(
            by=person, match=view.match, winner=form.cleaned_data["winner"], reason=form.cleaned_data["reason"]
        ),
    ):
        return redirect("competitions:match", slug=slug)
    return render(request, "competitions/match.html", match_context(request, view, award_form=form), status=422)
