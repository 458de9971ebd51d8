"""The wait for the public beacon: the cards of a game are dealt when its round is known, or given up (docs/deal.md, step 3).

The round is in the game's record, so any process can go on with the wait: it asks the source itself. The game's deadline
returns every half second meanwhile. The row lock lets one process write the round; the network is never waited for here.
"""

from datetime import timedelta

from games import store
from games.fold import SYSTEM, acts
from games.models import Game
from tock_league.common import clock

from . import credits
from .pulses import source
from .record import Draft, follow, index
from .results import conclude

AGAIN = timedelta(milliseconds=500)


def carry_out(game: Game) -> None:
    """Deal with the round if it is known, without it if it is given up; otherwise look again in half a second. The caller
    has locked the game's row.
    """
    draft = Draft.of(game, store.current(game))
    credits.begin(draft)
    beacon = draft.state.shares.beacon
    if draft.state.shares.pending and beacon is not None and beacon.due <= draft.at <= beacon.by:
        pulse = source.get(beacon.chain, beacon.round)
        if pulse is not None:
            act = acts.Beacon(round=pulse.round, signature=pulse.signature, randomness=pulse.randomness)
            draft.act(act, SYSTEM)
    follow(draft)
    if draft.rows:
        conclude(draft)
        return
    index(game, draft.state)
    if draft.state.shares.pending:
        game.due_at = max(game.due_at or clock.now(), clock.now() + AGAIN)
    game.save()
