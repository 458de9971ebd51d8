"""Facts about games, told to the apps above through `common.bus`; plain data, no model."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class PlaysRecorded:
    """Rows up to `seq` of the game are committed.

    `steps`: the committed rows with the states around them (`games.fold.Step`), for this process only; other processes read
    the rows themselves. Empty where no row was written but something else of the table changed. `committed_s`: when the news
    were told, right after the commit, on this process's monotonic clock; 0 before.
    """

    table_id: int
    game_id: int
    seq: int
    steps: tuple[Any, ...] = ()
    committed_s: float = 0.0


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game has its result.

    `sides`: per team the ids of its players in seat order; None when a seat is held by nobody with an identity (a guest,
    a practice bot). `ranks`: per team, 0 best, equal for ties. `rated`: may move ratings; if not, `unrated_reason` says
    why: practice, unrated_table, anonymous, no_show, forfeit_ruling, tied, forfeit_early, default_plays. `reason`: how it ended:
    played, resigned, forfeit_timeouts, forfeit_ruling, no_show.
    """

    game_id: int
    table_id: int
    rules: str
    teams: int
    sides: tuple[tuple[int, ...], ...] | None
    ranks: tuple[int, ...]
    rated: bool
    reason: str
    finished_at: datetime
    unrated_reason: str = ""


@dataclass(frozen=True, slots=True)
class GameVoided:
    """The game counts no longer, anywhere."""

    game_id: int


@dataclass(frozen=True, slots=True)
class RefereeCalled:
    """A seat called the referee in a running game.

    `seq`: of the act in the record, one per call; what is complained of lies before it. `player_id`: None for a seat
    without identity. `kind`: talk, touch, illegal, clock, conduct, other. `text`: at most 280 characters, nowhere else
    kept. `frozen`: the table waits; otherwise nobody is on duty, and CallUnanswered follows.
    """

    game_id: int
    table_id: int
    seat: int
    player_id: int | None
    seq: int
    kind: str
    text: str
    frozen: bool


@dataclass(frozen=True, slots=True)
class CallUnanswered:
    """Play went on without a ruling on the call, or the referee's own freeze, at `seq`.

    `why`: `no_referee` (nobody on duty), `unanswered` (nobody took it in time), `lapsed` (taken, and nothing came of it).
    """

    game_id: int
    table_id: int
    seq: int
    why: str
