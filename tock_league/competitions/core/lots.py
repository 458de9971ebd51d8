"""Reproducible lots: SHA-256 of a seed that was published before its use.

The seed is on the competition's page from its publication, so nobody can choose it after the entries are known.
"""

import hashlib
from collections.abc import Sequence


def lot(seed: str, ident: str) -> str:
    """Return the lot of `ident`: the hexadecimal SHA-256 of "seed:ident" in UTF-8. The smallest comes first."""
    return hashlib.sha256(f"{seed}:{ident}".encode()).hexdigest()


def in_lot_order(seed: str, idents: Sequence[str]) -> tuple[str, ...]:
    """Return `idents` by ascending lot. Raises ValueError when one is named twice."""
    if len(set(idents)) != len(idents):
        raise ValueError("a lot is drawn once for each")
    return tuple(sorted(idents, key=lambda ident: lot(seed, ident)))


def draw_sides(seed: str, players: Sequence[str], size: int = 2) -> tuple[tuple[str, ...], ...]:
    """Return the sides of a club night: players in lot order, the first `size` together, then the next, and so on.

    `players`: public identifiers, any order. Raises ValueError when they do not make whole sides, or fewer than two.
    """
    if len(players) < 2 * size or len(players) % size:
        raise ValueError(f"sides of {size} are drawn among {2 * size} players or more, {size} by {size}")
    order = in_lot_order(seed, players)
    return tuple(order[index : index + size] for index in range(0, len(order), size))


def round_seed(seed: str, stage: int, number: int) -> str:
    """Return the seed of one round: the hexadecimal SHA-256 of "seed:stage:number", `stage` and `number` from 1."""
    return lot(seed, f"{stage}:{number}")
