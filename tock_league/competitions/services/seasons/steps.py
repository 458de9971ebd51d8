"""Does the next step of a tournament: the one that an organiser's page or program was shown, and no other."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Conflict, Refused

from ...core.format import Pair
from ...models import Competition, Group
from ...selectors.seasons.next_step import Step, next_groups, next_step
from ..entries import checkin
from ..rounds import draw, publishing
from . import lifecycle

C = Competition.State
MOVED_ON = _("The tournament has moved on meanwhile. Look at the page again before you go on.")
STATES: Mapping[str, str] = {
    "publish": C.PUBLISHED,
    "open": C.OPEN,
    "close": C.CLOSED,
    "start": C.RUNNING,
    "resume": C.RUNNING,
    "finish": C.FINISHED,
}


def take(*, by: Person, competition: Competition, code: str, relaxed: Sequence[Pair] = ()) -> None:
    """Do the step `code` of `next_step`. `relaxed`: as in `publishing.publish_next`, exactly the meetings that are needed.

    Raises Conflict `step` when the next step is another one by now, or nobody can do it; what the step's service raises.
    """
    require(by, "competition.organise", competition, needed="organiser")
    offered = next_step(competition)
    if code != offered.code or not offered.label:
        raise Conflict(
            "step",
            MOVED_ON,
            state=competition.state,
            next=offered.code,
        )
    _do(by, competition, offered, relaxed)


def _do(by: Person, competition: Competition, offered: Step, relaxed: Sequence[Pair]) -> None:
    if offered.kind == "check_in_close":
        checkin.close(by=by, competition=competition)
    elif offered.kind == "draw":
        draw.draw(by=by, competition=competition)
    elif offered.kind == "next":
        for group in next_groups(competition):
            _next_round(by, group, relaxed)
    else:
        lifecycle.advance(by=by, competition=competition, to=STATES[offered.kind])


def _next_round(by: Person, group: Group, relaxed: Sequence[Pair]) -> None:
    """Open the group's next round; the second meetings accepted are those that are needed, or none."""
    try:
        publishing.publish_next(by=by, group=group)
    except Refused as error:
        needed = [tuple(pair) for pair in error.details.get("pairs", ())]
        if error.code != "needs_relaxing" or sorted(needed) != sorted(relaxed):
            raise
        publishing.publish_next(by=by, group=group, relaxed=relaxed)
