"""Pages around a game outside competitions: "Play", whom to invite, and the end of a game. Reads only."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from games.models import Game
from games.permissions import may_see_game
from games.selectors import casual, figures, lobby, rule_sets
from games.selectors import games as game_reader
from games.selectors import tables as table_reader
from ratings.selectors import games as game_ratings
from tock_league.accounts.selectors import player_of
from tock_league.accounts.sessions import GUEST_NAME
from tock_league.clubs import presence
from tock_league.common.address import absolute
from tock_league.common.errors import NotThere
from tock_league.competitions.selectors.seasons import calendars

from .running import reader_of, running_tables


@ensure_csrf_cookie
@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """Show the ways to sit down, the open tables, the games to watch, and tonight's matches."""
    person = player_of(request)
    filters = {name: request.GET.get(name, "")[:40] for name in ("rules", "seats", "rated", "touch")}
    context = {
        "viewer": person,
        "filters": filters,
        "open_tables": lobby.open_tables(filters),
        "rule_sets": rule_sets.offered(),
        "sizes": sorted({seats for one in rule_sets.offered() for seats in one.shapes}),
        "watchable": lobby.watchable(),
        "matches": calendars.tonight(timezone.get_current_timezone(), person, limit=6),
        "own_tables": running_tables(request),
        "invited": casual.invitations(person.pk) if person is not None else (),
        "guest_name": request.session.get(GUEST_NAME, ""),
    }
    return render(request, "pages/play.html", context)


@login_required
@ensure_csrf_cookie
@require_safe
def invite(request: HttpRequest, code: str) -> HttpResponse:
    """Show whom a player at a casual table may invite: people of the own clubs and teams who are here now."""
    room = casual.room(code, reader_of(request))
    if room is None or room.mine is None:
        raise NotThere
    person = player_of(request)
    sitting = {seat.player for seat in room.seats}
    found = [player for player in presence.present(person) if player.slug not in sitting]
    return render(request, "pages/invite.html", {"viewer": person, "room": room, "present": found})


@require_safe
def game_end(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the end of a finished game: ratings, figures, the way on. A table's page shows the same beside its result."""
    game = game_reader.game_by_slug(slug)
    if game is None or not may_see_game(game, reader_of(request)):
        raise NotThere
    replay = reverse("games:replay", args=[slug])
    if game.finished_at is None:
        return redirect(replay)
    person = player_of(request)
    coming = calendars.next_matches(person, viewer=person, limit=1) if person is not None else []
    context = {
        "game": game,
        "viewer": person,
        "sides": _sides(game),
        "who": {"seats": game.table.seats, **table_reader.names_of(game)},
        "rules_name": rule_sets.name_of(game.rules),
        "changes": game_ratings.changes_by(game.pk),
        "figures": figures.figures(game),
        "replay": replay,
        "link": absolute(request, replay),
        "next": coming[0] if coming else None,
    }
    response = render(request, "pages/game_end.html", context)
    response["Cache-Control"] = "no-store"
    return response


def _sides(game: Game) -> list[dict[str, Any]]:
    """Return the teams as they ended, the best first: `seats` and `rank`, 0 is best."""
    table = game.table
    ranks = game.ranks or [0] * table.teams
    sides = [{"seats": range(team, table.seats, table.teams), "rank": rank} for team, rank in enumerate(ranks)]
    return sorted(sides, key=lambda side: side["rank"])
