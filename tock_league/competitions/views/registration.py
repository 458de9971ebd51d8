"""Pages for captains and players before a tournament: register a team, confirm, check in."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player as player_by_slug
from tock_league.accounts.selectors import player_of
from tock_league.clubs.forms import AnswerForm
from tock_league.clubs.models import PAIR
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import next_address

from ..forms.entries import AddSubstituteForm, PresenceForm, RegisterForm, SubstituteForm
from ..models import Competition, Entry
from ..permissions import is_public
from ..selectors.entries import late
from ..selectors.entries import registration as registrations
from ..selectors.results import corrections
from ..selectors.seasons import competitions
from ..services.entries import answering, checkin, rosters, withdrawals
from ..services.entries import registration as service


@login_required
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose which of one's teams enters, and its substitutes."""
    person = player_of(request)
    found = competitions.get(slug, person)
    if not found.is_planned:
        return redirect("competitions:competition", slug=slug)
    teams = registrations.teams_to_register(found, person)
    error: Refused | None = None
    if request.method == "POST":
        form = RegisterForm(request.POST, teams=teams)
        if not form.is_valid():
            error = Refused("team", _("Choose one of your teams, and substitutes of it."), field="team")
        else:
            chosen = form.cleaned_data
            try:
                entry = service.register(
                    by=person, competition=found, team=chosen["team"], substitutes=list(chosen["substitutes"])
                )
            except Refused as refused:
                if refused.status != 422:
                    raise
                error = refused
            else:
                messages.success(request, _registered(entry))
                return redirect("competitions:entry", slug=entry.slug)
    context = {
        "competition": found,
        "viewer": person,
        "tab": "register",
        "organiser": can(person, "competition.organise", found),
        "open": registrations.registrations_open(found),
        "teams": teams,
        "mine": registrations.own_entries(found, person),
        "error": error,
    }
    return render(request, "competitions/register.html", context, status=422 if error else 200)


def _registered(entry: Entry) -> str:
    name = {"team": str(entry)}
    if entry.state == Entry.State.PENDING:
        if entry.competition.side_size == PAIR:
            return _("%(team)s is registered; your partner confirms on the first page after signing in.") % name
        return _("%(team)s is registered; your players confirm on the first page after signing in.") % name
    if entry.state == Entry.State.WAITLISTED:
        return _("Every place is taken: %(team)s is on the waiting list.") % name
    return _("%(team)s is registered.") % name


def visible_entry(request: HttpRequest, slug: str) -> registrations.EntryView:
    """Return the entry of that address. Raises NotThere where the reader may not see the competition."""
    view = registrations.entry_view(slug)
    made = view.entry.competition
    if not is_public(made) and not can(player_of(request), "competition.see_private", made):
        raise NotThere
    return view


