"""The small values that a table's state contains."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    ranks: tuple[int, ...]  # one per team, 0 best
    reason: str  # played, resigned, forfeit_timeouts, forfeit_ruling, no_show or time


@dataclass(frozen=True)
class Touch:
    """What binds the current decision: a laid card, then touched marbles by their places."""

    card: str = ""
    marbles: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.card or self.marbles)


UNTOUCHED = Touch()


@dataclass(frozen=True, slots=True)
class Freeze:
    """A table that waits for a referee, or for the deadline."""

    seq: int  # of the call, or of the referee's own freeze
    seat: int | None  # who called, None if a referee froze the table
    since: int  # when it began
    until: int  # when the game continues automatically
    held: bool = False  # a referee has taken the case
    left: int = 0  # milliseconds left of the running decision
