"""A large bracket in parts that fit a page: subtrees of sixteen places, and what is played after them.

A bracket of several trees is shown tree by tree.
"""

from dataclasses import dataclass

from .bracket import Bracket, Node

WHOLE = 32  # entries of the largest bracket that is shown in one piece
MATCHES = 36  # of the largest bracket of several trees that is shown in one piece
ROUNDS = 4  # of a part: sixteen places


@dataclass(frozen=True)
class Part:
    """Some of the matches of a bracket. `number`: from 1, from top to bottom; 0 for the last rounds."""

    number: int
    matches: tuple[int, ...]  # the numbers of its matches, rising
    places: int  # how many entries begin there at most
    tree: int | None = None  # the `Node.part`, where the parts are the trees


def parts(bracket: Bracket) -> tuple[Part, ...]:
    """Return the parts of a bracket, the last rounds last; one part of number 0 where it is small."""
    trees = sorted({node.part for node in bracket.nodes})
    if len(trees) > 1 and len(bracket.nodes) > MATCHES:
        numbers = {tree: tuple(node.number for node in bracket.nodes if node.part == tree) for tree in trees}
        return tuple(Part(tree + 1, numbers[tree], 0, tree) for tree in trees)
    if len(trees) > 1 or bracket.size <= WHOLE:
        return (Part(0, tuple(node.number for node in bracket.nodes), 2**bracket.rounds),)
    found: dict[int, list[int]] = {number: [] for number in range(1, 2 ** (bracket.rounds - ROUNDS) + 1)}
    last: list[int] = []
    for node in bracket.nodes:
        (last if node.round > ROUNDS else found[_part_of(node)]).append(node.number)
    beginning = [Part(number, tuple(inside), 2**ROUNDS) for number, inside in found.items()]
    return (*beginning, Part(0, tuple(last), 2 ** (bracket.rounds - ROUNDS)))


def _part_of(node: Node) -> int:
    """Return the number of the part of a match of the first rounds."""
    return (node.slot >> (ROUNDS - node.round)) + 1
