"""The records of a competition's games as JSON Lines: one game a line, read and sent in turn."""

import json
from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async

from games.models import Game
from games.selectors import replays
from tock_league.competitions.models import Competition, MatchGame

MOST_GAMES = 5000


def lines(found: Competition) -> Iterator[bytes]:
    """Yield a line for each finished game, in the order of matches: match, number, hash, head and rows of its record.

    Two queries for each game; no more than one record is held at a time.
    """
    for pk in keys(found):
        yield line(pk)


def keys(found: Competition) -> list[int]:
    """Return the keys of the finished games, MOST_GAMES at most. One query."""
    rows = MatchGame.objects.filter(match__competition=found, game__state=Game.State.OVER)
    in_order = ("match__round__group__stage__ordinal", "match__round__number", "match__number", "match_id", "number")
    return list(rows.order_by(*in_order).values_list("pk", flat=True)[:MOST_GAMES])


def line(pk: int) -> bytes:
    """Return one game as a line of JSON in UTF-8. The record is that of the replay's page (format tock-record/1)."""
    row = MatchGame.objects.select_related("match__round", "game__table").get(pk=pk)
    head, *rows = replays.lines(row.game)
    told = {
        "match": row.match.slug,
        "round": row.match.round.number,
        "number": row.number,
        "game": row.game.slug,
        "record_hash": row.record_hash or None,
        "head": head,
        "rows": rows,
    }
    return json.dumps(told, sort_keys=True, separators=(",", ":")).encode() + b"\n"


async def stream(found: Competition) -> AsyncIterator[bytes]:
    """Yield the lines as `lines` does, for a server that sends asynchronously: a synchronous one would be gathered first."""
    for pk in await sync_to_async(keys)(found):
        yield await sync_to_async(line)(pk)
