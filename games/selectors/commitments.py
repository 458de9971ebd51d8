"""The server's commitments to deals: of one game, and all that were never opened."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from games import store
from games.fold import acts
from games.models import Game, GameEvent, Table

SHOWN = 200


@dataclass(frozen=True, slots=True)
class Commitment:
    """A commitment that is not opened."""

    root: str  # hex
    at: datetime  # when it was published
    state: str  # of the game
    name: str  # of the match, empty at a practice table
    slug: str  # of the game, empty at a practice table


def root_of(game: Game) -> str:
    """Return the first Merkle root of the game, as hex. One query."""
    bodies = (row.body for row in store.rows_of(game) if row.code == acts.Commit.word)
    return str(next(bodies, {}).get("root", ""))


def is_opened(game: Game) -> bool:
    """Return whether the seeds are in the record: the game is over, and cards were dealt."""
    return game.state == Game.State.OVER and game.started_at is not None


def unopened(limit: int = SHOWN) -> Sequence[Commitment]:
    """Return the commitments of games that run, never began, or ended before a card was dealt; the newest first.

    Practice tables are not named: their addresses are their players'. Two queries.
    """
    # Exactly the condition of the index `game_unopened`; its text in SQL must be the same for SQLite to use it.
    unopened_ones = ~Q(state=Game.State.OVER) | Q(started_at__isnull=True)
    games = list(Game.objects.filter(unopened_ones).select_related("table").order_by("-pk")[:limit])
    rows = GameEvent.objects.filter(game__in=games, month__in={game.month for game in games}, seq=1).values_list(
        "game_id", "body"
    )
    roots = {game_id: str(body.get("root", "")) for game_id, body in rows}
    return [
        Commitment(
            root=roots.get(game.pk, ""),
            at=game.created_at,
            state=game.get_state_display(),
            name=game.table.name if game.table.kind == Table.Kind.MATCH else "",
            slug=game.slug if game.table.kind == Table.Kind.MATCH else "",
        )
        for game in games
    ]
