"""What happens away from the tables: results on paper, teams that are missing, teams that leave."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import Conflict, Refused
from tock_league.common.http import next_address

from ..forms.entries import LeaveForm, NeededReasonForm
from ..forms.papers import AbsentForm, PaperForm, initial_games
from ..models import Match
from ..permissions import captain_side
from ..selectors.entries import registration as registrations
from ..selectors.results import paper as papers
from ..selectors.rounds import matches
from ..selectors.seasons.counting import asked_of, counting_of
from ..services.entries import registration as service
from ..services.entries import returning, withdrawals
from ..services.results import paper, settlement
from .registration import back, visible_entry

M = Match.State
OPEN = (M.SCHEDULED, M.CALLED, M.LIVE, M.REPORTED, M.CONTESTED)


@login_required
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and handle the result of one match on paper: report, accept, contest, or certify it as referee."""
    person = player_of(request)
    view = matches.match_view(slug, person)
    match = view.match
    seen = papers.sheet(match)
    side = captain_side(person, match) if person is not None else None
    referee = can(person, "result.certify", match)
    if side is None and not referee:
        require(None, "result.report", match, needed="captain")
    names = [one.name for one in view.sides]
    form = PaperForm(
        request.POST or None,
        names=names,
        best_of=match.best_of,
        asked=asked_of(match),
        counting=counting_of(match.competition.rules),
        initial=_initial(seen),
    )
    error: Refused | None = None
    act = request.POST.get("act", "")
    if request.method == "POST":
        try:
            if act == "accept":
                paper.accept(by=person, match=match, seen=_number(request.POST.get("seen")))
            elif form.is_valid():
                _give(request, match, form, seen=seen, referee=referee and (side is None or act == "certify"))
            else:
                return _sheet_page(request, view, seen, form, side, referee, status=422)
        except Refused as refused:
            if refused.status in (403, 404):
                raise
            error = refused
        else:
            match.refresh_from_db()
            messages.success(request, _after(match))
            return redirect("competitions:match", slug=slug)
        seen = papers.sheet(match)
    return _sheet_page(request, view, seen, form, side, referee, error=error, status=error.status if error else 200)


def _give(request: HttpRequest, match: Match, form: PaperForm, *, seen: papers.Sheet, referee: bool) -> None:
    person = player_of(request)
    games = [paper.Game.of(game) for game in form.cleaned_data["games"]]
    version = form.cleaned_data["seen"] or 0
    if referee:
        paper.certify(by=person, match=match, games=games, seen=version)
    elif seen.version:
        paper.contest(by=person, match=match, games=games, seen=version)
    else:
        paper.report(by=person, match=match, games=games, seen=version)


def _number(raw: str | None) -> int:
    return int(raw) if raw and raw.isdecimal() and len(raw) < 9 else 0


def _initial(seen: papers.Sheet) -> dict[str, Any]:
    return {"seen": seen.version} | initial_games(seen.games)


def _after(match: Match) -> str:
    if match.state == M.REPORTED:
        return _("Reported. The result counts when the other captain has accepted it.")
    if match.state == M.CONTESTED:
        return _("The two captains disagree: a referee decides.")
    return _("The result counts.")


