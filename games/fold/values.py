"""The small values of which a table's state is made."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """How a game ended: a rank per team (0 best) and why: played, resigned, forfeit_timeouts, forfeit_ruling, no_show."""

    ranks: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class Touch:
    """What the running decision is bound to: a card laid at the centre, then marbles by their places."""

    card: str = ""
    marbles: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.card or self.marbles)


UNTOUCHED = Touch()


@dataclass(frozen=True, slots=True)
class Freeze:
    """A table that stands still until a referee, or the deadline, lets it go on.

    `seq`: of the call, or of the referee's own freeze. `seat`: who called, None when nobody did. `since`: when it began.
    `until`: when play goes on by itself. `held`: a referee has taken the case. `left`: milliseconds that the running
    decision still has.
    """

    seq: int
    seat: int | None
    since: int
    until: int
    held: bool = False
    left: int = 0
