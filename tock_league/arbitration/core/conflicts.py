"""Conflicts of interest, detected from plain facts and not only declared.

A referee in conflict may not take the case, vote on it or sign. Source: docs/arbitration.md, "Conflicts of interest".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tock_league.competitions.core.neutrality import of_some_sides_only

GROUNDS: Final = ("recused", "party", "author", "club", "family", "partner", "affected", "final", "open_case")
FINAL_DAYS: Final = 30  # days for which an opponent in a rated final counts as a conflict


@dataclass(frozen=True)
class Facts:
    """Facts about one referee and one case; players and clubs by their ids."""

    referee: int
    sides: tuple[frozenset[int], ...]  # per position, the players of the roster and of the seats
    referee_clubs: frozenset[int] = frozenset()
    side_clubs: tuple[frozenset[int], ...] = ()  # per position, the clubs of the team and of its players
    affected: frozenset[int] = frozenset()  # players of other entries whose standing the result can still change
    partners: frozenset[int] = frozenset()  # players who share a team with the referee
    family: frozenset[int] = frozenset()  # players of the referee's family or household
    final_opponents: frozenset[int] = frozenset()  # opponents in rated finals of the last FINAL_DAYS days
    authors: frozenset[int] = frozenset()  # those who made what is judged: the ruling, the result entered
    opposed: frozenset[int] = frozenset()  # parties of open cases in which the referee is on the other side
    recused: bool = False  # whether the referee has stepped aside already


def grounds(facts: Facts) -> tuple[str, ...]:
    """Return every ground on which the referee is in conflict, in the order of GROUNDS; empty when there is none."""
    parties = frozenset().union(*facts.sides)
    found = {
        "recused": facts.recused,
        "party": facts.referee in parties,
        "author": facts.referee in facts.authors,
        "club": of_some_sides_only(facts.referee_clubs, facts.side_clubs),
        "family": bool(facts.family & parties),
        "partner": bool(facts.partners & parties),
        "affected": facts.referee in facts.affected,
        "final": bool(facts.final_opponents & parties),
        "open_case": bool(facts.opposed & parties),
    }
    return tuple(ground for ground in GROUNDS if found[ground])


def panel(candidates: Sequence[tuple[int, frozenset[int]]], *, size: int = 3, reserves: int = 2) -> list[int]:
    """Return the members of an appeal panel, then its reserves, out of `candidates` (player, clubs), in their order.

    Candidates of clubs that are not on the panel yet go first, so that three clubs are represented where possible. With
    fewer candidates than `size`, return all of them.
    """
    chosen: list[int] = []
    seated: set[int] = set()
    waiting = list(candidates)
    while waiting and len(chosen) < size:
        pick = next((one for one in waiting if not one[1] & seated), waiting[0])
        waiting.remove(pick)
        chosen.append(pick[0])
        seated |= pick[1]
    return chosen + [player for player, _clubs in waiting[:reserves]]
