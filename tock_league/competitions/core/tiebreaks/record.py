"""The data of the criteria: the rounds of each entry, and values with the matches they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from ..scoring import HALF_POINTS, MISSED, PLAYED, MatchResult, PointsRule, is_voluntary, points


@dataclass(frozen=True)
class EntryRound:
    """The result of one entry in one round."""

    match: int
    round: int
    opponent: int | None  # None for a bye or an absence
    outcome: str  # win, tie or loss
    half: int  # the score s in half points
    points: int  # match points
    played: bool
    voluntary: bool  # not played, caused by the entry itself
    margin: int
    scored: int | None = None  # under a time cap; in an unplayed round only where the regulations give it a score
    missed: bool = False  # not paired: an absence, or a round before the entry came


@dataclass(frozen=True)
class Record:
    """The data of all criteria."""

    meetings: Mapping[int, tuple[EntryRound, ...]]  # by entry, in round order
    margin_cap: int | None = None  # the maximum margin of a match that counts; None for no maximum
    lots_seed: str = ""  # the published seed
    names: Mapping[int, str] = field(default_factory=dict)  # the public identifier of each entry, for lots
    deductions: Mapping[int, int] = field(default_factory=dict)  # match points deducted by rulings, by entry
    penalties: Mapping[int, int] = field(default_factory=dict)  # penalty points of rulings, by entry; positive

    @cached_property
    def rounds(self) -> int:
        return max((meeting.round for made in self.meetings.values() for meeting in made), default=0)

    @cached_property
    def scores(self) -> Mapping[int, int]:
        """The score s of each entry, in half points."""
        return {entry: sum(meeting.half for meeting in made) for entry, made in self.meetings.items()}

    @cached_property
    def adjusted(self) -> Mapping[int, int]:
        """The adjusted score of each entry, in half points: a voluntary unplayed round counts as one half point."""
        return {
            entry: sum(1 if meeting.voluntary else meeting.half for meeting in made)
            for entry, made in self.meetings.items()
        }


@dataclass(frozen=True)
class Term:
    """A part of a value, with the match it comes from and the opponent there."""

    match: int
    opponent: int | None
    value: Fraction


@dataclass(frozen=True)
class Explained:
    """An entry's value under one criterion."""

    criterion: str
    value: Fraction
    terms: tuple[Term, ...] = ()
    text: str = ""  # of lots: shown instead of the number


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
    """Return the record of `entries` from `results`: matches with two sides and byes with one; void ones are ignored.

    `names`: the public identifier of each entry, for lots. `deductions`, `penalties`: match
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
                    margin=side.margin if result.fact in PLAYED or side.scored is not None else 0,
                    scored=side.scored,
                    missed=result.fact in MISSED,
                )
            )
    seen = {entry: tuple(made) for entry, made in meetings.items()}
    return Record(seen, margin_cap, lots_seed, names or {}, deductions or {}, penalties or {})


def score(record: Record, entry: int) -> int:
    """Return the score s of `entry` in half points."""
    return record.scores[entry]


def adjusted(record: Record, entry: int) -> int:
    """Return the adjusted score in half points: a voluntary unplayed round counts as one half point."""
    return record.adjusted[entry]


def summed(criterion: str, terms: Sequence[Term]) -> Explained:
    """Return the sum of `terms` with them. It is added in quarters, the unit of products of half points."""
    quarters = sum(term.value.numerator * (4 // term.value.denominator) for term in terms)
    return Explained(criterion, Fraction(quarters, 4), tuple(terms))
