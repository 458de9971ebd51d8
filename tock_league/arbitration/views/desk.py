"""The referee's desk of a competition, and the entry points from a table and from a replay."""

import hashlib
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.selectors import games as game_reader
from games.selectors import referee
from tock_league.accounts.permissions import can, require
from tock_league.accounts.selectors import player_of
from tock_league.common import limits
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Match
from tock_league.competitions.selectors.seasons import competitions

from ..forms import DisputeForm
from ..models import Case
from ..permissions import heads, referees
from ..selectors.cases import case_files
from ..selectors.cases.case_files import QueueRow
from ..selectors.cases.kinds import kinds_of
from ..selectors.referees import event_tables as tables
from ..services.cases import disputes
from ..services.referees import leases
from .shared import attempt

ADDED = gettext_lazy("Your words are added to case %(number)s, which is about the same act.")
DISPUTES = 20  # sent by one address in ten minutes


@login_required
@require_safe
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the waiting calls, the oldest first, with their time; open cases; the tables of tonight."""
    viewer = player_of(request)
    competition = competitions.get(slug, viewer)
    require(viewer, "case.queue", competition, needed="referee")
    assert viewer is not None
    queue = case_files.queue(competition, viewer)
    head = heads(viewer, competition)
    context = {
        "competition": competition,
        "viewer": viewer,
        "head": head,
        "serving": head or referees(viewer, competition),
        "calls": [_call(row) for row in queue if row.live],
        "others": [row for row in queue if not row.live],
        "may_take": any(row.may_take for row in queue),
        "may_sheet": (competition.on_paper or competition.by_agreement)
        and can(viewer, "competition.desk", competition),
        "tables": tables.tables_of(competition),
        "news_key": _key(queue),
    }
    return render(request, "arbitration/desk.html", context)


def _call(row: QueueRow) -> dict[str, Any]:
    """Return a call as its card shows it: who called, and when play goes on by itself."""
    still = referee.frozen(row.case.game) if row.case.game is not None else None
    until = datetime.fromtimestamp(still.until / 1000, UTC) if still is not None and still.until else None
    side = row.case.side
    caller = row.names[side] if side is not None and side < len(row.names) else ""
    return {"case": row.case, "names": row.names, "lease": row.lease, "conflict": row.conflict} | {
        "may_take": row.may_take,
        "caller": caller,
        "until": until,
    }


def _key(queue: list[QueueRow]) -> str:
    """Return a digest of what the desk shows; the page reloads when it changes."""
    seen = [(row.case.number, row.case.state, row.live, row.lease.referee_id if row.lease else 0) for row in queue]
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


@never_cache
@login_required
@require_safe
def news(request: HttpRequest, slug: str) -> JsonResponse:
    """Return, for polling by the desk's page, its present key and how many tables wait."""
    viewer = player_of(request)
    competition = competitions.get(slug, viewer)
    require(viewer, "case.queue", competition, needed="referee")
    queue = case_files.queue(competition, viewer)
    waiting = sum(row.live and row.lease is None for row in queue)
    return JsonResponse({"key": _key(queue), "waiting": waiting})


@require_POST
@login_required
def take_next(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the oldest case that this referee may take."""
    viewer = player_of(request)
    lease = leases.take_next(by=viewer, competition=competitions.get(slug, viewer))
    return redirect("arbitration:case", number=lease.case.number)


@login_required
@require_safe
def of_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect from a table to its open case, or to the desk when there is none."""
    viewer = player_of(request)
    found = game_reader.table_by_slug(slug)
    match = None if found is None else Match.objects.select_related("competition").filter(table=found).first()
    if found is None or match is None:
        raise NotThere
    require(viewer, "case.queue", match.competition, needed="referee")
    open_case = case_files.table_case(found.pk)
    if open_case is None:
        return redirect("arbitration:desk", slug=match.competition.slug)
    return redirect("arbitration:case", number=open_case.number)


@login_required
def dispute(request: HttpRequest, slug: str) -> HttpResponse:
    """Dispute a finished game at the play that the address names."""
    viewer = player_of(request)
    game = game_reader.game_by_slug(slug)
    if game is None:
        raise NotThere
    asked = case_files.disputable(game, viewer)
    match = Match.objects.select_related("competition").filter(table=game.table_id).first()
    if match is None:
        raise NotThere
    kinds = kinds_of(game.rules)
    if request.method == "POST":
        limits.spend(request, "dispute", count=DISPUTES, seconds=600)
        form = DisputeForm(request.POST, kinds=kinds)
        if form.is_valid():
            given = form.cleaned_data
            filed = attempt(
                form,
                lambda: disputes.file(by=viewer, game=game, seq=given["seq"], kind=given["kind"], text=given["text"]),
            )
            if filed:
                # A new case has one event.
                told = _("Case %(number)s is filed.") if filed.events.count() == 1 else ADDED
                messages.success(request, told % {"number": filed.number})
                return redirect("arbitration:case", number=filed.number)
        seq = form.data.get("seq", "")
    else:
        seq = request.GET.get("seq", "")
        known = seq.isascii() and seq.isdecimal() and len(seq) < 10 and int(seq)
        form = DisputeForm(kinds=kinds, initial={"seq": seq if known else game.last_seq})
    context = {"game": game, "match": match, "asked": asked, "form": form, "seq": form["seq"].value()}
    context["adds_to"] = asked.open_case if asked.own else None
    context["title"] = " – ".join(case_files.names_of(Case(match=match)))
    return render(request, "arbitration/dispute.html", context, status=422 if form.is_bound else 200)


@never_cache
@require_safe
def window(request: HttpRequest, slug: str) -> JsonResponse:
    """Return, for the replay, whether this reader may dispute the game now, and until when (ms)."""
    game = game_reader.game_by_slug(slug)
    viewer = player_of(request)
    if game is None or viewer is None:
        return JsonResponse({"possible": False})
    asked = case_files.disputable(game, viewer)
    until = int(asked.until.timestamp() * 1000) if asked.possible and asked.until else 0
    return JsonResponse({"possible": bool(asked.possible), "until": until})
