"""What a competition format is: the face that every file of `pairings/` shows.

Entries are plain numbers here, in the order of their seeds; rounds count from 1. A core call takes its seed as an
argument and answers the same bytes for the same input, on every supported Python.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


class FormatError(ValueError):
    """Input a format cannot work with; `code` and `field` are those of the refusal the person reads."""

    def __init__(self, code: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.field = field


@dataclass(frozen=True)
class Pairing:
    """A match to be: the entries by position; position 0 is home."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class RoundPlan:
    """One round: its number from 1, its matches in table order, and the entries that rest, which brings no points."""

    number: int
    pairings: tuple[Pairing, ...]
    rests: tuple[int, ...] = ()


@dataclass(frozen=True)
class Over:
    """There is no further round; `reason` is a code."""

    reason: str


@dataclass(frozen=True)
class History:
    """What a format may look at: the entries in seed order, its options, and the rounds already made."""

    entries: tuple[int, ...]
    options: Any
    rounds: tuple[RoundPlan, ...] = field(default=())


class Format(Protocol):
    """One way of pairing, with an edition in its key, such as `round_robin/1`."""

    @property
    def key(self) -> str: ...

    @property
    def options(self) -> type:
        """The frozen dataclass of this format's settings; every field has a default."""
        ...

    def plan(self, entries: Sequence[int], options: Any) -> tuple[RoundPlan, ...]:
        """Answer all rounds that are known before the first game; () for formats that pair as they go."""
        ...

    def next_round(self, history: History, seed: str) -> RoundPlan | Over:
        """Answer the round that follows `history`, or Over."""
        ...

    def ranking(self, history: History, tiebreaks: Sequence[str]) -> tuple[str, ...]:
        """Answer the criteria that rank this format, in order, from the organiser's `tiebreaks`."""
        ...

    def explain(self, pairing: Pairing) -> str:
        """Answer the code of the reason why these entries meet."""
        ...
