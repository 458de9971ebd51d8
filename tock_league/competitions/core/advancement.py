"""The consequences of a ruling for a bracket: who advances, who keeps a place, which later match is replayed.

A later match that has not begun simply takes the other entry. One that has begun follows fault: whoever went forward by
his own error loses the place, and that match is played again, with all that came of it; whoever did by another's error,
or a referee's, keeps the place, and only result, points and ratings are corrected.
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
    """Where the winner or the loser of `source` sits next. `outcome`: winner or loser; links rise with `number`."""

    source: int
    outcome: str
    target: int
    position: int
    number: int


def places_move(before: Effective, after: Effective) -> bool:
    """Return whether another position goes forward, or nobody does any more."""
    return before.state == "decided" and (after.state != "decided" or before.winner != after.winner)


def played_again(match: int, links: Sequence[Link], begun: Collection[int]) -> tuple[int, ...]:
    """Return the later matches that have begun and rest on the places that `match` gave, in the order of play."""
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
    """Return the entries by position of every match in `seats` once the results change from `before` to `after`.

    A seat moves when the result that filled it changes, or when the seats it was filled from did; never in `fixed`, the
    matches that have begun and stand. `start`: the seats after whatever else moved them, such as a group's table.
    """
    now = {match: tuple(entries) for match, entries in (start if start is not None else seats).items()}
    for link in sorted(links, key=lambda link: (link.number, link.target, link.position)):
        if link.target in fixed:
            continue
        old, new = before(link.source), after(link.source)
        entrant = sent_on(new, link.outcome, now[link.source])
        if entrant == sent_on(old, link.outcome, seats[link.source]):
            continue
        entries = list(now[link.target])
        entries[link.position] = entrant
        now[link.target] = tuple(entries)
    return now


def sent_on(result: Effective, outcome: str, entries: Sequence[Entrant | None]) -> Entrant | None:
    """Return the entry that a result sends on, None while it sends nobody.

    `outcome`: "winner" or "loser", whom the edge of the bracket takes; `entries`: who sits in the match, by position.
    """
    winner = result.winner
    if winner is None:
        return None
    return entries[winner if outcome == "winner" else 1 - winner]
