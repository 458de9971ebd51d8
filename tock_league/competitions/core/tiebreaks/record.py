"""What the criteria look at: each entry's rounds as it saw them, and values that name the matches they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from ..scoring import HALF_POINTS, PLAYED, MatchResult, PointsRule, is_voluntary, points


@dataclass(frozen=True)
class EntryRound:
    """A round as one entry saw it. `half`: its score in half points; `points`: its match points."""

    match: int
    round: int
    opponent: int | None
    outcome: str
    half: int
    points: int
    played: bool
    voluntary: bool
    margin: int


@dataclass(frozen=True)
class Record:
    """All that the criteria look at: each entry's meetings in round order, and what the competition has settled.

    `deductions`: match points rulings took off, `penalties`: penalty points of rulings, both by entry and positive.
    `rounds`: the number of the last round in it.
    """

    meetings: Mapping[int, tuple[EntryRound, ...]]
    margin_cap: int | None = None
    lots_seed: str = ""
    names: Mapping[int, str] = field(default_factory=dict)
    deductions: Mapping[int, int] = field(default_factory=dict)
    penalties: Mapping[int, int] = field(default_factory=dict)

    @cached_property
    def rounds(self) -> int:
        return max((meeting.round for made in self.meetings.values() for meeting in made), default=0)

    @cached_property
    def scores(self) -> Mapping[int, int]:
        """The score s of each entry, in half points."""
        return {entry: sum(meeting.half for meeting in made) for entry, made in self.meetings.items()}

    @cached_property
    def adjusted(self) -> Mapping[int, int]:
        """The adjusted score of each entry, in half points: a voluntary unplayed round counts as one of them."""
        return {
            entry: sum(1 if meeting.voluntary else meeting.half for meeting in made)
            for entry, made in self.meetings.items()
        }


@dataclass(frozen=True)
class Term:
    """A part of a value: the match it comes from, the opponent there, and how much."""

    match: int
    opponent: int | None
    value: Fraction


@dataclass(frozen=True)
class Explained:
    """An entry's value under one criterion, with its terms; `text` instead of a number for lots."""

    criterion: str
    value: Fraction
    terms: tuple[Term, ...] = ()
    text: str = ""


def record(
    entries: Sequence[int],
    results: Sequence[MatchResult],
    rule: PointsRule,
    *,
    margin_cap: int | None = None,
    lots_seed: str = "",
    names: Mapping[int, str] | None = None,
    deductions: Mapping[int, int] | None = None,
    penalties: Mapping[int, int] | None = None,
) -> Record:
    """Return the record of `entries` from two-sided `results` (and byes, with one side), void ones left out.

    `names`: the public identifier of each entry, which the lots are drawn for. `deductions`, `penalties`: match
    points and penalty points by entry, from rulings. Raises ValueError for an unknown entry.
    """
    meetings: dict[int, list[EntryRound]] = {entry: [] for entry in entries}
    for result in sorted(results, key=lambda made: (made.round, made.match)):
        if result.fact == "void":
            continue
        for index, side in enumerate(result.sides):
            if side.entry not in meetings:
                raise ValueError(f"entry {side.entry} is not in this group")
            rivals = [other.entry for place, other in enumerate(result.sides) if place != index]
            meetings[side.entry].append(
                EntryRound(
                    match=result.match,
                    round=result.round,
                    opponent=rivals[0] if rivals else None,
                    outcome=side.outcome,
                    half=HALF_POINTS[side.outcome],
                    points=points(result, side, rule),
                    played=result.fact in PLAYED,
                    voluntary=is_voluntary(result.fact, side.outcome),
                    margin=side.margin if result.fact in PLAYED else 0,
                )
            )
    seen = {entry: tuple(made) for entry, made in meetings.items()}
    return Record(seen, margin_cap, lots_seed, names or {}, deductions or {}, penalties or {})


def score(record: Record, entry: int) -> int:
    """Return the score s of `entry` in half points."""
    return record.scores[entry]


def adjusted(record: Record, entry: int) -> int:
    """Return adj: the score in half points with each voluntary unplayed round counted as one half point's worth, 1/2."""
    return record.adjusted[entry]


def summed(criterion: str, terms: Sequence[Term]) -> Explained:
    """Return the sum of `terms` with them. Half points times half points are quarters: counted in whole ones."""
    quarters = sum(term.value.numerator * (4 // term.value.denominator) for term in terms)
    return Explained(criterion, Fraction(quarters, 4), tuple(terms))
