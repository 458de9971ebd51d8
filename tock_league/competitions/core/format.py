"""The interface of competition formats, which every file of `pairings/` implements.

Entries are plain numbers here, in the order of their seeds; rounds count from 1. A core call takes its seed as an
argument and returns the same bytes for the same input, on every supported Python.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .scoring import MatchResult

Pair = tuple[int, int]


class FormatError(ValueError):
    """Invalid input for a format; `code` and `field` are those of the refusal shown to the user."""

    def __init__(self, code: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.field = field


class NeedsRelaxing(FormatError):
    """No pairing exists without a rematch; `pairs` is the smallest set of rematches (low, high) that allows one.

    After the organiser has accepted them, the same call with `relaxed=pairs` succeeds.
    """

    def __init__(self, pairs: tuple[Pair, ...]) -> None:
        super().__init__("needs_relaxing", "every pairing of this round holds a rematch", "relaxed")
        self.pairs = pairs


@dataclass(frozen=True)
class Pairing:
    """A planned match: the entries by position; position 0 is home."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class RoundPlan:
    """One round: its matches, and the entries that do not play."""

    number: int  # from 1
    pairings: tuple[Pairing, ...]  # in table order
    rests: tuple[int, ...] = ()  # the entry without a match in a round robin of odd size; no points
    byes: tuple[int, ...] = ()  # advance in a bracket, else get the points of a bye
    absent: tuple[int, ...] = ()  # entries of the stage that are not present and not paired
    certificate: Mapping[str, Any] | None = None  # plain data for checking the round, if the format makes one


@dataclass(frozen=True)
class Over:
    """There is no further round; `reason` is a code."""

    reason: str


@dataclass(frozen=True)
class History:
    """The inputs of a format. Pairs of entries are (low, high)."""

    entries: tuple[int, ...]  # in seed order
    options: Any  # of the format
    rounds: tuple[RoundPlan, ...] = ()  # the rounds already made
    # effective results that count; byes and absences that are missing are derived from `rounds`
    results: tuple[MatchResult, ...] = ()
    present: tuple[int, ...] | None = None  # the entries that can be paired now; None for all
    names: Mapping[int, str] = field(default_factory=dict)  # the public identifier of each entry, for lots
    clubs: Mapping[int, int] = field(default_factory=dict)  # club by entry
    forbidden: tuple[Pair, ...] = ()  # must never meet
    discouraged: tuple[Pair, ...] = ()  # should not meet
    relaxed: tuple[Pair, ...] = ()  # rematches that the organiser accepted
    void: tuple[tuple[int, int, int], ...] = ()  # (round, low, high) of void matches, which need no result


class Format(Protocol):
    """One way of pairing, with an edition in its key, such as `round_robin/1`."""

    @property
    def key(self) -> str: ...

    @property
    def options(self) -> type:
        """The frozen dataclass of this format's settings; every field has a default."""
        ...

    @property
    def is_bracket(self) -> bool:
        """Whether results send entries on to later matches (`core.bracket`) instead of counting in a table."""
        ...

    @property
    def all_meet(self) -> bool:
        """Whether everybody meets everybody, so that the results of an entry that leaves early may be expunged."""
        ...

    @property
    def pairs_as_it_goes(self) -> bool:
        """Whether each round is paired from the results of the earlier ones; the options then have `rounds`."""
        ...

    @property
    def tiebreaks(self) -> tuple[str, ...]:
        """The default tie-breaks of its tables in a tournament."""
        ...

    def plan(self, entries: Sequence[int], options: Any) -> tuple[RoundPlan, ...]:
        """Return all rounds that are known before the first game; () if each round is paired from results."""
        ...

    def next_round(self, history: History, seed: str) -> RoundPlan | Over:
        """Return the round that follows `history`, or Over."""
        ...

    def matches(self, entries: int, options: Any) -> tuple[int, ...]:
        """Return the number of matches of each round for so many entries, as an estimate before the draw."""
        ...

    def ranking(self, history: History, tiebreaks: Sequence[str]) -> tuple[str, ...]:
        """Return the criteria that rank this format, in order, from the organiser's `tiebreaks`."""
        ...

    def explain(self, pairing: Pairing) -> str:
        """Return the code of the reason why these entries meet."""
        ...