def _sheet_page(
    request: HttpRequest,
    view: matches.MatchView,
    seen: papers.Sheet,
    form: PaperForm,
    side: Any,
    referee: bool,
    *,
    error: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    own = side.position if side is not None else None
    context = {
        "view": view,
        "competition": view.match.competition,
        "sheet": seen,
        "games": [papers.game_words(view, game) for game in seen.games],
        "rival": [papers.game_words(view, game) for game in seen.rival],
        "form": form,
        "own": own,
        "referee": referee,
        "open": view.match.is_on_board and view.match.state in OPEN,
        "to_accept": own is not None and seen.version and own not in seen.positions and not seen.counts,
        "error": error,
    }
    return render(request, "competitions/paper.html", context, status=status)


@login_required
def absent(request: HttpRequest, slug: str) -> HttpResponse:
    """Record that a match is not played: a team is missing, or gives it up."""
    person = player_of(request)
    view = matches.match_view(slug, person)
    match = view.match
    official = can(person, "match.award", match)
    positions = [side.position for side in view.sides if can(person, "match.forfeit", (match, side.position))]
    if not official and not positions:
        require(None, "match.award", match, needed="organiser")
    choices = [
        (f"no_show:{side.position}", _("%(team)s did not come") % {"team": side.name})
        for side in view.sides
        if official
    ]
    choices += [
        (f"forfeit:{side.position}", _("%(team)s gives the match up") % {"team": side.name})
        for side in view.sides
        if side.position in positions
    ]
    if official:
        choices.append(("both", _("nobody came: both lose")))
    form = AbsentForm(request.POST or None, choices=choices)
    if request.method == "POST" and form.is_valid():
        what, _colon, position = form.cleaned_data["what"].partition(":")
        reason = form.cleaned_data["reason"]
        try:
            if what == "both":
                settlement.award(by=person, match=match, winner=None, reason=reason)
            else:
                act = withdrawals.no_show if what == "no_show" else withdrawals.forfeit
                act(by=person, match=match, position=int(position), reason=reason)
        except Refused as error:
            if error.status in (403, 404):
                raise
            form.add_error(None, str(error.sentence))
        else:
            messages.success(request, _("Noted. The match is decided without play."))
            return back(request, "competitions:match", slug)
    context = {"view": view, "competition": match.competition, "form": form, "back": next_address(request)}
    return render(request, "competitions/absent.html", context, status=422 if form.errors else 200)


@login_required
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw a team, or disqualify it: what changes is shown before it is done."""
    view = visible_entry(request, slug)
    entry, made = view.entry, view.entry.competition
    person = player_of(request)
    drawn = registrations.is_drawn(made)
    ways = [
        way
        for way, allowed in (
            ("withdrawal", can(person, "entry.withdraw", entry)),
            ("disqualification", drawn and can(person, "entry.disqualify", entry)),
        )
        if allowed
    ]
    if not ways:
        require(None, "entry.withdraw", entry, needed="captain")
    form = LeaveForm(request.POST or None, ways=ways, needed=drawn, initial={"how": ways[0]})
    if entry.state in registrations.GONE:
        raise Conflict("entry_state", _("This team has left already."), state=entry.state)
    error: Refused | None = None
    how = request.POST.get("how") if request.POST.get("how") in ways else request.GET.get("how", ways[0])
    shown = withdrawals.preview(by=person, entry=entry, how=how if how in ways else ways[0]) if drawn else None
    if request.method == "POST" and form.is_valid():
        try:
            _take_out(request, entry, form.cleaned_data, drawn=drawn)
        except Refused as refused:
            if refused.status in (403, 404):
                raise
            error = refused
        else:
            messages.success(request, _("%(team)s is no longer in it.") % {"team": view.name})
            return redirect("competitions:entry", slug=slug)
    context = {
        "view": view,
        "entry": entry,
        "competition": made,
        "form": form,
        "ways": ways,
        "how": how,
        "preview": shown,
        "drawn": drawn,
        "error": error,
    }
    status = error.status if error else 422 if form.errors else 200
    return render(request, "competitions/leave.html", context, status=status)


@login_required
def bring_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a team that withdrew after the draw play on: what changes is shown before it is done."""
    view = visible_entry(request, slug)
    entry, person = view.entry, player_of(request)
    shown = returning.preview(by=person, entry=entry)
    form = NeededReasonForm(request.POST or None)
    error: Refused | None = None
    if request.method == "POST" and form.is_valid():
        try:
            digest = request.POST.get("digest", "")
            returning.bring_back(by=person, entry=entry, reason=form.cleaned_data["reason"], digest=digest)
        except Refused as refused:
            if refused.status in (403, 404):
                raise
            error = refused
        else:
            messages.success(request, _("%(team)s plays on.") % {"team": view.name})
            return redirect("competitions:entry", slug=slug)
    context = {
        "view": view,
        "entry": entry,
        "competition": entry.competition,
        "form": form,
        "preview": shown,
        "error": error,
    }
    status = error.status if error else 422 if form.errors else 200
    return render(request, "competitions/bring_back.html", context, status=status)


def _take_out(request: HttpRequest, entry: Any, chosen: dict[str, Any], *, drawn: bool) -> None:
    person = player_of(request)
    if not drawn:
        service.withdraw_before_draw(by=person, entry=entry, reason=chosen["reason"])
        return
    leave = withdrawals.disqualify if chosen["how"] == "disqualification" else withdrawals.withdraw
    leave(by=person, entry=entry, reason=chosen["reason"], digest=request.POST.get("digest", ""))
