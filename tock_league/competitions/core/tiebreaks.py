"""Criteria that order entries, one function each. What is supported:

| key | what is counted | more is better |
| --- | --- | --- |
| points | match points | yes |
| head_to_head | points of the tied entries' mutual matches, k-way | decided by its own rule |
| margin | marbles home for minus against, each match capped | yes |
| wins, played_wins | rounds won, with or without those not played | yes |
| sonneborn_berger | share of the points taken from each opponent times that opponent's adjusted score | yes |
| koya | points taken from entries that have at least half of what they could have | yes |
| lots | SHA-256 of the published seed and the entry's name | the smallest first |

A value comes with its terms and the matches they come from, so that a reader can check each number. Exact: half points as
whole numbers, quotients as fractions, never floats. Source: competitions design, section 6.2.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .lots import lot
from .scoring import HALF_POINTS, PLAYED, MatchResult, PointsRule, is_voluntary, points

Parts = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Meeting:
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
    """All that the criteria look at: each entry's meetings in round order, and what the competition has settled."""

    meetings: Mapping[int, tuple[Meeting, ...]]
    margin_cap: int | None = None
    lots_seed: str = ""
    names: Mapping[int, str] = field(default_factory=dict)


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
) -> Record:
    """Answer the record of `entries` from two-sided `results` (and byes, with one side), void ones left out.

    `names`: the public identifier of each entry, which the lots are drawn for. Raises ValueError for an unknown entry.
    """
    meetings: dict[int, list[Meeting]] = {entry: [] for entry in entries}
    for result in sorted(results, key=lambda made: (made.round, made.match)):
        if result.fact == "void":
            continue
        for index, side in enumerate(result.sides):
            if side.entry not in meetings:
                raise ValueError(f"entry {side.entry} is not in this group")
            rivals = [other.entry for place, other in enumerate(result.sides) if place != index]
            meetings[side.entry].append(
                Meeting(
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
    return Record({entry: tuple(made) for entry, made in meetings.items()}, margin_cap, lots_seed, names or {})


def score(record: Record, entry: int) -> int:
    """Answer the score s of `entry` in half points."""
    return sum(meeting.half for meeting in record.meetings[entry])


def adjusted(record: Record, entry: int) -> int:
    """Answer adj: the score in half points with each voluntary unplayed round counted as one half point's worth, 1/2."""
    return sum(1 if meeting.voluntary else meeting.half for meeting in record.meetings[entry])


def _sum(criterion: str, terms: Sequence[Term]) -> Explained:
    return Explained(criterion, sum((term.value for term in terms), Fraction(0)), tuple(terms))


def _match_points(entry: int, tied: Sequence[int], record: Record) -> Explained:
    return _sum("points", [Term(m.match, m.opponent, Fraction(m.points)) for m in record.meetings[entry]])


def _mutual(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """The score in the matches of the tied entries among themselves, forfeits included."""
    return _sum(
        "head_to_head",
        [Term(m.match, m.opponent, Fraction(m.half, 2)) for m in record.meetings[entry] if m.opponent in tied],
    )


def _margin(entry: int, tied: Sequence[int], record: Record) -> Explained:
    cap = record.margin_cap
    terms = []
    for m in record.meetings[entry]:
        if m.played:
            value = m.margin if cap is None else max(-cap, min(cap, m.margin))
            terms.append(Term(m.match, m.opponent, Fraction(value)))
    return _sum("margin", terms)


def _wins(entry: int, tied: Sequence[int], record: Record) -> Explained:
    won = [m for m in record.meetings[entry] if m.half == 2]
    return _sum("wins", [Term(m.match, m.opponent, Fraction(1)) for m in won])


def _played_wins(entry: int, tied: Sequence[int], record: Record) -> Explained:
    won = [m for m in record.meetings[entry] if m.half == 2 and m.played]
    return _sum("played_wins", [Term(m.match, m.opponent, Fraction(1)) for m in won])


def _sonneborn_berger(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Unplayed rounds stand against a dummy with the entry's own score (the convention dummy-final)."""
    own = score(record, entry)
    terms = []
    for m in record.meetings[entry]:
        against = adjusted(record, m.opponent) if m.played and m.opponent is not None else own
        terms.append(Term(m.match, m.opponent, Fraction(m.half, 2) * Fraction(against, 2)))
    return _sum("sonneborn_berger", terms)


def _koya(entry: int, tied: Sequence[int], record: Record) -> Explained:
    strong = {other for other, made in record.meetings.items() if made and score(record, other) >= len(made)}
    met = [m for m in record.meetings[entry] if m.opponent in strong]
    return _sum("koya", [Term(m.match, m.opponent, Fraction(m.half, 2)) for m in met])


def _lots(entry: int, tied: Sequence[int], record: Record) -> Explained:
    drawn = lot(record.lots_seed, record.names.get(entry, str(entry)))
    return Explained("lots", Fraction(-int(drawn, 16)), text=drawn)


Value = Callable[[int, Sequence[int], Record], Explained]
SUPPORTED: Mapping[str, Value] = {
    "points": _match_points,
    "head_to_head": _mutual,
    "margin": _margin,
    "wins": _wins,
    "played_wins": _played_wins,
    "sonneborn_berger": _sonneborn_berger,
    "koya": _koya,
    "lots": _lots,
}


def explain(criterion: str, entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Answer the value of `entry` under `criterion` among the entries `tied` with it. Raises ValueError if unknown."""
    if criterion not in SUPPORTED:
        raise ValueError(f"unknown tie-break {criterion!r}; known: {', '.join(sorted(SUPPORTED))}")
    return SUPPORTED[criterion](entry, tied, record)


def split(criterion: str, tied: tuple[int, ...], record: Record) -> Parts:
    """Answer `tied` cut into parts, best first, each still tied under `criterion`; one part when it decides nothing."""
    if criterion == "head_to_head":
        return _head_to_head(tied, record)
    values = {entry: explain(criterion, entry, tied, record).value for entry in tied}
    return _by(values, tied)


def _by(values: Mapping[int, Fraction | int], tied: tuple[int, ...]) -> Parts:
    levels = sorted(set(values.values()), reverse=True)
    return tuple(tuple(entry for entry in tied if values[entry] == level) for level in levels)


def _head_to_head(tied: tuple[int, ...], record: Record) -> Parts:
    """The k-way rule: equal numbers of meetings rank by points, else only a lead that missing matches cannot undo.

    m(x, y) meetings, p(x) points among `tied` in half points. All m equal and above 0: order by p, and again inside each
    smaller part. Otherwise x goes first only if p(x) > p(y) + missing(y) for every y; then the rest again.
    """
    if len(tied) < 2:
        return (tied,)
    met: dict[tuple[int, int], int] = {}
    took = dict.fromkeys(tied, 0)
    for entry in tied:
        for meeting in record.meetings[entry]:
            if meeting.opponent in took:
                took[entry] += meeting.half
                pair = (min(entry, meeting.opponent), max(entry, meeting.opponent))
                met[pair] = met.get(pair, 0) + 1
    counts = {
        (x, y): met.get((min(x, y), max(x, y)), 0) // 2  # each meeting was seen from both sides
        for x in tied
        for y in tied
        if x != y
    }
    most = max(counts.values())
    if most == 0:
        return (tied,)
    if min(counts.values()) == most:
        parts = _by(took, tied)
        if len(parts) == 1:
            return parts
        return tuple(piece for part in parts for piece in _head_to_head(part, record))
    for x in tied:
        others = [y for y in tied if y != x]
        # A missing meeting could still bring its winner one point, two half points.
        missing = {y: sum(2 * (most - counts[(y, z)]) for z in tied if z != y) for y in others}
        if all(took[x] > took[y] + missing[y] for y in others):
            return ((x,), *_head_to_head(tuple(others), record))
    return (tied,)
