"""Views of the leaderboards, public: each parses the request, calls selectors and renders."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ratings import selectors, services
from ratings.core.ladders import LadderKey
from ratings.models import Ladder, Subject
from ratings.selectors import reports, seasons
from ratings.selectors.words import number
from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import fresh_sign_in
from tock_league.clubs import selectors as clubs
from tock_league.common import clock
from tock_league.common.errors import NotThere, Refused
from tock_league.common.http import add_refusal

from .forms import EndSeasonForm

View = Callable[..., HttpResponse]
TOP = 3
FEW_CLUBS = 60  # with more clubs, a club is looked for by its name
MEANT = 12  # clubs that are listed for a name
RIVALS = 20  # of whom one is chosen for a comparison
LONGEST_NUMBER = 6  # digits of the number of a page


def viewer_id(request: HttpRequest) -> int | None:
    """Return the id of the signed-in user's player, whose rows are highlighted; None for a visitor."""
    player = getattr(request.user, "player", None) if request.user.is_authenticated else None
    return player.pk if player is not None else None


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """The overview: the top rows of each ladder's boards, and the clubs."""
    return render(request, "ratings/leaderboards.html", {"tops": selectors.tops(TOP), "clubs": clubs.few(FEW_CLUBS)})


def _open_ladders_only(view: View) -> View:
    """Redirect to the overview, which says so, if an offered rule set has no rated game and so no ladder yet."""

    @wraps(view)
    def checked(request: HttpRequest, family: str, teams: int, **more: Any) -> HttpResponse:
        try:
            return view(request, family=family, teams=teams, **more)
        except NotThere:
            key = str(LadderKey(family, teams))
            if selectors.is_coming(key) and not any(of.key == key for of in selectors.ladders()):
                return redirect("ratings:leaderboards")
            raise

    return checked


@require_safe
@_open_ladders_only
def ladder(request: HttpRequest, family: str, teams: int, kind: str) -> HttpResponse:
    """A ladder's board of players or of pairs."""
    key = str(LadderKey(family, teams))
    asked = " ".join(_typed(request, "club").split())[:60]
    meant = clubs.called(asked, MEANT) if asked else []
    chosen = meant[0] if len(meant) == 1 else next((club for club in meant if club.slug == asked), None)
    if chosen is not None:
        address = redirect("ratings:club", slug=chosen.slug)
        address["Location"] += "?" + urlencode({"ladder": key})
        return address
    viewer = viewer_id(request)
    name = _typed(request, "name").strip()[:60]
    ladders = selectors.ladders()
    of = next((one for one in ladders if one.key == key), key)
    among = request.GET.get("unranked")
    if among is not None and not name:
        page = selectors.unranked(of, kind, after="" if among == "first" else among, viewer_id=viewer)
    else:
        page = selectors.board(of, kind, after=request.GET.get("after", ""), name=name, viewer_id=viewer)
    context: dict[str, Any] = {
        "page": page,
        "ladder": page.ladder,
        "kind": kind,
        "name": name,
        "clubs": clubs.few(FEW_CLUBS),
        "asked_club": asked,
        "meant": meant,
        "ladders": ladders,
        "now": clock.now(),
        "climbers": _climbers(page, whole=not name and "after" not in request.GET),
        "seasons": seasons.seasons(page.ladder),
        "corrections": selectors.corrections(page.ladder),
        "may_end": can(player_of(request), "season.end"),
        **_beside(page, viewer),
    }
    return render(request, "ratings/ladder.html", context)


def _typed(request: HttpRequest, name: str) -> str:
    """Return the query parameter `name`, or "", without NUL characters, which PostgreSQL's text does not accept."""
    return request.GET.get(name, "").replace("\0", "")


def _climbers(page: selectors.BoardPage, *, whole: bool) -> selectors.Climbers | None:
    """Return the climbers for the first page of a board."""
    generation = page.ladder.generation
    return selectors.climbers(generation, page.kind) if whole and page.rows and generation is not None else None


def _beside(page: selectors.BoardPage, viewer: int | None) -> dict[str, Any]:
    """Return the context of the history beside a board: the viewer's own, else that of the first row."""
    rows = [*page.rows, *page.apart]
    row = next((row for row in rows if row.own), rows[0] if rows else None)
    if row is None:
        return {}
    subject = Subject(pk=row.subject_id, kind=row.kind, size=len(row.players))
    return {"beside": row, "steps": selectors.history(subject, page.ladder, is_named=False)}


