"""Play on from a position of a finished game: a practice table that begins there.

Hands, marbles and pile are those of the record, which everybody can read once the game is over. The undealt cards are
shuffled anew, by a seed that the server commits to before (docs/deal.md): nobody knows what comes.
"""

from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import bots, store
from games.engine import registry
from games.fold import NONE, SYSTEM, TableState, acts
from games.models import Game, Table
from games.selectors import rule_sets
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.errors import Conflict, Refused
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing

from .deals import Deals, draw_secret
from .record import Draft
from .results import conclude
from .tables import SeatPlan, open_seats


def offered(game: Game) -> bool:
    """Return whether practice tables can begin at positions of games by this rule set."""
    return registry.game(game.rules).enumerated and rule_sets.game_of(game.rules) == "tock"


def play_on(
    *,
    game: Game,
    seq: int,
    seat: int | None = None,
    player: Player | None = None,
    guest_key: str = "",
    level: str = bots.DEFAULT_LEVEL,
) -> Table:
    """Open a practice table that begins at the position after row `seq` of a finished game; bots take the other seats.

    `seat`: that of the person, without one the seat that is to act. Raises Conflict `running` for a game that is not over,
    and Refused: `no_position` (the game has no such row, had not begun there or was over, or its family's positions cannot
    be played on), `bad_seats`, `level`.
    """
    if game.state != Game.State.OVER:
        raise Conflict("running", _("A game can be played on from once it is over."))
    if level not in bots.levels(game.rules):
        raise Refused("level", _("There is no bot of this level."), field="level")
    state = _state(game, seq)
    if seat is None:
        seat = min(state.to_act, default=int(state.position.turn))
    table = game.table
    if not 0 <= seat < table.seats:
        raise Refused("bad_seats", _("There is no such seat at this table."), field="seat")
    plan = [SeatPlan(other, bot=level) for other in range(table.seats) if other != seat]
    plan.append(SeatPlan(seat, player_id=player.pk if player else None, guest_key="" if player else guest_key))
    with writing():
        opened = open_seats(
            Table(
                kind=Table.Kind.PRACTICE,
                name=gettext("Practice"),
                rules=game.rules,
                bots_allowed=True,
                touch=False,
                referee_wait_s=0,
                teams=table.teams,
                full_ranking=table.full_ranking,
                seated_only=table.seated_only,  # its record shows the hands of the other game
            ),
            plan,
            (),
        )
        _begin(opened, game, state)
        return opened


def _state(game: Game, seq: int) -> TableState:
    """Return the table of a finished game after row `seq`, while it was played."""
    if not offered(game) or not 1 <= seq <= game.last_seq:
        raise Refused("no_position", _("There is no position to play on from here."), field="seq")
    state = store.state_at(game, seq)
    if state.position is None or state.result is not None or state.setup.engine.outcome(state.position) is not None:
        raise Refused("no_position", _("There is no position to play on from here."), field="seq")
    return state


def _begin(table: Table, source: Game, state: TableState) -> None:
    """Open the only game of the table: its commitment, to which no seat adds a share, and the position."""
    with clock.held():  # its first row is of the game's month
        month = store.month_of(clock.now_ms())
        game = Game.objects.create(table=table, number=1, slug=new_slug(), rules=table.rules, month=month)
        draw_secret(game)
        draft = Draft.of(game, store.opening_of(game))
    deals = Deals.of(game)
    draft.act(deals.commit(shares=NONE), SYSTEM)
    position: dict[str, Any] = state.setup.engine.to_json(state.position)
    position["stock"] = deals.stock(position["stock"])
    draft.act(acts.Begin(of=source.slug, seq=state.seq, position=position, pile=state.pile, shown=state.shown), SYSTEM)
    conclude(draft)
