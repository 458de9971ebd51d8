"""What is kept of a competition for its pages: numbers, keys and ids.

No name, no text that somebody typed and no word of any language: pages read names when they are drawn, so that a name that
is hidden or erased is gone at once, and every reader shares the same rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

NO_MATCH = {False: "@bye", True: "@ruling"}  # notes of a term without a match, by whether its value is negative


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a number. `note`: a `fact_key`, or one of NO_MATCH."""

    match: str  # its slug; "" without one
    round: int
    opponent: int | None  # an entry
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class Step:
    """One criterion between two neighbours."""

    criterion: str
    ahead: str
    behind: str
    decides: bool
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table. Points and margin as pages write them."""

    entry: int
    ordinal: int
    rank: int
    played: int
    wins: int
    ties: int
    losses: int
    points: str
    margin: str
    form: tuple[str, ...]
    separated_by: str  # `ranking.told_apart` from the next row, "" for the last row and for equals
    has_terms: bool  # whether there is anything that makes up its points
    has_margin: bool  # the same for the margin
    scored: str = ""  # under a time cap only


@dataclass(frozen=True, slots=True)
class Why:
    """Where the numbers of a row come from, and why it stands before the next one."""

    points: tuple[Term, ...]
    margin: tuple[Term, ...]
    scored: tuple[Term, ...]  # empty without a time cap
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table, best first. `group`: 0 for a league, which is one table."""

    group: int
    stage: int  # its ordinal
    lines: tuple[Line, ...]
    qualify: int
    has_results: bool
    is_over: bool
    has_overrides: bool  # whether ties in it were settled


@dataclass(frozen=True, slots=True)
class Spot:
    """A match of a bracket. `sides`: entries by position, None where nobody sits yet."""

    match: int
    label: str
    state: str
    decided: bool
    sides: tuple[int | None, ...]
    winner: int | None  # an entry


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a stage, in all its groups. `size`: its matches."""

    stage: int
    number: int
    size: int


@dataclass(frozen=True, slots=True)
class Kept:
    """The tables and the bracket of a competition, at a version."""

    number: int | None = None  # the version
    tables: tuple[Table, ...] = ()
    spots: tuple[Spot, ...] = ()  # in the order of the bracket's numbers
    round: Round | None = None  # under way, else the last one; None when there is none
    # By entry, the pickled (place in `tables`, Why) of each table that it is in. Read apart from the rest.
    why: Mapping[int, bytes] = field(default_factory=dict)