@require_safe
@_open_ladders_only
def clubs_compared(request: HttpRequest, family: str, teams: int) -> HttpResponse:
    """The clubs of a ladder by the mean of their best players."""
    ladders, key = selectors.ladders(), str(LadderKey(family, teams))
    of = next((one for one in ladders if one.key == key), key)
    page = selectors.clubs_compared(of, after=request.GET.get("after", ""), viewer_id=viewer_id(request))
    context = {"page": page, "ladder": page.ladder, "ladders": ladders, "now": clock.now()}
    return render(request, "ratings/clubs.html", context)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """A club's own board: its players and its pairs, in one ladder."""
    found = clubs.club(slug)
    ladders = selectors.ladders()
    context: dict[str, Any] = {"club": found, "ladders": ladders, "now": clock.now()}
    if ladders:
        of = _chosen(ladders, request.GET.get("ladder", ""))
        after: dict[str, str] = {
            Subject.Kind.PLAYER: _typed(request, "players"),
            Subject.Kind.TEAM: _typed(request, "pairs"),
        }
        boards = selectors.club_boards(of, found, after=after, viewer_id=viewer_id(request))
        figure = selectors.figure_of(of, found)
        # the ratings of which the figure is the mean
        counting = [number(score) for score in boards.best[: figure.counted]] if figure.rank is not None else []
        context |= {
            "ladder": of,
            "players": boards.pages[Subject.Kind.PLAYER],
            "pairs": boards.pages[Subject.Kind.TEAM],
            "figure": figure,
            "corrections": selectors.corrections(of, boards.people),
            "counting": counting,
            # how many of the first rows of the page count
            "counted_here": 0 if boards.pages[Subject.Kind.PLAYER].before else len(counting),
        }
    return render(request, "ratings/club.html", context)


def _chosen(ladders: list[Ladder], key: str) -> Ladder:
    """Return the ladder with that key, or the first one for ""; raise NotThere for an unknown key."""
    if not key:
        return ladders[0]
    for of in ladders:
        if of.key == key:
            return of
    raise NotThere


@require_safe
def subject(request: HttpRequest, family: str, teams: int, subject_id: int) -> HttpResponse:
    """One player's or pair's history in a ladder. `?games=2`: which page of its games."""
    asked = request.GET.get("games", "1")
    if not asked.isdecimal() or len(asked) > LONGEST_NUMBER:
        raise NotThere
    page = selectors.profile_page(str(LadderKey(family, teams)), subject_id, int(asked))
    context = {"page": page, "ladder": page.ladder, "row": page.row, "places": seasons.places_of(subject_id)}
    return render(request, "ratings/subject.html", context)


@require_safe
def rivals(request: HttpRequest, family: str, teams: int, subject_id: int) -> HttpResponse:
    """Choose with whom a player or a pair is compared: by name, or the first rows of the board."""
    key = str(LadderKey(family, teams))
    name = " ".join(_typed(request, "name").split())[:60]
    rating = selectors.rating_of(key, subject_id)
    page = selectors.board(key, rating.kind, name=name, limit=RIVALS, viewer_id=viewer_id(request), with_apart=False)
    context = {
        "ladder": page.ladder,
        "row": selectors.row_of(rating),
        "name": name,
        "rows": [row for row in [*page.rows, *page.apart][: RIVALS + 1] if row.subject_id != subject_id][:RIVALS],
    }
    return render(request, "ratings/rivals.html", context)


@require_safe
def against(request: HttpRequest, family: str, teams: int, subject_id: int, other_id: int) -> HttpResponse:
    """Two players or two pairs of a ladder compared."""
    found = selectors.comparison(str(LadderKey(family, teams)), subject_id, other_id)
    return render(request, "ratings/against.html", {"found": found, "ladder": found.ladder})


@require_safe
def report(request: HttpRequest) -> HttpResponse:
    """How well the rating method predicted games, beside other methods."""
    simulation, leagues = reports.simulated()
    context = {"shown": reports.shown(), "simulation": simulation, "leagues": leagues, "grid": reports.GRID}
    return render(request, "ratings/report.html", context)


@require_safe
def report_json(request: HttpRequest, number: int) -> HttpResponse:
    """A report's figures for programs."""
    return JsonResponse(reports.as_json(reports.report(number)))


@require_safe
def season(request: HttpRequest, family: str, teams: int, season: str, kind: str) -> HttpResponse:
    """A ladder's board as it was when a season ended."""
    of = selectors.ladder(str(LadderKey(family, teams)))
    page = seasons.frozen(of, season, kind, after=request.GET.get("after", ""), viewer_id=viewer_id(request))
    context = {"page": page, "ladder": of, "kind": kind, "seasons": seasons.seasons(of), "chosen": page.season}
    return render(request, "ratings/season.html", context)


@login_required
@fresh_sign_in
def end_season(request: HttpRequest) -> HttpResponse:
    """End a season in the ladders of a family; for administrators."""
    person = player_of(request)
    require(person, "season.end", needed="administrator")
    form = EndSeasonForm(request.POST or None, initial={"family": request.GET.get("family", "")})
    if request.method == "POST" and form.is_valid():
        values = {name: form.cleaned_data[name] for name in ("family", "name")}
        try:
            services.end_season(by=person, **values)
        except Refused as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("The season has ended. Its boards are frozen within a minute."))
            return redirect("ratings:leaderboards")
    context = {"form": form, "waiting": seasons.waiting()}
    return render(request, "ratings/end_season.html", context, status=422 if form.errors else 200)
