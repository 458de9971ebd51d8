"""The state of a bracket after some of its matches are decided: a pure fold of the results."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from .bracket import LOSS, WIN, Bracket, Edge

WAITING, READY, WALKOVER, DECIDED, EMPTY = "waiting", "ready", "walkover", "decided", "empty"
SETTLED = (DECIDED, WALKOVER, EMPTY)


@dataclass(frozen=True)
class Spot:
    """The state of one match of the bracket."""

    number: int
    sides: tuple[int | None, int | None]  # entry or None by position
    known: tuple[bool, bool]  # by position: whether the side is final; a known None is a seat that stays empty
    # waiting (a side is unknown), ready, decided, empty (nobody can play), or walkover: only one side can play, and
    # `winner` advances without playing
    state: str
    winner: int | None = None  # an entry
    loser: int | None = None  # an entry


def fill(
    bracket: Bracket,
    entrants: Mapping[int, int | None],
    outcomes: Mapping[int, tuple[str, str]],
    out: AbstractSet[int] = frozenset(),
) -> dict[int, Spot]:
    """Return every match of `bracket` by number.

    `entrants`: entry by seed; a missing seed is not known yet (the groups still play), None is a seat that stays empty.
    `outcomes`: outcomes by position of the decided matches, such as ("win", "loss"); ("loss", "loss") sends nobody on.
    `out`: entries that can no longer play (withdrawn, disqualified); matches decided before stand.
    Raises ValueError for a tie, for two winners, or for an outcome of a match whose sides are not known.
    """
    feeds = {(edge.target, edge.position): edge for edge in bracket.edges}
    spots: dict[int, Spot] = {}
    for node in bracket.nodes:
        sides: list[int | None] = []
        known: list[bool] = []
        for position, seed in enumerate(node.seeds):
            if seed is not None:
                sides.append(entrants.get(seed))
                known.append(seed in entrants)
                continue
            edge = feeds[(node.number, position)]
            before = spots[edge.source]
            settled = before.state in SETTLED
            sides.append(_carried(edge, before) if settled else None)
            known.append(settled)
        spots[node.number] = _spot(
            node.number, (sides[0], sides[1]), (known[0], known[1]), outcomes.get(node.number), out
        )
    return spots


def _spot(
    number: int,
    sides: tuple[int | None, int | None],
    known: tuple[bool, bool],
    outcome: tuple[str, str] | None,
    out: AbstractSet[int],
) -> Spot:
    if outcome is not None:
        if outcome not in ((WIN, LOSS), (LOSS, WIN), (LOSS, LOSS)):
            raise ValueError(f"match {number}: a knockout match sends one entry on, not {outcome}")
        if not all(known):
            raise ValueError(f"match {number} is decided and its sides are not known")
        if outcome == (LOSS, LOSS):
            return Spot(number, sides, known, DECIDED)
        first = outcome[0] == WIN
        return Spot(number, sides, known, DECIDED, sides[0 if first else 1], sides[1 if first else 0])
    if not all(known):
        return Spot(number, sides, known, WAITING)
    able = [side for side in sides if side is not None and side not in out]
    if len(able) == 2:
        return Spot(number, sides, known, READY)
    if not able:
        return Spot(number, sides, known, EMPTY)
    gone = next((side for side in sides if side is not None and side != able[0]), None)
    return Spot(number, sides, known, WALKOVER, able[0], gone)


def _carried(edge: Edge, before: Spot) -> int | None:
    """Return the entry that an edge leads on from a settled match, None for nobody."""
    entry = before.winner if edge.outcome == WIN else before.loser
    if edge.only is not None and entry is not None and before.sides[edge.only] != entry:
        return None
    return entry


def final_ranks(bracket: Bracket, spots: Mapping[int, Spot]) -> tuple[tuple[int, int], ...]:
    """Return (rank, entry), best first, for the entries whose rank is final.

    An entry has the rank that its last match gives to its outcome (`Node.ranks`); those who lost in the same round share
    one. After a double forfeit both have the rank of somebody who lost every match that the loser could still play. An
    entry whose next match is still open has no rank yet. Ranks beyond `bracket.sure` are counted when everything is
    decided.
    """
    edges = {(edge.source, edge.outcome): edge for edge in bracket.edges}
    found: list[tuple[int, int]] = []
    for node in bracket.nodes:
        spot = spots[node.number]
        if spot.state not in SETTLED:
            continue
        for entry in (side for side in spot.sides if side is not None):
            if spot.winner is None:
                rank = _last_rank(bracket, edges, node.number)
            else:
                outcome = WIN if entry == spot.winner else LOSS
                edge = edges.get((node.number, outcome))
                if edge is not None and _carried(edge, spot) == entry:
                    continue
                rank = node.ranks[0 if outcome == WIN else 1]
            if rank is not None:
                found.append((rank, entry))
    found.sort(key=lambda item: item[0])
    if bracket.sure >= bracket.size:
        return tuple(found)
    if any(spot.state not in SETTLED for spot in spots.values()):
        return tuple(item for item in found if item[0] <= bracket.sure)
    given = [rank for rank, _entry in found]
    return tuple((given.index(rank) + 1 if rank > bracket.sure else rank, entry) for rank, entry in found)


def _last_rank(bracket: Bracket, edges: Mapping[tuple[int, str], Edge], number: int) -> int | None:
    while (number, LOSS) in edges:
        number = edges[number, LOSS].target
    return bracket.node(number).ranks[1]