@require_safe
def entry(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a team's entry: its state, its roster, who is here; for those concerned, what they may do."""
    return render(request, "competitions/entry.html", entry_context(request, visible_entry(request, slug)))


def entry_context(request: HttpRequest, view: registrations.EntryView, **more: Any) -> dict[str, Any]:
    """Return the context of an entry's page for this reader."""
    person = player_of(request)
    made = competitions.get(view.entry.competition.slug, person)
    drawn = registrations.is_drawn(made)
    gone = view.entry.state in registrations.GONE
    before = made.state in registrations.BEFORE_START and not drawn
    own = view.spot_of(person)
    team = view.entry.team
    captain = can(person, "entry.make", (made, team)) if team is not None else False
    may_check_in = {
        spot.player.pk
        for spot in view.spots
        if registrations.check_in_open(made)
        and not drawn
        and view.entry.state in registrations.HERE
        and can(person, "entry.check_in", (view.entry, spot.player))
    }
    may_change = view.entry.state in rosters.TAKING_PART and can(person, "roster.change", view.entry)
    may_swap = may_change and any(spot.is_substitute for spot in view.spots)
    came_late = late.late_entry(view.entry) if drawn and made.is_planned else None
    return {
        "view": view,
        "entry": view.entry,
        "competition": made,
        "viewer": person,
        "tab": "register",
        "organiser": can(person, "competition.organise", made),
        "gone": gone,
        "own": own,
        "to_confirm": own is not None and not own.confirmed and before and not gone,
        "check_in_open": registrations.check_in_open(made) and not drawn,
        "may_check_in": may_check_in,
        "starters": [spot for spot in view.spots if not spot.is_substitute],
        "may_swap": may_swap,
        "at_table": may_swap and rosters.sits_at_a_table(view.entry),
        "to_add": registrations.substitutes_outside(view) if may_change else [],
        "corrections": corrections.of_entry(view.entry),
        "may_bring_back": drawn
        and view.entry.state == Entry.State.WITHDRAWN
        and made.state in withdrawals.UNDER_WAY
        and registrations.was_drawn(view.entry)
        and can(person, "entry.bring_back", view.entry),
        "late": came_late,
        "may_take_back": came_late is not None
        and made.state in late.UNDER_WAY
        and can(person, "entry.late", made)
        and late.may_be_taken_back(came_late),
        "may_leave": captain
        and not gone
        and (before or made.state in (Competition.State.RUNNING, Competition.State.SUSPENDED)),
        **more,
    }


@require_POST
@login_required
def answer(request: HttpRequest, slug: str) -> HttpResponse:
    """Confirm or decline one's place on a roster."""
    view = visible_entry(request, slug)
    person = player_of(request)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        raise Refused("accept", _("Answer yes or no."), field="accept")
    accept = form.cleaned_data["accept"] == "yes"
    made = answering.answer(by=person, entry=view.entry, accept=accept)
    told = _("You play for %(team)s.") % {"team": str(made)} if accept else _("You have declined.")
    messages.success(request, told)
    return redirect("competitions:entry", slug=slug)


@require_POST
@login_required
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Check a player of the roster in, or take that back."""
    view = visible_entry(request, slug)
    form = PresenceForm(request.POST)
    if not form.is_valid():
        raise Refused("player", _("Choose a player of the roster."), field="player")
    player = player_by_slug(form.cleaned_data["player"])
    act = checkin.check_in if form.cleaned_data["here"] == "yes" else checkin.undo
    act(by=player_of(request), entry=view.entry, player=player)
    return back(request, "competitions:entry", slug)


@require_POST
@login_required
def substitute(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a substitute play in the place of a starter."""
    view = visible_entry(request, slug)
    form = SubstituteForm(request.POST)
    if not form.is_valid():
        raise Refused("leaves", _("Choose who plays and who does not."), field="leaves")
    leaves, comes = (player_by_slug(form.cleaned_data[name]) for name in ("leaves", "comes"))
    rosters.substitute(by=player_of(request), entry=view.entry, leaves=leaves, comes=comes)
    messages.success(
        request,
        _("%(comes)s plays instead of %(leaves)s.") % {"comes": comes.display_name, "leaves": leaves.display_name},
    )
    return redirect("competitions:entry", slug=slug)


@require_POST
@login_required
def add_substitute(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a substitute of the team on the roster."""
    view = visible_entry(request, slug)
    form = AddSubstituteForm(request.POST)
    if not form.is_valid():
        raise Refused("player", _("Choose a substitute of the team."), field="player")
    player = player_by_slug(form.cleaned_data["player"])
    rosters.add_substitute(by=player_of(request), entry=view.entry, player=player)
    messages.success(request, _("%(player)s may play as a substitute.") % {"player": player.display_name})
    return redirect("competitions:entry", slug=slug)


def back(request: HttpRequest, name: str, slug: str) -> HttpResponse:
    """Redirect to the page of the form: the address that it sent if it is on this site, else the named page."""
    return redirect(next_address(request) or reverse(name, args=[slug]))
