"""Lots that anybody can draw again: SHA-256 of a seed that was published before its use.

The seed stands on the competition's page from its publication; nobody can choose it after seeing who has come.
"""

import hashlib
from collections.abc import Sequence


def lot(seed: str, ident: str) -> str:
    """Answer the lot of `ident`: the hexadecimal SHA-256 of "seed:ident" in UTF-8. The smallest comes first."""
    return hashlib.sha256(f"{seed}:{ident}".encode()).hexdigest()


def in_lot_order(seed: str, idents: Sequence[str]) -> tuple[str, ...]:
    """Answer `idents` by ascending lot. Raises ValueError when one is named twice."""
    if len(set(idents)) != len(idents):
        raise ValueError("a lot is drawn once for each")
    return tuple(sorted(idents, key=lambda ident: lot(seed, ident)))


def draw_pairs(seed: str, players: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Answer the partners of a club night: players in lot order, first with second, third with fourth, and so on.

    `players`: public identifiers, any order. Raises ValueError when they are odd in number or fewer than four.
    """
    if len(players) < 4 or len(players) % 2:
        raise ValueError("partners are drawn among an even number of players, four or more")
    order = in_lot_order(seed, players)
    return tuple((order[index], order[index + 1]) for index in range(0, len(order), 2))


def round_seed(seed: str, stage: int, number: int) -> str:
    """Answer the seed of one round: the hexadecimal SHA-256 of "seed:stage:number", `stage` and `number` from 1."""
    return lot(seed, f"{stage}:{number}")
