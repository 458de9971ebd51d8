"""Results on paper that wait for one captain."""

from dataclasses import dataclass

from tock_league.accounts.models import Player

from ...models import Match, RosterSpot
from ...models.match import on_board
from ..rounds.matches import MatchView, views, visible
from . import paper

M = Match.State


@dataclass(frozen=True)
class Paper:
    """A match for which a captain has something to do on paper."""

    view: MatchView
    what: str  # "report" the result, or "accept" the one that the other captain reported


def papers_of(player: Player) -> list[Paper]:
    """Return the papers that wait for `player` as captain. One query when there is none, else a fixed number."""
    captained = RosterSpot.objects.filter(
        player=player, role=RosterSpot.Role.STARTER, slot=1, left__isnull=True
    ).values("entry")
    open_ones = Match.objects.filter(
        on_board(),
        side_rows__entry__in=captained,
        state__in=(M.CALLED, M.LIVE, M.REPORTED, M.CONTESTED),
        competition__state="running",
    )
    seen = views(visible(open_ones).order_by("starts_at", "pk"), player)
    signed = paper.signed_by_match([view.match for view in seen if view.match.state not in (M.CALLED, M.LIVE)])
    found = []
    for view in seen:
        if view.match.state in (M.CALLED, M.LIVE):
            found.append(Paper(view, "report"))
            continue
        own = next(side.position for side in view.sides if side.players and side.players[0].pk == player.pk)
        if own not in signed.get(view.match.pk, ()):
            found.append(Paper(view, "accept"))
    return found
