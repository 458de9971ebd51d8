"""The consequences of a ruling for a bracket: who advances, who keeps a place, which later match is replayed.

In a later match that has not begun, the other entry takes the seat. For one that has begun, fault decides. An entry
that advanced by its own error loses the place; that match and those that follow from it are played again. An entry that
advanced by another's or a referee's error keeps the place; only result, points and ratings are corrected.
Source: the regulations of the World Cube Association on late penalties.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from .effective import Effective

Entrant = TypeVar("Entrant")  # an entry, or its id

FAULTS = ("own", "other", "referee")


@dataclass(frozen=True)
class Link:
    """The next seat of the winner or the loser of a match."""

    source: int  # the match that fills the seat
    outcome: str  # "winner" or "loser" of `source`
    target: int  # the match with the seat
    position: int  # of the seat in `target`
    number: int  # of `target` in the bracket; greater than that of `source`
    only: int | None = None  # see `bracket.Edge`


def places_move(before: Effective, after: Effective) -> bool:
    """Return whether a decided match now sends on the other position, or nobody."""
    return before.state == "decided" and (after.state != "decided" or before.winner != after.winner)


def played_again(match: int, links: Sequence[Link], begun: Collection[int]) -> tuple[int, ...]:
    """Return the matches that have begun and depend, directly or not, on the result of `match`, in order of play."""
    found: list[int] = []
    waiting = [match]
    while waiting:
        source = waiting.pop(0)
        for link in sorted(links, key=lambda link: link.number):
            if link.source == source and link.target in begun and link.target not in found:
                found.append(link.target)
                waiting.append(link.target)
    order = {link.target: link.number for link in links}
    return tuple(sorted(found, key=lambda target: (order[target], target)))


def seats_after(
    links: Sequence[Link],
    seats: Mapping[int, Sequence[int | None]],
    before: Callable[[int], Effective],
    after: Callable[[int], Effective],
    fixed: Collection[int] = (),
    start: Mapping[int, Sequence[int | None]] | None = None,
) -> dict[int, tuple[int | None, ...]]:
    """Return, by match, the entries by position after the results change from `before` to `after`.

    A seat changes if the result that fills it or the seats of its source match change. The matches in `fixed` have
    begun and keep their entries. `start`: the seats after other changes, such as a group's table; None for `seats`.
    """
    now = {match: tuple(entries) for match, entries in (start if start is not None else seats).items()}
    for link in sorted(links, key=lambda link: (link.number, link.target, link.position)):
        if link.target in fixed:
            continue
        old, new = before(link.source), after(link.source)
        entrant = sent_on(new, link.outcome, now[link.source], link.only)
        if entrant == sent_on(old, link.outcome, seats[link.source], link.only):
            continue
        entries = list(now[link.target])
        entries[link.position] = entrant
        now[link.target] = tuple(entries)
    return now


def sent_on(
    result: Effective, outcome: str, entries: Sequence[Entrant | None], only: int | None = None
) -> Entrant | None:
    """Return the entry that a result sends on; None if it has no winner, or if that entry has another position than `only`.

    `outcome`: "winner" or "loser", as the bracket's edge says; `entries`: the entries of the match, by position.
    """
    winner = result.winner
    if winner is None:
        return None
    position = winner if outcome == "winner" else 1 - winner
    return entries[position] if only in (None, position) else None
