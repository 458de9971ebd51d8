"""The round sheet: results of all matches of a round on one page, by keyboard or by a press on a phone."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import Refused
from tock_league.common.http import valid

from ..forms.papers import PaperForm
from ..forms.round_sheet import ChoiceForm, WhichForm
from ..models import Competition
from ..selectors.results import paper as papers
from ..selectors.results import round_sheet as sheets
from ..selectors.seasons import competitions, next_step
from ..selectors.seasons.counting import asked_of, counting_of
from ..services.results import paper

SIMPLE = {"winner_1", "margin_1", "seen"}  # the fields of a result that buttons and the line of the keyboard can send


@login_required
def round_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the sheet of a round and take the result of one of its matches."""
    person = player_of(request)
    found = competitions.get(slug, person)
    require(person, "competition.desk", found, needed="organiser")
    form = ChoiceForm(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {}
    error: Refused | None = None
    tried = ""
    if request.method == "POST":
        # The round of the page that was sent: meanwhile another one may be under way, at the same tables.
        made = sheets.sheet(found, person, request.POST.get("round", ""))
        which = WhichForm(request.POST)
        try:
            line = _line(valid(which), made)
            tried = line.slug
            if not _is_simple(line) and not which.cleaned_data["match"]:
                return _answer(request, "", opened=line.slug)
            games = _enter(request, which, line)
        except Refused as refused:
            if refused.status in (403, 404):
                raise
            error = refused
        else:
            messages.success(request, _saved(line, games))
            return _answer(request, line.slug if which.cleaned_data["match"] else "")
        found = competitions.get(slug, person)
    made = sheets.sheet(found, person, chosen.get("round", ""))
    context = _context(request, found, made, person, only_missing=chosen.get("show") == sheets.MISSING)
    context |= {"error": error, "opened": tried or request.GET.get("open", "")}
    return render(request, "competitions/round_sheet.html", context, status=error.status if error else 200)


def _context(
    request: HttpRequest, found: Competition, made: sheets.RoundSheet, person: Player | None, *, only_missing: bool
) -> dict[str, Any]:
    organiser = can(person, "competition.organise", found)
    shown = made.without_result() if only_missing else made
    return {
        "competition": found,
        "tab": "organise",
        "viewer": person,
        "organiser": organiser,
        "sheet": made,
        "only_missing": only_missing,
        "lines": [(line, _form(line)) for line in shown.lines],
        "rounds": [(sheets.round_key(one), one) for one in made.rounds],
        "counting": counting_of(found.rules),
        "asks_margin": any(line.asks_margin for line in made.lines),
        "ties": any(line.may_tie for line in made.lines),
        "by_keyboard": any(line.may_enter for line in made.lines),
        "step": next_step.next_step(found, person) if organiser and found.is_planned else None,
        "here": request.get_full_path(),
    }


def _form(line: sheets.Line) -> PaperForm | None:
    """Return the form of a result that takes more than a press or two, None for the others."""
    return None if not line.may_enter or _is_simple(line) else _paper_form(line)


def _paper_form(line: sheets.Line, data: Any = None) -> PaperForm:
    match = line.view.match
    return PaperForm(
        data,
        names=[side.name for side in line.view.sides],
        best_of=match.best_of,
        asked=asked_of(match),
        counting=counting_of(match.competition.rules),
        initial={"seen": line.seen},
        auto_id=f"{line.slug}-%s",
    )


def _is_simple(line: sheets.Line) -> bool:
    """Return whether a winner and at most one number are the whole result."""
    return set(_paper_form(line).fields) == SIMPLE and (not line.asks_margin or bool(line.margins))


def _line(which: dict[str, Any], made: sheets.RoundSheet) -> sheets.Line:
    """Return the match that the form names. Raises Refused on `table`."""
    if which["match"]:
        found = next((line for line in made.lines if line.slug == which["match"]), None)
    else:
        found = made.numbered(which["table"]) if which["table"] else None
    if found is not None:
        return found
    if which["table"]:
        sentence = _("No match of this round has the number %(number)s.") % {"number": which["table"]}
    else:
        sentence = _("Say which table.")
    raise Refused("table", sentence, field="table")


def _enter(request: HttpRequest, which: WhichForm, line: sheets.Line) -> list[tuple[int | None, ...]]:
    """Certify what was sent, and return it: the fields of the match's own form, or a line of the keyboard."""
    data: Any = request.POST if which.cleaned_data["match"] else which.result(line.slug)
    chosen = valid(_paper_form(line, data))
    games = [paper.Game.of(game) for game in chosen["games"]]
    paper.certify(by=player_of(request), match=line.view.match, games=games, seen=chosen["seen"] or 0)
    return list(chosen["games"])


def _saved(line: sheets.Line, games: list[tuple[int | None, ...]]) -> str:
    """Return in words what stands now."""
    words = papers.sheet_words(line.view, games)
    if line.number is None:
        return _("%(match)s: %(result)s.") % {"match": line.view.title, "result": words}
    return _("Table %(number)s: %(result)s.") % {"number": line.number, "result": words}


def _answer(request: HttpRequest, anchor: str, *, opened: str = "") -> HttpResponse:
    """Lead back to the sheet as it was chosen: to the match of the press, or with the form of a match opened."""
    query = request.GET.copy()
    query.pop("open", None)
    if opened:
        query["open"] = opened
        anchor = opened
    address = f"{request.path}?{query.urlencode()}" if query else request.path
    return redirect(f"{address}#m-{anchor}" if anchor else address)
