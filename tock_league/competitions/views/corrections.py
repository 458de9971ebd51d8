"""Corrections of results by the desk: what changes is shown before it is done."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal, next_address

from ..forms.corrections import CorrectionForm, K, TakingBackForm
from ..forms.papers import PaperForm, initial_games
from ..models import Correction, Match
from ..selectors.changes.previews import Preview, result_words
from ..selectors.results import corrections as known
from ..selectors.results import paper as papers
from ..selectors.rounds import matches
from ..selectors.seasons.counting import asked_of, counting_of
from ..services.results import corrections
from ..services.results.corrections import Right
from ..services.results.paper import Game
from .registration import back

SHEET_FIELDS = ("games",)  # fields of the service that stand at the first field of the sheet


@login_required
def correct(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview and sign the correction of a match's result."""
    person = player_of(request)
    view = matches.match_view(slug, person)
    match = view.match
    require(person, "result.correct", match, needed="organiser")
    refused = known.obstacle(match)
    if refused is not None:
        raise refused
    form, sheet = _forms(request, view)
    preview: Preview | None = None
    error: Refused | None = None
    if request.method == "POST" and form.is_valid() and (form.cleaned_data["kind"] != K.PAPER or sheet.is_valid()):
        right = _right(form, sheet)
        try:
            if request.POST.get("do") == "sign":
                digest = request.POST.get("digest", "")
                made = corrections.correct(
                    by=person, match=match, right=right, reason=form.cleaned_data["reason"], digest=digest
                )
                messages.success(request, _signed(made))
                return back(request, "competitions:match", slug)
            preview = corrections.preview(by=person, match=match, right=right)
        except Refused as raised:
            if raised.status in (403, 404):
                raise
            error = raised
            preview = _again(raised, lambda: corrections.preview(by=person, match=match, right=right))
            _show(raised, form, sheet)
    context = {
        "view": view,
        "competition": match.competition,
        "form": form,
        "sheet": sheet,
        "stands": _stands(view),
        "preview": preview,
        "error": error,
        "later": match.competition.regulations.later,
        "back": next_address(request),
    }
    return render(request, "competitions/correct.html", context, status=_status(error, form, sheet))


@login_required
def take_back(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Preview and sign that a correction is taken back."""
    person = player_of(request)
    view = matches.match_view(slug, person)
    rows = Correction.objects.select_related("competition__regulations", "match__competition", "by")
    correction = rows.filter(match=view.match, number=number).first()
    if correction is None:
        raise NotThere
    require(person, "result.correct", view.match, needed="organiser")
    refused = known.obstacle_to_taking_back(correction)
    if refused is not None:
        raise refused
    form = TakingBackForm(request.POST or None)
    error: Refused | None = None
    if request.method == "POST" and form.is_valid():
        try:
            digest = request.POST.get("digest", "")
            made = corrections.take_back(
                by=person, correction=correction, reason=form.cleaned_data["reason"], digest=digest
            )
        except Refused as raised:
            if raised.status in (403, 404):
                raise
            error = raised
        else:
            messages.success(request, _signed(made))
            return redirect("competitions:match", slug=slug)
    context = {
        "view": view,
        "competition": view.match.competition,
        "correction": correction,
        "form": form,
        "preview": corrections.preview_taking_back(by=person, correction=correction),
        "error": error,
    }
    return render(request, "competitions/take_back.html", context, status=_status(error, form))


def _forms(request: HttpRequest, view: matches.MatchView) -> tuple[CorrectionForm, PaperForm]:
    match = view.match
    names = [side.name for side in view.sides]
    on_paper = match.is_on_board
    stands = papers.counting_sheet(match) if on_paper else None
    what = str(K.PAPER) if stands is not None else None
    form = CorrectionForm(
        request.POST or None,
        names=names,
        on_paper=on_paper,
        others=_others(match) if stands is not None else (),
        initial={"what": what},
    )
    score = request.POST.get("what") == K.PAPER
    sheet = PaperForm(
        request.POST if score else None,
        names=names,
        best_of=match.best_of,
        asked=asked_of(match),
        counting=counting_of(match.competition.rules),
        picks=True,
        initial=initial_games(stands or ()),
    )
    return form, sheet


def _others(match: Match) -> list[tuple[Match, str]]:
    """Return the matches that the result may belong to, with their names: of the same stage, with their teams known."""
    stage = match.round.group.stage
    found = Match.objects.filter(round__group__stage=stage, best_of=match.best_of).exclude(pk=match.pk)
    shown = matches.views(found.exclude(state=Match.State.WAITING).order_by("-round__number", "number"))
    return [(view.match, f"{view.round_name}: {view.title}") for view in shown]


def _right(form: CorrectionForm, sheet: PaperForm) -> Right:
    chosen = form.cleaned_data
    games: tuple[Game, ...] = ()
    if chosen["kind"] == K.PAPER:
        games = tuple(Game.of(game) for game in sheet.cleaned_data["games"])
    return Right(kind=chosen["kind"], games=games, absent=chosen["absent"], other=chosen.get("other"))


def _again(raised: Refused, preview: Any) -> Preview | None:
    """Return the preview as it is now, where only the one that was signed is out of date."""
    return preview() if raised.code == "preview_moved" else None


def _show(raised: Refused, form: CorrectionForm, sheet: PaperForm) -> None:
    """Put a refusal that names a field beside it."""
    field = raised.field or ""
    if field in SHEET_FIELDS and sheet.is_bound:
        sheet.add_error(sheet.game_fields(1)[0], str(raised.sentence))
    elif field in form.fields:
        add_refusal(form, raised)


def _stands(view: matches.MatchView) -> str:
    """Return the result that stands, in words."""
    return result_words(view.effective, [side.name for side in view.sides])


def _signed(made: Correction) -> str:
    if made.kind == K.REVERT:
        return _("The correction is taken back; everything is as it was.")
    return _("The result is corrected. Both teams see it on their pages.")


def _status(error: Refused | None, *forms: Any) -> int:
    if error is not None:
        return error.status
    return 422 if any(form.is_bound and form.errors for form in forms) else 200
