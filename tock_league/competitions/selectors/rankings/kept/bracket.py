"""A bracket as a page shows it to one reader: whole, or the part of a large one that matters most to the reader."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person
from tock_league.common.errors import NotThere

from ....core import parts, progression
from ....core.bracket import Bracket
from ....core.parts import Part
from ....core.registry import bracket_with
from ....models import Competition, Match
from ...rounds import matches
from ...rounds.brackets import BracketView, drawn
from .keeping import kept
from .rows import Kept, Spot
from .shown import own_entries

ATTEMPTS = 3
LAST = "last"  # the part with the last rounds, in an address


@dataclass(frozen=True)
class PartView:
    """A part to choose. `key`: in the address; `last`: of the last rounds, else 0; `title`: of a tree, else ""."""

    key: str
    number: int
    last: int  # how many entries reach the last rounds
    is_shown: bool
    is_own: bool  # whether the reader has a match in it
    title: str = ""


@dataclass(frozen=True)
class BracketPage:
    """A bracket for a reader. `parts`: none where it is shown in one piece."""

    drawing: BracketView
    parts: tuple[PartView, ...]
    ranks: tuple[tuple[int, int], ...]  # (rank, entry id), best first, as far as the results make it certain
    round: str  # the name of the first round with a match to decide; "" when all are decided
    is_live: bool  # whether one of that round's matches is being played now


def bracket_page(competition: Competition, rows: Kept, viewer: Person = None, *, part: str = "") -> BracketPage | None:
    """Return the bracket, None where there is none. `part`: the key of a part, "" for that which matters most to the reader.

    A dozen queries, however large it is. NotThere for a part that it does not have.
    """
    if not rows.spots:
        return None
    own = own_entries(competition, viewer)
    for _attempt in range(ATTEMPTS):
        spots = rows.spots
        made = topology(rows)
        chosen = _chosen(parts.parts(made), spots, own, part)
        wanted = [spots[number - 1].match for number in chosen.matches]
        player = viewer if isinstance(viewer, Player) else None
        found = {view.match.pk: view for view in matches.views(competition.matches.filter(pk__in=wanted), player)}
        if len(found) == len(wanted):
            return _page(made, rows, chosen, found, own)
        rows = kept(competition)  # it was drawn anew meanwhile
    raise NotThere


def _page(
    made: Bracket, rows: Kept, chosen: Part, found: Mapping[int, matches.MatchView], own: Collection[int]
) -> BracketPage:
    spots, all_parts = rows.spots, parts.parts(made)
    first = next((node for node in made.nodes if not spots[node.number - 1].decided), None)
    here = [node for node in made.nodes if first is not None and node.round == first.round]
    return BracketPage(
        drawing=drawn(made, {number: found[spots[number - 1].match] for number in chosen.matches}),
        parts=tuple(_part(made, one, chosen, spots, own) for one in all_parts) if len(all_parts) > 1 else (),
        ranks=_ranks(made, spots),
        round=matches.name_of_round([(node.label, node.label_no) for node in here], here[0].round) if here else "",
        is_live=any(spots[node.number - 1].state == Match.State.LIVE for node in here),
    )


def bracket_ranks(rows: Kept) -> tuple[tuple[int, int], ...]:
    """Return (rank, entry id) of the bracket, best first, as far as the results make it certain. No query."""
    return _ranks(topology(rows), rows.spots) if rows.spots else ()


def topology(rows: Kept) -> Bracket:
    """Return the bracket that the rows describe."""
    return bracket_with(rows.format, dict(rows.options), len(rows.spots))


def _ranks(made: Bracket, spots: Sequence[Spot]) -> tuple[tuple[int, int], ...]:
    return progression.final_ranks(made, {number: _spot(number, spot) for number, spot in enumerate(spots, 1)})


def _chosen(found: Sequence[Part], spots: Sequence[Spot], own: Collection[int], part: str) -> Part:
    """Return the part of that key; by default where the reader plays next, else the first with a match to decide."""
    if part:
        chosen = next((one for one in found if _key(one) == part), None)
        if chosen is None:
            raise NotThere
        return chosen
    waiting = [one for one in found if any(not spots[number - 1].decided for number in one.matches)]
    mine = [
        one
        for one in waiting
        if any(
            not spots[number - 1].decided and any(entry in own for entry in spots[number - 1].sides)
            for number in one.matches
        )
    ]
    return (mine or waiting or [found[-1]])[0]


def _key(one: Part) -> str:
    return str(one.number) if one.number else LAST


def _part(made: Bracket, one: Part, chosen: Part, spots: Sequence[Spot], own: Collection[int]) -> PartView:
    mine = any(entry in own for number in one.matches for entry in spots[number - 1].sides)
    title = ""
    if one.tree is not None:
        node = made.node(one.matches[0])
        title = matches.tree_name(node.label, node.label_no)
    return PartView(_key(one), one.number, 0 if one.number else one.places, one == chosen, mine, title)


def _spot(number: int, spot: Spot) -> progression.Spot:
    sides = (spot.sides[0], spot.sides[1])
    if not spot.decided:
        return progression.Spot(number, sides, (True, True), progression.WAITING)
    loser = next((side for side in sides if side != spot.winner), None) if spot.winner else None
    return progression.Spot(number, sides, (True, True), progression.DECIDED, spot.winner, loser)
