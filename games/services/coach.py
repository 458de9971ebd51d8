"""The coach of a practice table: what the club bot would play for the seat that asks, and why.

It gets the view of that seat and nothing else, as the bots do. It is no help in a game between people: only practice tables
have it. Nothing is written.
"""

from typing import Any

from django.utils.translation import gettext_lazy as _

from games import store
from games.bots import at_table
from games.fold import Viewer, view
from games.models import Game, Seating, Table
from games.permissions import Person, holds
from tock_league.common import limits
from tock_league.common.errors import Conflict, NotAllowed, Refused

ASKED = 1000  # answers to a person a day: more than anybody plays


def is_offered(table: Table) -> bool:
    """Return whether the coach can be asked at a table."""
    return table.kind == Table.Kind.PRACTICE and at_table.advises(table.rules)


def advise(game: Game, *, by: Person) -> dict[str, Any]:
    """Return the advice for the seat of `by`: see `games.bots.coach`, with the `decision` that it is about.

    Raises Refused `not_practice` (at any other table) and `no_coach` (a game whose bots give no reasons), NotAllowed for
    somebody without a seat, Conflict `not_your_turn` when the seat has nothing to choose, and Refused `too_many_today`.
    """
    table = game.table
    seatings = list(Seating.objects.filter(table=table).select_related("player"))
    if table.kind != Table.Kind.PRACTICE or sum(not one.bot for one in seatings) > 1:
        raise Refused("not_practice", _("The coach answers at practice tables only."), field="table", status=403)
    if not at_table.advises(table.rules):
        raise Refused("no_coach", _("The coach is for Tock."), field="table")
    seating = next((one for one in seatings if not one.bot and holds(one, by)), None)
    if seating is None:
        raise NotAllowed(_("The coach answers the player of this table only."), needed="seat")
    state = store.current(game)
    seen = view(state, Viewer(seating.seat))
    if state.frozen is not None or not seen.get("legal"):
        raise Conflict("not_your_turn", _("Ask the coach when you have something to play."))
    sentence = _("You have asked the coach very often today. Go on without it until tomorrow.")
    # A guest's seat stands for the guest: seats of players and of guests count apart.
    name = "coach" if seating.player else "coach-guest"
    limits.spend_of_day(seating.player or seating, name, count=ASKED, sentence=sentence)
    return {"decision": state.decision_id, **at_table.advise(seen, seen["legal"], seat=seating.seat)}
