"""Replay a record: plays in, positions out."""

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any

from games.engine.game import Game


def positions(game: Game[Any, Any], start: Any, plays: Iterable[str | tuple[int | None, str]]) -> Iterator[Any]:
    """Yield the position after each play, in order; raises BadNotation or IllegalPlay at the first invalid one.

    `plays`: lines of notation, or pairs (seat, line) where several seats may act; seat None is the seat to act.
    """
    p = start
    for item in plays:
        seat, text = (None, item) if isinstance(item, str) else item
        p = game.apply(p, game.parse_play(p, text, seat), seat)
        yield p


def final(game: Game[Any, Any], start: Any, plays: Iterable[str | tuple[int | None, str]]) -> Any:
    """Return the position after all plays; `start` itself when there are none."""
    return reduce(lambda _, reached: reached, positions(game, start, plays), start)
