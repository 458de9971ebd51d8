"""The outer face: a view and its lines in, one of these lines out, or what each of them promises."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.bots import club, master, novice
from games.bots.knowledge import Roll, position
from games.bots.worth import chance, worth_of
from games.engine.cards import NUMBER
from games.engine.tock import legal as judge
from games.engine.tock import notation
from games.engine.tock.plays import Play
from games.engine.tock.position import Position

LEVELS = ("random", "novice", "club", "master")


def choose(
    view: Mapping[str, Any],
    legal: Sequence[str],
    *,
    level: str,
    roll: Roll,
    seat: int | None = None,
    seen: Sequence[str] = (),
    time_up: Callable[[], bool] | None = None,
    playouts: int | None = None,
) -> str:
    """Return one of `legal` for the seat whose view this is.

    `view`: that seat's JSON view; `level`: one of LEVELS; `roll(n)`: a chance number 0..n-1; `seat`: whose view it is, the
    view's `turn` if not said (an exchange may have another). For `master` only: `seen`, the cards laid since the last
    shuffle; `time_up()`, asked again and again, ends its search, and so do `playouts`, for a search that is the same on
    every machine. Raises ValueError for another level, when there is no play, for a line that is no play here.
    """
    if level not in LEVELS:
        raise ValueError(f"no level {level!r}; there are {', '.join(LEVELS)}")
    if not legal:
        raise ValueError("no play to choose from")
    if len(legal) == 1:
        return legal[0]
    if level == "random":
        return legal[roll(len(legal))]
    p, me, plays = read(view, legal, seat)
    if level == "novice":
        return legal[novice.choose(p, plays, me, roll)]
    worth = worth_of(p.rules, p.seats, p.teams)
    if level == "club":
        odds = club.odds(worth, p, plays, me)
        return legal[odds.index(max(odds))]
    laid = [NUMBER[card] for card in seen]
    return legal[master.choose(worth, p, plays, me, roll=roll, seen=laid, time_up=time_up, playouts=playouts)]


def assess(
    view: Mapping[str, Any], legal: Sequence[str], *, seat: int | None = None, seen: Sequence[str] = ()
) -> tuple[tuple[str, float], ...]:
    """Return each line with the chance, 0 to 1, that the seat's team comes first after it, for all this seat can know.

    Shape: pairs in the order of `legal`. The club plays one with the highest chance. No chance numbers go
    in; how far the chances hold true: `python -m games.bots calibrate`. `seen` is accepted for the day it is used.
    """
    if not legal:
        return ()
    p, me, plays = read(view, legal, seat)
    worth = worth_of(p.rules, p.seats, p.teams)
    odds = club.odds(worth, p, plays, me)
    return tuple((line, chance(ahead + worth.shift)) for line, ahead in zip(legal, odds, strict=True))


def read(view: Mapping[str, Any], legal: Sequence[str], seat: int | None) -> tuple[Position, int, list[Play]]:
    """Return the position by the seat's knowledge, the seat, and the plays that the lines name."""
    me = int(view["turn"]) if seat is None else seat
    p = position(view, me)
    listed = {play.text: play for play in judge.listed(p)}
    return p, me, [listed.get(line) or judge.resolve(p, notation.read(line), me) for line in legal]
