"""What a table asks of bots and of the clock, whatever the family: one room for each, chosen by the view's rule set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.bots import choice, default
from games.bots import tractor as tractor_bots
from games.bots.tractor.default import default_play as tractor_default
from games.engine import registry

View = Mapping[str, Any]
Roll = Callable[[int], int]


@dataclass(frozen=True)
class _Players:
    """How a family is played: what a bot answers, and what is played when time is up."""

    answer: Callable[..., str]
    default: Callable[[View, Sequence[str]], str]


def _tock(
    view: View, legal: Sequence[str], *, level: str, roll: Roll, seat: int, seen: Sequence[str], **more: Any
) -> str:
    return choice.choose(view, legal, level=level, roll=roll, seat=seat, seen=seen, **more)


def _tractor(
    view: View, legal: Sequence[str], *, level: str, roll: Roll, seat: int, seen: Sequence[str], **more: Any
) -> str:
    """No level of this family searches: `more` is nothing to it."""
    return tractor_bots.choose({**view, "gone": list(seen)}, legal, level=level, roll=roll)


_PLAYERS: Mapping[str, _Players] = {
    "tock": _Players(_tock, lambda view, legal: default.default_play(legal)),
    "tractor": _Players(_tractor, tractor_default),
}


def answer(
    view: View, legal: Sequence[str], *, level: str, roll: Roll, seat: int, seen: Sequence[str], **more: Any
) -> str:
    """Return the line of a bot of `level` at `seat`, whose view this is; empty where it has nothing to say and need not.

    `seen`: the cards that everybody has seen laid and that lie no more; `time_up`: see `choose`, for a level that searches.
    Raises ValueError for another level, or when there is no play.
    """
    return _players(view["rules"]).answer(view, legal, level=level, roll=roll, seat=seat, seen=seen, **more)


def default_line(view: View, legal: Sequence[str]) -> str:
    """Return what the clock plays for the seat whose view this is. Raises ValueError when there is no play."""
    return _players(view["rules"]).default(view, legal)


def _players(rules: str) -> _Players:
    return _PLAYERS[registry.entry(rules).family]
