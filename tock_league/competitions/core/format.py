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
    """Input a format cannot work with; `code` and `field` are those of the refusal the person reads."""

    def __init__(self, code: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.field = field


class NeedsRelaxing(FormatError):
    """Nobody can be paired without a rematch; `pairs` is the smallest set of rematches (low, high) that would do.

    The organiser accepts them by name: the same call with `relaxed=pairs` then answers.
    """

    def __init__(self, pairs: tuple[Pair, ...]) -> None:
        super().__init__("needs_relaxing", "every pairing of this round holds a rematch", "relaxed")
        self.pairs = pairs


@dataclass(frozen=True)
class Pairing:
    """A match to be: the entries by position; position 0 is home."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class RoundPlan:
    """One round: its number from 1, its matches in table order, and those who do not play.

    `rests`: a round robin's odd field, no points. `byes`: advance, or take the points of a bye. `absent`: were there and
    are not paired. `certificate`: plain data with which somebody else can check the round, where a format makes one.
    """

    number: int
    pairings: tuple[Pairing, ...]
    rests: tuple[int, ...] = ()
    byes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    certificate: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Over:
    """There is no further round; `reason` is a code."""

    reason: str


@dataclass(frozen=True)
class History:
    """What a format may look at: the entries in seed order, its options, the rounds already made, and what came of them.

    `results`: effective results that count; byes and absences are derived from `rounds` when they are not among them.
    `present`: who can be paired now, None for everybody. `names`: the public identifier of an entry, which lots are drawn
    for. `clubs`: club by entry. Pairs are (low, high): `forbidden` never meet, `discouraged` rather not, `relaxed` are
    rematches the organiser accepted by name. `void`: (round, low, high) of matches without effect, which need no result.
    """

    entries: tuple[int, ...]
    options: Any
    rounds: tuple[RoundPlan, ...] = ()
    results: tuple[MatchResult, ...] = ()
    present: tuple[int, ...] | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    clubs: Mapping[int, int] = field(default_factory=dict)
    forbidden: tuple[Pair, ...] = ()
    discouraged: tuple[Pair, ...] = ()
    relaxed: tuple[Pair, ...] = ()
    void: tuple[tuple[int, int, int], ...] = ()


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
        """A result sends entries on to later matches (`core.bracket`); there is no table of points."""
        ...

    @property
    def all_meet(self) -> bool:
        """Everybody meets everybody, so that the results of an entry that leaves early may be expunged."""
        ...

    @property
    def pairs_as_it_goes(self) -> bool:
        """Each round is paired from the results of those before it; its options then hold the number of `rounds`."""
        ...

    @property
    def tiebreaks(self) -> tuple[str, ...]:
        """The usual tie-breaks of its tables in a tournament."""
        ...

    def plan(self, entries: Sequence[int], options: Any) -> tuple[RoundPlan, ...]:
        """Return all rounds that are known before the first game; () for formats that pair as they go."""
        ...

    def next_round(self, history: History, seed: str) -> RoundPlan | Over:
        """Return the round that follows `history`, or Over."""
        ...

    def matches(self, entries: int, options: Any) -> tuple[int, ...]:
        """Return how many matches each round has with so many entries, as an estimate before the draw."""
        ...

    def ranking(self, history: History, tiebreaks: Sequence[str]) -> tuple[str, ...]:
        """Return the criteria that rank this format, in order, from the organiser's `tiebreaks`."""
        ...

    def explain(self, pairing: Pairing) -> str:
        """Return the code of the reason why these entries meet."""
        ...
