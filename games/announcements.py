"""Facts about games that the apps above receive through `common.bus`; plain data, no models."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class PlaysRecorded:
    """Rows up to `seq` of the game are committed."""

    table_id: int
    game_id: int
    seq: int
    # the committed rows with the states before and after (`games.fold.Step`), for this process only; empty if no row
    # was written
    steps: tuple[Any, ...] = ()
    committed_s: float = 0.0  # when this was announced, on the process's monotonic clock; 0 before


@dataclass(frozen=True, slots=True)
class GameFinished:
    """A game is over."""

    game_id: int
    table_id: int
    rules: str
    teams: int
    # per team the player ids in seat order; None if a seat has no identity (guest, bot)
    sides: tuple[tuple[int, ...], ...] | None
    ranks: tuple[int, ...]  # per team, 0 is best, ties share a rank
    rated: bool  # whether it may change ratings
    reason: str  # played, resigned, forfeit_timeouts, forfeit_ruling, no_show
    finished_at: datetime
    # why it is not rated: practice, unrated_table, anonymous, no_show, forfeit_ruling, tied, forfeit_early,
    # default_plays
    unrated_reason: str = ""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player is about to sit down to a game at a match's table. WITHIN subscribers may refuse with `Refused`, whose
    detail `until` is the instant (ISO 8601) from which the player may sit down again, and must not write.
    """

    table_id: int
    player_id: int


@dataclass(frozen=True, slots=True)
class TableInviting:
    """A player is about to be invited to a casual table. WITHIN subscribers may refuse with `Refused` on `player`, and must
    not write.
    """

    by: int  # who invites: the player's id
    player: int


@dataclass(frozen=True, slots=True)
class GameVoided:
    """The game no longer counts anywhere."""

    game_id: int


@dataclass(frozen=True, slots=True)
class RefereeCalled:
    """A seat called the referee in a running game."""

    game_id: int
    table_id: int
    seat: int
    player_id: int | None  # None for a seat without identity
    seq: int  # of the act in the record, one per call; the complaint is about something before it
    kind: str  # talk, touch, illegal, clock, conduct, other
    text: str  # at most 280 characters, stored nowhere else
    frozen: bool  # whether the table waits; otherwise nobody is on duty, and CallUnanswered follows


@dataclass(frozen=True, slots=True)
class CallUnanswered:
    """The game continued at `seq` without a ruling on the call or on the referee's own freeze."""

    game_id: int
    table_id: int
    seq: int
    why: str  # `no_referee` (nobody on duty), `unanswered` (nobody took it in time), `lapsed` (taken without a result)
