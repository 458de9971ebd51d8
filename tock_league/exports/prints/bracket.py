"""The bracket on one to four sheets: whole, in halves, in halves and the final, or in quarters."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from tock_league.accounts.models import Player
from tock_league.common.errors import NotThere
from tock_league.competitions.core.bracket import Bracket
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.rounds import brackets
from tock_league.competitions.selectors.rounds.brackets import BracketView, NodeView
from tock_league.competitions.selectors.rounds.matches import MatchView, views

from ..drawing import draw
from .document import Document
from .kinds import Choice

SMALL = 20  # matches of a bracket of several trees that fit one sheet
LARGE = 32  # entries of a sheet whose names are still read on a wall


def bracket(found: Competition, viewer: Player | None, choice: Choice) -> bytes:
    """Return the bracket on as many sheets as were chosen, or as it needs. Ten queries."""
    whole = brackets.of_tournament(views(found.matches.all(), viewer))
    if whole is None:
        raise NotThere
    parts = parts_of(whole.bracket, choice.sheets)
    by_number = {node.number: node.view for node in whole.nodes}
    drawings = [_drawing(whole, part, by_number) for part in parts]
    document = Document(found, choice.paper, wide=all(one.height < one.width for one in drawings))
    at = {number: place for place, part in enumerate(parts, start=1) for number in part}
    for place, drawing in enumerate(drawings, start=1):
        document.page_of(_title(place, len(parts)))
        draw(document, drawing.nodes, top=document.top, room=document.room, onward=_onward(whole.nodes, place, at))
    return document.made()


def parts_of(made: Bracket, sheets: int) -> list[list[int]]:
    """Return the matches of each sheet by their numbers. `sheets`: 1 to 4; 0, or more than the bracket has: as it needs.

    A match that belongs to no half or quarter stands on the sheet of its upper feed; on three sheets the final and the match
    for third place have the last one.
    """
    most = next((count for count in (4, 2) if _width(made, count)), 1)
    needed = next((count for count in (1, 2) if made.size <= LARGE * count), 4)
    wanted = sheets if 1 <= sheets <= 4 else needed
    trees = trees_of(made)
    if len(trees) > 1:
        return _dealt(trees, sheets)
    count = min(2 if wanted == 3 else wanted, most)
    if count == 1:
        return [[node.number for node in made.nodes]]
    feeds: dict[int, list[int]] = {}
    for edge in made.edges:
        feeds.setdefault(edge.target, []).append(edge.source)
    roots = _width(made, count)
    part = {number: place for place, root in enumerate(roots) for number in _below(root, feeds)}
    for node in made.nodes:  # in the order of the rounds: what feeds a match comes before it
        if node.number not in part:
            part[node.number] = count if wanted == 3 else min(part[source] for source in feeds[node.number])
    found: dict[int, list[int]] = {}
    for node in made.nodes:
        found.setdefault(part[node.number], []).append(node.number)
    return [found[place] for place in sorted(found)]


def trees_of(made: Bracket) -> list[list[int]]:
    """Return the matches of each tree of the bracket by their numbers."""
    return [
        [node.number for node in made.nodes if node.part == part] for part in sorted({node.part for node in made.nodes})
    ]


def _dealt(trees: Sequence[Sequence[int]], sheets: int) -> list[list[int]]:
    """Return the trees on so many sheets, the first one alone where there is room; as it needs: whole, if it is small."""
    matches = sum(map(len, trees))
    wanted = sheets if 1 <= sheets <= 4 else 1 if matches <= SMALL else min(4, len(trees))
    wanted = min(wanted, len(trees))
    rest = [[number for tree in trees[max(wanted - 1, 0) :] for number in tree]]
    return [*(list(tree) for tree in trees[: wanted - 1]), *rest]


def _width(made: Bracket, count: int) -> list[int]:
    """Return the matches of the round that has `count` of them, from top to bottom; none where it has fewer."""
    last = made.rounds - count.bit_length() + 1
    nodes = [node for node in made.nodes if node.round == last and node.label != "third_place"]
    return [node.number for node in sorted(nodes, key=lambda node: node.slot)] if len(nodes) == count else []


def _below(root: int, feeds: Mapping[int, Sequence[int]]) -> list[int]:
    return [root, *(number for source in feeds.get(root, ()) for number in _below(source, feeds))]


def _drawing(whole: BracketView, part: Sequence[int], by_number: Mapping[int, MatchView]) -> BracketView:
    return brackets.drawn(whole.bracket, {number: by_number[number] for number in part})


def _onward(nodes: Sequence[NodeView], place: int, at: Mapping[int, int]) -> dict[int, str]:
    """Return where the winner of a match goes on, for matches whose next one is on another sheet than `place`."""
    # Translators: below a match of a bracket on several sheets; M61 is a match
    words = _("then M%(number)s, sheet %(sheet)s")
    return {
        node.number: words % {"number": node.leads_to, "sheet": at[node.leads_to]}
        for node in nodes
        if node.leads_to is not None and at[node.number] == place and at[node.leads_to] != place
    }


def _title(place: int, count: int) -> str:
    if count == 1:
        return _("Bracket")
    return _("Bracket, sheet %(sheet)s of %(sheets)s") % {"sheet": place, "sheets": count}
