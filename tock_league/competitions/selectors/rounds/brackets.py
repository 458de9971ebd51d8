"""A bracket as a drawing and as nested lists, from one layout of the matches."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import pgettext

from ...core import bracket as brackets
from ...core.registry import format_of
from ...models import Match
from .matches import MatchView, SideView

# Units of the drawing: pixels at its natural size.
PAGE, WIDEST, NARROWEST = 1160, 349, 206
HEAD, LINE, PITCH = 44, 39, 116
LETTER = 8.0  # a letter of the names, on average


@dataclass(frozen=True)
class Place:
    """One side of a match in the drawing: its seed or "–", its name cut to the width, the games it has won so far."""

    side: SideView
    seed: int | None
    short: str
    score: str
    y: int

    @property
    def name(self) -> str:
        return self.side.name

    @property
    def won(self) -> bool:
        return self.side.outcome == "win"

    @property
    def known(self) -> bool:
        """Whether the entry is known; otherwise the name describes where it will come from."""
        return self.side.entry_id is not None


@dataclass(frozen=True)
class NodeView:
    """A match of the bracket, drawn in pixels."""

    number: int
    view: MatchView
    column: int  # the round, from 1
    x: int  # with `y`, the upper left corner
    y: int
    width: int
    places: tuple[Place, Place]  # the sides, by position
    title: str  # the name of the round
    status: str  # in words
    # the number of the match that its winner goes to; None for the final and the match for third place
    leads_to: int | None

    @property
    def slug(self) -> str:
        return self.view.match.slug

    @property
    def is_live(self) -> bool:
        return self.view.is_live

    @property
    def when(self) -> datetime | None:
        """When it starts, while that is still relevant."""
        waiting = self.view.is_decided or self.is_live or self.view.match.state == Match.State.WAITING
        return None if waiting else self.view.starts_at

    @property
    def middle(self) -> int:
        return self.y + LINE

    @property
    def caption_y(self) -> int:
        return self.y + 2 * LINE + 20

    @property
    def score_x(self) -> int:
        return self.x + self.width - 14

    @property
    def label(self) -> str:
        """Everything about the match in one line, for screen readers."""
        sides = ", ".join(f"{place.name} {place.score}".strip() for place in self.places)
        return f"M{self.number}, {self.title}: {sides}. {self.status}".strip()


@dataclass(frozen=True)
class Column:
    """A round of the bracket: its name, where the name stands, its matches from top to bottom."""

    title: str
    x: int
    nodes: tuple[NodeView, ...]


@dataclass(frozen=True)
class BracketView:
    """The drawing of a bracket, or of a part of a large one, in pixels."""

    columns: tuple[Column, ...]
    lines: tuple[str, ...]  # paths from matches to those they lead to
    width: int
    height: int
    bracket: brackets.Bracket  # the topology behind the drawing, whole

    @property
    def nodes(self) -> list[NodeView]:
        return [node for column in self.columns for node in column.nodes]


def of_tournament(views: Iterable[MatchView]) -> BracketView | None:
    """Return the bracket of a tournament from all its matches, None where it has none. No query."""
    return bracket(view for view in views if format_of(view.match.round.group.stage.format).is_bracket)


def bracket(views: Iterable[MatchView]) -> BracketView | None:
    """Return the bracket of a knockout stage from its matches, None when there are none. No query."""
    matches = sorted(views, key=lambda view: (view.match.round.number, view.match.number))
    if not matches:
        return None
    made = topology([view.match.label for view in matches])
    return drawn(made, dict(zip((node.number for node in made.nodes), matches, strict=True)))


def topology(labels: Sequence[str]) -> brackets.Bracket:
    """Return the bracket that has matches with these labels, one or more."""
    third = "third_place" in labels
    return brackets.single_elimination(len(labels) - third + 1, third)


def drawn(made: brackets.Bracket, by_number: Mapping[int, MatchView]) -> BracketView:
    """Return the drawing of the matches in `by_number`: all of them, or those of a part, with whatever leads to them in it.

    No query.
    """
    inside = [node for node in made.nodes if node.number in by_number]
    first = min(node.round for node in inside)
    count = max(node.round for node in inside) - first + 1
    gap = 56 if count < 5 else 32
    width = max(NARROWEST, min(WIDEST, (PAGE - gap * (count - 1)) // count))
    edges = [edge for edge in made.edges if edge.source in by_number and edge.target in by_number]
    ways = [edge for edge in edges if edge.outcome == "win"]
    heights, rows = _heights(inside, ways)
    leads = {edge.source: edge.target for edge in ways}
    nodes = {
        node.number: _node(
            node,
            by_number[node.number],
            (node.round - first) * (width + gap),
            HEAD + heights[node.number],
            width,
            leads.get(node.number),
        )
        for node in inside
    }
    columns = []
    for number in range(first, first + count):
        here = [nodes[node.number] for node in inside if node.round == number]
        columns.append(Column(_title(here), (number - first) * (width + gap), tuple(here)))
    return BracketView(
        columns=tuple(columns),
        lines=tuple(_line(nodes[edge.source], nodes[edge.target]) for edge in ways),
        width=count * width + (count - 1) * gap,
        height=HEAD + rows,
        bracket=made,
    )


def _heights(inside: Sequence[brackets.Node], ways: Iterable[brackets.Edge]) -> tuple[dict[int, int], int]:
    """Return the upper edge of each match, which is centred between the matches before it, and the total height."""
    feeds: dict[int, list[int]] = {}
    for edge in ways:
        feeds.setdefault(edge.target, []).append(edge.source)
    heights: dict[int, int] = {}
    bottom = 0

    def place(number: int) -> int:
        nonlocal bottom
        before = feeds.get(number, [])
        if before:
            heights[number] = sum(place(source) for source in before) // len(before)
        else:
            heights[number], bottom = bottom, bottom + PITCH
        return heights[number]

    last = max(node.round for node in inside)
    final = next(node for node in inside if node.round == last and node.label != "third_place")
    place(final.number)
    third = next((node for node in inside if node.label == "third_place"), None)
    if third is not None:
        heights[third.number] = max(heights[final.number] + PITCH + PITCH // 2, bottom - PITCH)
        bottom = max(bottom, heights[third.number] + PITCH)
    return heights, bottom


def _node(node: brackets.Node, view: MatchView, x: int, y: int, width: int, leads_to: int | None) -> NodeView:
    seeds = [seat.entry.seed if seat.entry is not None else None for seat in view.match.seats]  # type: ignore[attr-defined]
    first, second = (
        Place(
            side,
            seeds[side.position],
            _cut(side.name, width),
            _score(view, side),
            y + side.position * LINE,
        )
        for side in view.sides
    )
    return NodeView(
        node.number, view, node.round, x, y, width, (first, second), view.round_name, status(view), leads_to
    )


def _cut(name: str, width: int) -> str:
    letters = int((width - 44 - 42) / LETTER)
    return name if len(name) <= letters else name[: letters - 1].rstrip() + "…"


def _score(view: MatchView, side: SideView) -> str:
    """Return the games a side has won, once the match has begun; of a decided one its score."""
    if side.entry_id is None:
        return ""
    if view.is_decided:
        return str(side.score)
    if view.is_live or any(other.games for other in view.sides):
        return str(side.games)
    return ""


def status(view: MatchView) -> str:
    """Return how a match stands, in words; "" when its hour says it all."""
    if view.is_decided:
        done = pgettext("a match", "finished")
        return f"{done}, {view.how}" if view.how else str(done)
    if view.is_live:
        return pgettext("a match", "live")
    if view.match.state == Match.State.WAITING:
        return str(view.match.get_state_display())
    told = []
    if view.place:
        told.append(view.place)
    if view.match.state in (Match.State.REPORTED, Match.State.CONTESTED):
        told.append(str(view.match.get_state_display()))
    return ", ".join(told) or ("" if view.starts_at is not None else pgettext("a match", "to come"))


def _title(nodes: Sequence[NodeView]) -> str:
    return nodes[0].title


def _line(source: NodeView, target: NodeView) -> str:
    """Return the way of the winner: right, up or down, right."""
    start = source.x + source.width
    half = start + 16
    return f"M{start} {source.middle}H{half}V{target.middle}H{target.x}"
