"""The comments at the plays of a game, as its replay shows them."""

from typing import Any

from games.models import Game, PlayComment, Table
from games.permissions import Person as Sitting
from games.permissions import seat_in
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import can


def of_game(game: Game, person: Player | None) -> list[dict[str, Any]]:
    """Return the comments of a game in the order of its plays, each with `removable`: whether `person` may delete it.

    [] for a running game. Two queries, and one or more for each writer when somebody has signed in.
    """
    if game.state != Game.State.OVER:
        return []
    rows = list(PlayComment.objects.filter(game=game).select_related("player").order_by("seq", "pk"))
    held = game.held_seats if game.table.kind == Table.Kind.CASUAL else game.table.seatings
    seats = dict(held.filter(player__isnull=False).values_list("player", "seat"))
    writers = {row.player_id: row.player for row in rows}
    mine = {key: can(person, "comment.remove", writer) for key, writer in writers.items()}
    return [
        {
            "id": row.pk,
            "seq": row.seq,
            "name": row.player.display_name,
            "seat": seats.get(row.player_id),
            "text": row.text,
            "line": row.line,
            "at": row.created_at.isoformat(),
            "removable": mine[row.player_id],
        }
        for row in rows
    ]


def may_write(game: Game, person: Player | None) -> bool:
    """Return whether the page offers `person` to write a comment: a player of the game, when the match is over."""
    if person is None or game.state != Game.State.OVER or game.table.state in (Table.State.OPEN, Table.State.PLAYING):
        return False
    return seat_in(game, Sitting(player_id=person.pk)) is not None


def find(game: Game, number: int) -> PlayComment | None:
    """Return a comment of the game by its key. One query."""
    return PlayComment.objects.filter(game=game, pk=number).select_related("player").first()
