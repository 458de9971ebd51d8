"""The heights of the matches of a bracket in a drawing, in its own units."""

from collections.abc import Iterable, Sequence

from .bracket import Edge, Node

PITCH = 116  # between two matches
BESIDE = ("third_place", "place")


def heights(tree: Sequence[Node], ways: Iterable[Edge]) -> tuple[dict[int, int], int]:
    """Return the upper edge of each match by number, and the total height.

    `ways`: the edges of winners. A match is centred between those before it. A match for a place, to which no winner in this
    tree leads, stands below the others of its round.
    """
    inside = {node.number for node in tree}
    within = [edge for edge in ways if edge.source in inside and edge.target in inside]
    feeds: dict[int, list[int]] = {}
    for edge in within:
        feeds.setdefault(edge.target, []).append(edge.source)
    going = {edge.source for edge in within}
    roots = sorted((node for node in tree if node.number not in going), key=lambda node: (-node.round, node.number))
    found: dict[int, int] = {}
    bottom = 0

    def place(number: int) -> int:
        nonlocal bottom
        before = sorted(set(feeds.get(number, [])))
        if before:
            found[number] = sum(place(source) for source in before) // len(before)
        else:
            found[number], bottom = bottom, bottom + PITCH
        return found[number]

    def is_beside(node: Node) -> bool:
        return node.label in BESIDE and node.number not in feeds and node is not roots[0]

    for node in roots:
        if not is_beside(node):
            place(node.number)
    for node in sorted((node for node in roots if is_beside(node)), key=lambda node: node.number):
        above = max((found[one.number] for one in tree if one.round == node.round and one.number in found), default=0)
        found[node.number] = max(above + PITCH + PITCH // 2, bottom - PITCH)
        bottom = max(bottom, found[node.number] + PITCH)
    return found, bottom
