"""The bots' interface: a view and its lines in, one of these lines out, or the chances of each."""

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

    `view`: that seat's JSON view; `level`: one of LEVELS; `roll(n)`: returns a random number 0..n-1; `seat`: whose view
    it is, by default the view's `turn` (in an exchange it may be another seat). For `master` only: `seen`, the cards
    laid since the last shuffle; `time_up()`, called repeatedly, ends the search, and so does the count `playouts`,
    which makes a search reproducible. Raises ValueError for an unknown level, when there is no play, and for an invalid
    line.
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
    """Return each line with the chance, 0 to 1, that the seat's team comes first after it, as far as this seat can
    know.

    Shape: pairs in the order of `legal`. The club bot plays one with the highest chance. The result is not random;
    `python -m games.bots calibrate` measures its calibration. `seen` is accepted and not used yet.
    """
    if not legal:
        return ()
    p, me, plays = read(view, legal, seat)
    worth = worth_of(p.rules, p.seats, p.teams)
    odds = club.odds(worth, p, plays, me)
    return tuple((line, chance(ahead + worth.shift)) for line, ahead in zip(legal, odds, strict=True))


def read(view: Mapping[str, Any], legal: Sequence[str], seat: int | None) -> tuple[Position, int, list[Play]]:
    """Return the position as the seat knows it, the seat, and the plays of the lines."""
    me = int(view["turn"]) if seat is None else seat
    p = position(view, me)
    listed = {play.text: play for play in judge.listed(p)}
    return p, me, [listed.get(line) or judge.resolve(p, notation.read(line), me) for line in legal]
