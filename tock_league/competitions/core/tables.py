"""Which match is played at which table of a hall. Pure.

In this order: a table that is kept for one of the teams; for a final a table that is kept for finals; where teams keep their
tables, as many matches as possible at a table where one of their teams played last; then the lowest numbers. A match never gets a
table that is kept for others: it waits.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A table of the hall."""

    number: int
    entry: int | None = None  # the entry that it is kept for
    final: bool = False  # whether it is kept for finals


@dataclass(frozen=True)
class Meeting:
    """A match that needs a table."""

    key: int
    entries: frozenset[int]
    is_final: bool = False
    last: tuple[
        int, ...
    ] = ()  # tables at which its teams played last, the home side's first; empty where nobody keeps one


def assign(meetings: Sequence[Meeting], places: Sequence[Place], busy: Collection[int]) -> dict[int, int]:
    """Return the table of each match, by its key; a match for which none is free is left out.

    `busy`: numbers of tables at which a match is under way. No table is given twice.
    """
    free = sorted((place for place in places if place.number not in busy), key=lambda place: place.number)
    found: dict[int, int] = {}
    for meeting in meetings:
        _take(found, meeting, [place.number for place in free if place.entry in meeting.entries])
    for meeting in meetings:
        if meeting.is_final:
            _take(found, meeting, [place.number for place in free if place.final])
    everybodys = [place.number for place in free if place.entry is None and not place.final]
    waiting = [meeting for meeting in meetings if meeting.key not in found]
    found |= _kept(waiting, everybodys)
    for meeting in waiting:
        _take(found, meeting, everybodys)
    return found


def _take(found: dict[int, int], meeting: Meeting, numbers: Sequence[int]) -> None:
    """Give the match the first of these tables that is not taken, unless it has one."""
    taken = set(found.values())
    number = next((number for number in numbers if number not in taken), None)
    if meeting.key not in found and number is not None:
        found[meeting.key] = number


def _kept(meetings: Sequence[Meeting], numbers: Collection[int]) -> dict[int, int]:
    """Return as many matches as possible at one of their last tables: a maximum matching by augmenting paths.

    Source: Kuhn, "The Hungarian method for the assignment problem" (1955), for weights of one.
    """
    wishes = {meeting.key: [number for number in meeting.last if number in numbers] for meeting in meetings}
    at: dict[int, int] = {}  # the match at each table

    def give(key: int, seen: set[int]) -> bool:
        for number in wishes[key]:
            if number not in seen:
                seen.add(number)
                if number not in at or give(at[number], seen):
                    at[number] = key
                    return True
        return False

    for meeting in meetings:
        give(meeting.key, set())
    return {key: number for number, key in at.items()}
