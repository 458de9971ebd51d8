"""A bracket on paper: its matches as boxes, and the ways of the winners."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tock_league.competitions.selectors.rounds import brackets
from tock_league.competitions.selectors.rounds.brackets import NodeView, Place

from .paper import INK, LINE, MARGIN, PALE, POINTS, Paper

HIGHEST = 17.0  # of a side of a match, in millimetres
SMALL = 4.0  # millimetres of the number above a match
LETTERS = 14  # of a name in a box of the bracket, at least, with its seed and score
WIDEST = 0.6  # millimetres of the page for a unit of the drawing
TYPE = 0.5  # of the row's height
LEAST_NAME = 4.5  # points: a name on two small lines says more than the beginning of a name


def draw(
    paper: Paper,
    nodes: Sequence[NodeView],
    *,
    top: float,
    room: tuple[float, float],
    onward: Mapping[int, str] | None = None,
) -> None:
    """Draw the matches and the ways of the winners, as large as the page allows.

    `top`: where the drawing begins; `room`: its width and height at most, in millimetres. `onward`: what stands below a match
    whose winner goes on somewhere else, by the match's number.
    """
    tops = {node.number: node.y for node in nodes}
    if len({node.column for node in nodes}) == 1:  # the final, and the match for third place below it
        tops = {node.number: place * brackets.PITCH for place, node in enumerate(nodes)}
    left, first = min(node.x for node in nodes), min(tops.values())
    width = max(node.x + node.width for node in nodes) - left
    height = max(tops.values()) + 2 * brackets.LINE - first
    across, down = min(room[0] / width, WIDEST), min((room[1] - 2 * SMALL) / height, HIGHEST / brackets.LINE)
    boxes = {
        node.number: Box(
            MARGIN + (node.x - left) * across,
            top + SMALL + (tops[node.number] - first) * down,
            node.width * across,
            brackets.LINE * down,
        )
        for node in nodes
    }
    columns = {node.number: node.column for node in nodes}
    paper.set_draw_color(*LINE)
    paper.set_line_width(0.4)
    for node in nodes:
        # Not from one tree of the bracket into another one.
        if node.leads_to in boxes and columns[node.leads_to] == node.column + 1:
            _way(paper, boxes[node.number], boxes[node.leads_to])
    for node in nodes:
        box = boxes[node.number]
        paper.rect(box.x, box.y, box.width, 2 * box.line)
        paper.line(box.x, box.middle, box.x + box.width, box.middle)
        small = min(box.line * 0.6, SMALL)
        paper.write_at(
            box.x, box.y - small, box.width, small, f"M{node.number}", size=small * POINTS * 0.8, colour=PALE
        )
        said = (onward or {}).get(node.number, "")
        paper.write_at(box.x, box.y + 2 * box.line, box.width, small, said, size=small * POINTS * 0.8, colour=PALE)
        for position, side in enumerate(node.places):
            _side(paper, box, box.y + position * box.line, side)


@dataclass(frozen=True)
class Box:
    """A match on the page, in millimetres: its corner, its width, and the height of a side."""

    x: float
    y: float
    width: float
    line: float

    @property
    def middle(self) -> float:
        return self.y + self.line


def _side(paper: Paper, box: Box, y: float, side: Place) -> None:
    seed, colour = str(side.seed) if side.seed is not None else "", INK if side.known else PALE
    about, score = 0.16 * box.width, 0.14 * box.width
    size = min(box.line * POINTS * TYPE, box.width * POINTS / LETTERS)
    paper.write_at(box.x, y, about, box.line, seed, size=size * 0.8, align="R", colour=PALE)
    inside = box.width - about - score
    paper.write_fitting(
        box.x + about, y, inside, box.line, side.name, size=size, least=LEAST_NAME, bold=side.won, colour=colour
    )
    at = box.x + box.width - score
    paper.write_at(at, y, score, box.line, side.score, size=size, bold=side.won, align="R", colour=colour)


def _way(paper: Paper, source: Box, target: Box) -> None:
    begin, end = source.x + source.width, target.x
    half = (begin + end) / 2
    paper.line(begin, source.middle, half, source.middle)
    paper.line(half, source.middle, half, target.middle)
    paper.line(half, target.middle, end, target.middle)
