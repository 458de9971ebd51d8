"""Let the built-in bots play: from their seat's view only, through `play.submit` like anybody.

Nothing is remembered between rounds: `Game.bot_at` says when a bot has thought long enough, the view says what it knows.
A restart loses nothing.
"""

import logging
import secrets
import uuid
from datetime import timedelta

from games import bots, store
from games.fold import TableState, Viewer, view
from games.models import Game, Seating
from games.permissions import BOT
from tock_league.common import clock
from tock_league.common.transactions import writing

from . import play

log = logging.getLogger(__name__)
BATCH = 50
AFTER_FAULT = timedelta(seconds=5)


def act_due() -> int:
    """Let bots act in the games that wait for one, at most 50; answer how many games moved."""
    waiting = Game.objects.filter(bot_at__lte=clock.now()).order_by("bot_at").values_list("pk", flat=True)[:BATCH]
    done = 0
    for game_id in list(waiting):
        try:
            done += act(game_id)
        except Exception:
            log.exception("bot in game %s", game_id)
            _wait(game_id)
    return done


def act(game_id: int) -> int:
    """Let every bot of the game that is to act do so once; answer 1 if one did."""
    game = Game.objects.select_related("table").get(pk=game_id)
    levels = dict(Seating.objects.filter(table_id=game.table_id).exclude(bot="").values_list("seat", "bot"))
    state = store.current(game)
    if state.frozen is not None:
        return 0
    answers = [_act(game, state, seat, levels[seat]) for seat in sorted(state.to_act) if seat in levels]
    return int(any(not answer.code for answer in answers))


def _act(game: Game, state: TableState, seat: int, level: str) -> play.Answer:
    kind, args = ("ready", {}) if state.position is None else ("play", {"play": _choose(state, seat, level)})
    return play.submit(
        game_id=game.pk,
        seat=seat,
        command_id=str(uuid.uuid4()),
        turn=state.decision_id,
        kind=kind,
        args=args,
        by=BOT,
    )


def _choose(state: TableState, seat: int, level: str) -> str:
    """Answer the bot's line. It gets what the seat's own screen gets, nothing else."""
    seen = view(state, Viewer(seat))
    return bots.choose(seen, seen["legal"], level=level, roll=secrets.randbelow)


def _wait(game_id: int) -> None:
    """Put a game aside for five seconds, so that one fault does not occupy the scheduler."""
    with writing():
        Game.objects.filter(pk=game_id).update(bot_at=clock.now() + AFTER_FAULT)
