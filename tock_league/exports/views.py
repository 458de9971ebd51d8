"""Files of what pages show: whoever may open the page may have the file."""

import json

from django.core.handlers.asgi import ASGIRequest
from django.core.validators import slug_re
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from ratings.core.ladders import LadderKey
from ratings.models import Subject
from tock_league.accounts.permissions import require
from tock_league.accounts.selectors import player_of
from tock_league.clubs import selectors as clubs
from tock_league.common import limits
from tock_league.common.errors import NotThere
from tock_league.competitions.selectors.seasons import competitions

from . import games, results, tables, trf
from .sheets import FORMS, Table, bounded

FILES = 120  # of an address in an hour
HOUR_S = 3600
BOARDS = {"players": Subject.Kind.PLAYER, "teams": Subject.Kind.TEAM}


@require_safe
def of_competition(request: HttpRequest, slug: str, table: str, form: str) -> HttpResponse:
    """Send a table of a competition, or one of its pages for a wall; the check-in list to its organisers."""
    if form == "pdf":
        return _wall(request, slug, table)
    if table not in tables.OF_COMPETITION or form not in FORMS:
        raise NotThere
    person = player_of(request)
    found = competitions.get(slug, person)
    if table == "check-in":
        require(person, "competition.organise", found, needed="organiser")
    _count(request)
    return _file(tables.OF_COMPETITION[table](found, person), form)


def _wall(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    from . import paper, wall  # here: the import of fpdf2 takes a second and 29 MB, and few processes ever make a PDF

    size = request.GET.get("paper", "letter")
    if what not in wall.OF_COMPETITION or size not in paper.PAPERS:
        raise NotThere
    person = player_of(request)
    found = competitions.get(slug, person)
    _count(request)
    return _download(wall.OF_COMPETITION[what](found, person, size), wall.name(found, what), "application/pdf")


@require_safe
def of_club(request: HttpRequest, slug: str, table: str, form: str) -> HttpResponse:
    """Send a table of a club: its teams; its members to its officers."""
    if table not in tables.OF_CLUB or form not in FORMS:
        raise NotThere
    found = clubs.club(slug)
    if table == "members":
        require(player_of(request), "club.edit", found, needed="club_officer")
    _count(request)
    return _file(tables.OF_CLUB[table](found), form)


@require_safe
def records(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the records of the finished games of a public competition, one game a line, as they are read."""
    found = competitions.get(slug, None)
    _count(request)
    lines = games.stream(found) if isinstance(request, ASGIRequest) else games.lines(found)
    answer = StreamingHttpResponse(lines, content_type="application/jsonl")
    answer["Content-Disposition"] = f'attachment; filename="{found.slug}-games.jsonl"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


@require_safe
def chess(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a Swiss event or a round robin of a public competition as TRF16."""
    found = competitions.get(slug, None)
    _count(request)
    return _download(trf.text(found).encode(), f"{found.slug}.trf", "text/plain; charset=us-ascii")


@require_safe
def board(request: HttpRequest, family: str, teams: int, kind: str, form: str) -> HttpResponse:
    """Send the leaderboard of players, teams or clubs of a ladder; with `?club=` the players or teams of a club."""
    if kind not in (*BOARDS, "clubs") or form not in FORMS:
        raise NotThere
    key = str(LadderKey(family, teams))
    if kind == "clubs":
        made = tables.clubs_compared(key)
    else:
        slug = request.GET.get("club", "")
        if slug and not slug_re.fullmatch(slug):
            raise NotThere
        made = tables.leaderboard(key, BOARDS[kind], clubs.club(slug) if slug else None)
    _count(request)
    return _file(made, form)


@require_safe
def season(request: HttpRequest, family: str, teams: int, season: str, kind: str, form: str) -> HttpResponse:
    """Send the frozen leaderboard of players or of teams at the end of a season."""
    if kind not in BOARDS or form not in FORMS:
        raise NotThere
    _count(request)
    return _file(tables.season(str(LadderKey(family, teams)), season, BOARDS[kind]), form)


@require_safe
def journal(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """Send a public stream of the journal in words; the file that proves it is another one (docs/journal.md)."""
    if form not in FORMS:
        raise NotThere
    _count(request)
    return _file(tables.journal_stream(name), form)


@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a public competition in the open results format (docs/results-format.md)."""
    found = competitions.get(slug, None)
    _count(request)
    text = json.dumps(results.of(found), ensure_ascii=False, indent=1)
    return _download(text.encode(), f"{found.slug}.json", "application/json; charset=utf-8")


def _count(request: HttpRequest) -> None:
    limits.spend(request, "export", count=FILES, seconds=HOUR_S, in_halls=True)


def _file(table: Table, form: str) -> HttpResponse:
    content_type, make = FORMS[form]
    return _download(make(bounded(table)), f"{table.name}.{form}", content_type)


def _download(body: bytes, name: str, content_type: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(body, content_type=content_type, headers=headers)
