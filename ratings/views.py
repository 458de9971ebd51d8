"""Views of the leaderboards, public: each parses the request, calls selectors and renders."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from ratings import selectors
from ratings.core.ladders import LadderKey
from ratings.models import Ladder, Subject
from ratings.selectors import reports
from tock_league.clubs import selectors as clubs
from tock_league.common import clock
from tock_league.common.errors import NotThere

View = Callable[..., HttpResponse]
TOP = 3
LAST = 10  # last games described in sentences on a subject's page


def viewer_id(request: HttpRequest) -> int | None:
    """Return the id of the signed-in user's player, whose rows are highlighted; None for a visitor."""
    player = getattr(request.user, "player", None) if request.user.is_authenticated else None
    return player.pk if player is not None else None


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """The overview: the top rows of each ladder's boards, and the list of clubs."""
    tops = [
        {
            "ladder": of,
            "pairs": selectors.board(of.key, Subject.Kind.TEAM, limit=TOP),
            "players": selectors.board(of.key, Subject.Kind.PLAYER, limit=TOP),
            "clubs": selectors.clubs_board(of.key)[1][:TOP],
        }
        for of in selectors.ladders()
    ]
    return render(request, "ratings/leaderboards.html", {"tops": tops, "clubs": clubs.clubs()})


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
    if chosen := _typed(request, "club"):
        address = redirect("ratings:club", slug=clubs.club(chosen).slug)
        address["Location"] += "?" + urlencode({"ladder": key})
        return address
    viewer = viewer_id(request)
    name = _typed(request, "name").strip()[:60]
    page = selectors.board(key, kind, after=request.GET.get("after", ""), name=name, viewer_id=viewer)
    context: dict[str, Any] = {
        "page": page,
        "ladder": page.ladder,
        "kind": kind,
        "name": name,
        "clubs": clubs.clubs(),
        "ladders": selectors.ladders(),
        "now": clock.now(),
        **_beside(page, viewer),
    }
    return render(request, "ratings/ladder.html", context)


def _typed(request: HttpRequest, name: str) -> str:
    """Return the query parameter `name`, or "", without NUL characters, which PostgreSQL's text does not accept."""
    return request.GET.get(name, "").replace("\0", "")


def _beside(page: selectors.BoardPage, viewer: int | None) -> dict[str, Any]:
    """Return the context of the history beside a board: the viewer's own, else that of the first row."""
    rows = [*page.rows, *page.apart]
    row = next((row for row in rows if row.own), rows[0] if rows else None)
    if row is None:
        return {}
    subject = Subject.objects.get(pk=row.subject_id)
    return {"beside": row, "steps": selectors.history(subject, page.ladder)}


@require_safe
@_open_ladders_only
def clubs_compared(request: HttpRequest, family: str, teams: int) -> HttpResponse:
    """The clubs of a ladder by the mean of their best players."""
    of, ranked, apart = selectors.clubs_board(str(LadderKey(family, teams)), viewer_id=viewer_id(request))
    context = {"ladder": of, "ladders": selectors.ladders(), "ranked": ranked, "apart": apart, "now": clock.now()}
    return render(request, "ratings/clubs.html", context)


@require_safe
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """A club's own board: its players and its pairs, in one ladder."""
    found = clubs.club(slug)
    ladders = selectors.ladders()
    context: dict[str, Any] = {"club": found, "ladders": ladders, "now": clock.now()}
    if ladders:
        of = _chosen(ladders, request.GET.get("ladder", ""))
        viewer = viewer_id(request)
        context |= {
            "ladder": of,
            "players": selectors.board(of.key, Subject.Kind.PLAYER, found, viewer_id=viewer),
            "pairs": selectors.board(of.key, Subject.Kind.TEAM, found, viewer_id=viewer),
            "figure": next(row for rows in selectors.clubs_board(of.key)[1:] for row in rows if row.club == found),
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
    """One player's or pair's history in a ladder."""
    of = selectors.ladder(str(LadderKey(family, teams)))
    found, summary = selectors.subject_row(subject_id, of)
    steps = selectors.history(found, of)
    context = {
        "ladder": of,
        "summary": summary,
        "row": summary.row,
        "steps": steps,
        "last_steps": steps[: -LAST - 1 : -1],
    }
    return render(request, "ratings/subject.html", context)


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
