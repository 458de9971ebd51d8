"""Criteria from an entry's own results: points, wins, marbles, running totals, penalties, lots."""

from collections.abc import Sequence
from fractions import Fraction

from ..lots import lot
from .record import Explained, Record, Term, summed


def match_points(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the match points minus the deductions by rulings."""
    terms = [Term(m.match, m.opponent, Fraction(m.points)) for m in record.meetings[entry]]
    if record.deductions.get(entry):
        terms.append(Term(0, None, Fraction(-record.deductions[entry])))
    return summed("points", terms)


def mutual(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the score in the matches of the tied entries among themselves, forfeits included."""
    return summed(
        "head_to_head",
        [Term(m.match, m.opponent, Fraction(m.half, 2)) for m in record.meetings[entry] if m.opponent in tied],
    )


def margin(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the marbles home for minus against (in Tractor: levels) in played matches, each match capped.

    Under a time cap of the scores, in unplayed matches too where the regulations give them a score.
    """
    cap = record.margin_cap
    terms = []
    for m in record.meetings[entry]:
        if m.played or m.scored is not None:
            value = m.margin if cap is None else max(-cap, min(cap, m.margin))
            terms.append(Term(m.match, m.opponent, Fraction(value)))
    return summed("margin", terms)


def scored(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the sum of what the entry scored under a time cap; 0 where none counts."""
    made = [(m, m.scored) for m in record.meetings[entry] if m.scored is not None]
    return summed("scored", [Term(m.match, m.opponent, Fraction(value)) for m, value in made])


def wins(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the rounds won, including byes and forfeits."""
    won = [m for m in record.meetings[entry] if m.half == 2]
    return summed("wins", [Term(m.match, m.opponent, Fraction(1)) for m in won])


def played_wins(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the matches won by playing."""
    won = [m for m in record.meetings[entry] if m.half == 2 and m.played]
    return summed("played_wins", [Term(m.match, m.opponent, Fraction(1)) for m in won])


def lots(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the lot of the published seed, negative so that the smallest comes first."""
    drawn = lot(record.lots_seed, record.names.get(entry, str(entry)))
    return Explained("lots", Fraction(-int(drawn, 16)), text=drawn)


def progressive(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the sum of the running totals: after each round, the score so far is counted once more."""
    after = record.rounds
    terms = [Term(m.match, m.opponent, Fraction(m.half * (after - m.round + 1), 2)) for m in record.meetings[entry]]
    return summed("progressive", terms)


def penalties(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return minus the penalty points of the rulings in force; the value has no matches as terms."""
    return Explained("penalties", Fraction(-record.penalties.get(entry, 0)))
