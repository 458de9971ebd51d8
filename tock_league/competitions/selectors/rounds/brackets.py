"""A bracket as a drawing and as nested lists, from one layout of the matches."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.utils.translation import pgettext

from ...core import bracket as brackets
from ...core import layout
from ...core.registry import bracket_with, format_of
from ...models import Match
from .matches import MatchView, SideView

# Units of the drawing: pixels at its natural size.
PAGE, WIDEST, NARROWEST = 1160, 349, 206
HEAD, LINE, PITCH = 44, 39, layout.PITCH
HEADING, BETWEEN = 24, 28  # the line of a column's name; the space between two trees
GAP = 32  # the least space between two columns
SMALL_LETTER = 6.0  # of what stands below a match
HEADING_LETTER = 13.5  # of the name of a round
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
    column: int  # from 1, the round where the bracket is one tree
    x: int  # with `y`, the upper left corner
    y: int
    width: int
    places: tuple[Place, Place]  # the sides, by position
    title: str  # the name of the round
    status: str  # in words
    # the number of the match that its winner goes to; None for the final and the match for third place
    leads_to: int | None
    is_beside: bool = False  # whether it is of another kind than the matches that give its column the title

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
    def short_status(self) -> str:
        """How it stands, cut to the width of the drawing where no hour stands before it."""
        before = f"{self.title} · M{self.number} · " if self.is_beside else f"M{self.number} · "
        letters = max(int((self.width + GAP) / SMALL_LETTER) - len(before), 2)
        if self.when is not None or len(self.status) <= letters:
            return self.status
        return self.status[: letters - 1].rstrip() + "…"

    @property
    def label(self) -> str:
        """Everything about the match in one line, for screen readers."""
        sides = ", ".join(f"{place.name} {place.score}".strip() for place in self.places)
        return f"M{self.number}, {self.title}: {sides}. {self.status}".strip()


@dataclass(frozen=True)
class Column:
    """A round of a tree of the bracket: its name, where the name stands, its matches from top to bottom."""

    title: str
    x: int
    y: int
    nodes: tuple[NodeView, ...]

    @property
    def is_long(self) -> bool:
        """Whether the name needs small type to fit above the matches."""
        return len(self.title) * HEADING_LETTER > self.nodes[0].width


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
    stage = matches[0].match.round.group.stage
    made = bracket_with(stage.format, stage.options, len(matches))
    return drawn(made, dict(zip((node.number for node in made.nodes), matches, strict=True)))


def drawn(made: brackets.Bracket, by_number: Mapping[int, MatchView]) -> BracketView:
    """Return the drawing of the matches in `by_number`: all of them, or those of a part, with whatever leads to them in it.

    The trees of a bracket that has several stand below each other. No query.
    """
    inside = [node for node in made.nodes if node.number in by_number]
    trees = [list(tree) for _part, tree in groupby(sorted(inside, key=lambda node: node.part), lambda node: node.part)]
    rounds = [sorted({node.round for node in tree}) for tree in trees]
    count = max(map(len, rounds))
    gap = 56 if count < 5 else GAP
    width = max(NARROWEST, min(WIDEST, (PAGE - gap * (count - 1)) // count))
    ways = [
        edge for edge in made.edges if edge.source in by_number and edge.target in by_number and edge.outcome == "win"
    ]
    leads = {edge.source: edge.target for edge in ways}
    columns: list[Column] = []
    top = 0
    for tree, here in zip(trees, rounds, strict=True):
        heights, height = layout.heights(tree, ways)
        for place, number in enumerate(here):
            x, column = place * (width + gap), here[0] + place
            found = [node for node in tree if node.round == number]
            title = by_number[found[0].number].round_name
            nodes = tuple(
                _node(node, by_number[node.number], column, x, top + HEAD + heights[node.number], width, leads, title)
                for node in found
            )
            columns.append(Column(title, x, top + HEADING, nodes))
        top += HEAD + height + BETWEEN
    nodes_by = {node.number: node for column in columns for node in column.nodes}
    part = {node.number: node.part for node in inside}
    return BracketView(
        columns=tuple(columns),
        lines=tuple(
            _line(nodes_by[edge.source], nodes_by[edge.target])
            for edge in ways
            if part[edge.source] == part[edge.target]
        ),
        width=count * width + (count - 1) * gap,
        height=top - BETWEEN,
        bracket=made,
    )


def _node(
    node: brackets.Node,
    view: MatchView,
    column: int,
    x: int,
    y: int,
    width: int,
    leads: Mapping[int, int],
    heading: str,
) -> NodeView:
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
    title, leads_to = view.round_name, leads.get(node.number)
    places, said = (first, second), status(view)
    return NodeView(node.number, view, column, x, y, width, places, title, said, leads_to, title != heading)


def _cut(name: str, width: int) -> str:
    letters = int((width - 44 - 42) / LETTER)
    return name if len(name) <= letters else name[: letters - 1].rstrip() + "…"


def _score(view: MatchView, side: SideView) -> str:
    """Return the games a side has won, once the match has begun; of a decided one its score."""
    if side.entry_id is None:
        return ""
    if view.is_decided and view.effective.fact == "bye":
        return ""
    if view.is_decided:
        return str(side.score)
    if view.is_live or any(other.games for other in view.sides):
        return str(side.games)
    return ""


def status(view: MatchView) -> str:
    """Return how a match stands, in words; "" when its hour says it all."""
    if view.is_decided and view.effective.fact == "unneeded":
        return str(view.how)
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


def _line(source: NodeView, target: NodeView) -> str:
    """Return the way of the winner: right, up or down, right."""
    start = source.x + source.width
    half = start + 16
    return f"M{start} {source.middle}H{half}V{target.middle}H{target.x}"
