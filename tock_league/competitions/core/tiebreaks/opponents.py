"""Criteria from the opponents' results: a score against stronger opponents is worth more."""

from collections.abc import Sequence
from fractions import Fraction

from .record import Explained, Record, Term, adjusted, score, summed


def _terms(entry: int, record: Record, *, running: bool = False) -> list[tuple[Term, bool]]:
    """Return the terms of Buchholz in round order, each with whether the round was a voluntary absence.

    A round that the entry did not play counts as a match against a dummy with the entry's own final score. If
    `running`, the dummy has the entry's score before that round, plus the points the entry did not get in it, plus a
    tie in every later round.
    """
    own = score(record, entry)
    before = 0
    made = []
    for m in record.meetings[entry]:
        if m.played and m.opponent is not None:
            half = adjusted(record, m.opponent)
        elif running:
            half = before + (2 - m.half) + (record.rounds - m.round)
        else:
            half = own
        before += m.half
        made.append((Term(m.match, m.opponent, Fraction(half, 2)), m.voluntary))
    return made


def buchholz(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the sum of the opponents' adjusted scores (dummy-final)."""
    return summed("buchholz", [term for term, _voluntary in _terms(entry, record)])


def buchholz_running(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the sum of the opponents' adjusted scores (dummy-running)."""
    return summed("buchholz_running", [term for term, _voluntary in _terms(entry, record, running=True)])


def _cut(entry: int, record: Record) -> list[Term]:
    """Return the terms without the lowest voluntary absence, or without the lowest term when there is none."""
    made = _terms(entry, record)
    if not made:
        return []
    worst = min(range(len(made)), key=lambda index: (not made[index][1], made[index][0].value, index))
    return [term for index, (term, _voluntary) in enumerate(made) if index != worst]


def buchholz_cut1(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return Buchholz without its lowest term."""
    return summed("buchholz_cut1", _cut(entry, record))


def median(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return Buchholz without its lowest term and then without its highest."""
    terms = _cut(entry, record)
    if terms:
        terms.remove(max(terms, key=lambda term: term.value))
    return summed("median", terms)


def sonneborn_berger(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return each opponent's adjusted score times the share of the points taken from it.

    Unplayed rounds count as matches against a dummy with the entry's own score (the convention dummy-final).
    """
    own = score(record, entry)
    terms = []
    for m in record.meetings[entry]:
        against = adjusted(record, m.opponent) if m.played and m.opponent is not None else own
        terms.append(Term(m.match, m.opponent, Fraction(m.half, 2) * Fraction(against, 2)))
    return summed("sonneborn_berger", terms)


def koya(entry: int, tied: Sequence[int], record: Record) -> Explained:
    """Return the score against entries with at least half of the maximum score."""
    strong = {other for other, made in record.meetings.items() if made and score(record, other) >= len(made)}
    met = [m for m in record.meetings[entry] if m.opponent in strong]
    return summed("koya", [Term(m.match, m.opponent, Fraction(m.half, 2)) for m in met])
