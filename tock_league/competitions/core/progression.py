"""The state of a bracket after some of its matches are decided: a pure fold of the results."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from .bracket import LOSS, WIN, Bracket

WAITING, READY, WALKOVER, DECIDED, EMPTY = "waiting", "ready", "walkover", "decided", "empty"


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
            settled = before.state in (DECIDED, WALKOVER, EMPTY)
            sides.append((before.winner if edge.outcome == WIN else before.loser) if settled else None)
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
    return Spot(number, sides, known, WALKOVER, able[0])


def final_ranks(bracket: Bracket, spots: Mapping[int, Spot]) -> tuple[tuple[int, int], ...]:
    """Return (rank, entry), best first, for the entries whose rank is final.

    The final gives ranks 1 and 2, the match for third place 3 and 4. Everybody else shares the rank of the round they
    lost in: 3 twice without that match, then 5, 9, 17. An entry whose next match is still open has no rank yet.
    """
    found: list[tuple[int, int]] = []
    third = next((node for node in bracket.nodes if node.label == "third_place"), None)
    for node in bracket.nodes:
        spot = spots[node.number]
        if spot.state not in (DECIDED, WALKOVER, EMPTY):
            continue
        if node.label in ("final", "third_place"):
            base = 1 if node.label == "final" else 3
            found.extend((base, side) for side in (spot.winner,) if side is not None)
            found.extend((base + 1, side) for side in spot.sides if side is not None and side != spot.winner)
            continue
        rank = 2 ** (bracket.rounds - node.round) + 1
        if node.label == "semi" and third is not None:
            if spot.loser is not None:
                continue  # the match for third place decides
            rank = 4  # both forfeited the semi-final and do not play for third place
        found.extend((rank, side) for side in spot.sides if side is not None and side != spot.winner)
    return tuple(sorted(found, key=lambda item: item[0]))
