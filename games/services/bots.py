"""Let the built-in bots play: from their seat's view only, through `play.submit` like anybody.

Nothing is remembered between rounds: `Game.bot_at` says when a bot has thought long enough, the view says what it knows.
A slow bot's game is claimed in its row first, so of several processes one thinks. A restart loses nothing.
"""

import logging
import secrets
import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import connection

from games import store
from games.bots import at_table
from games.fold import TableState, Viewer, view
from games.fold.phases import GIVE
from games.models import Game
from games.permissions import BOT
from tock_league.common import clock
from tock_league.common.transactions import writing

from . import play
from .alarm import look
from .search_pool import GRACE_S, START_S, NoProcess
from .thinkers import BUDGET_S, Thinkers, Turn

log = logging.getLogger(__name__)
AFTER_FAULT = timedelta(seconds=5)
# For which others leave a game to the process that thinks: longer than any thought, a process that has to be started included.
CLAIM = timedelta(seconds=START_S + BUDGET_S + GRACE_S + 1)
SLOW = frozenset({"master"})  # levels that search for a time; the others choose in 0.1 ms
thinkers = Thinkers()


def act_due(due: Sequence[int] | None = None, *, until: float | None = None) -> int:
    """Let bots act in the games that wait for one, the one that waits longest first; return how many games moved.

    `due`: these games, None: look for them, at most 20. `until`: of `clock.monotonic()`; no further game is begun after it.
    """
    waiting = look().bots if due is None else due
    done = 0
    for begin in range(0, len(waiting), store.READ):
        few = waiting[begin : begin + store.READ]
        if until is not None and clock.monotonic() > until:
            break  # the others are found again, and are then the first
        found = store.with_bots(few)
        for game_id in few:
            try:
                done += _act_in(*found[game_id]) if game_id in found else 0
            except Exception:
                log.exception("bot in game %s", game_id)
                _wait(game_id)
    return done


def act(game_id: int) -> int:
    """Let the bots of one game act, whether or not they have thought long enough; return 1 if one did."""
    return _act_in(*store.with_bots([game_id])[game_id])


def _act_in(game: Game, levels: Mapping[int, str]) -> int:
    """Let the bots that are to act do so once, where all may hear it only the first that speaks; return 1 if one did. Slow
    ones begin to think, no more."""
    state = store.current(game)
    if state.frozen is not None:
        return 0
    acting = {seat: levels[seat] for seat in sorted(state.asked) if seat in levels}
    slow = {seat: level for seat, level in acting.items() if level in SLOW and state.position is not None}
    if slow:
        if not _claimed(game):
            return 0
        thoughts = [partial(_think, game, state, seat, level) for seat, level in slow.items()]
        thinkers.ask(game.pk, thoughts, failed=partial(_wait, game.pk))
    moved = False
    for seat, level in acting.items():
        if seat in slow:
            continue
        answer = _act(game, state, seat, level)
        moved |= answer is not None and not answer.code
        if moved and state.position is not None and state.phase != GIVE:
            break  # what was said openly is heard by the others before they speak
    if state.may_act and not state.to_act:
        _look_again(game)
    return int(moved)


def _think(game: Game, state: TableState, seat: int, level: str, turn: Turn) -> None:
    """Let a slow bot find its play, if the decision is still open when its turn to think comes."""
    is_open = Game.objects.filter(pk=game.pk, decision=state.decision_id, frozen=False).exists()
    connection.close()  # nobody holds one while a search runs
    if is_open:
        _act(game, state, seat, level, turn)


def _look_again(game: Game) -> None:
    """Let the bots of a game in which nobody must act look up again when they have thought for a while."""
    pace = timedelta(milliseconds=settings.TOCK_BOT_PACE_MS)
    with writing():
        Game.objects.filter(pk=game.pk, bot_at=game.bot_at).update(bot_at=clock.now() + pace)


def _claimed(game: Game) -> bool:
    """Return whether the game is this process's to think about: nobody claimed it or wrote in it since it was read.

    The next row of the game ends the claim, for it sets `bot_at` anew.
    """
    with writing():
        return bool(Game.objects.filter(pk=game.pk, bot_at=game.bot_at).update(bot_at=clock.now() + CLAIM))


def _act(game: Game, state: TableState, seat: int, level: str, turn: Turn | None = None) -> play.Answer | None:
    """Let the bot act; return None where it has nothing to say and need not."""
    line = _choose(state, seat, level, turn) if state.position is not None else ""
    if not line and state.position is not None:
        return None
    kind, args = ("play", {"play": line}) if line else ("ready", {})
    return play.submit(
        game_id=game.pk,
        seat=seat,
        command_id=str(uuid.uuid4()),
        turn=state.decision_id,
        kind=kind,
        args=args,
        by=BOT,
    )


def _choose(state: TableState, seat: int, level: str, turn: Turn | None) -> str:
    """Return the bot's line. It gets what the seat's own screen gets and the cards everybody saw laid, nothing else."""
    seen = view(state, Viewer(seat))
    if "legal" not in seen and seat not in state.to_act:
        return ""
    given = {"legal": seen["legal"], "level": level, "seat": seat, "seen": state.setup.family.laid(state)}
    if turn is None:
        return at_table.answer(seen, **given, roll=secrets.randbelow)
    try:
        return thinkers.processes.search({"view": seen, **given}, turn.left())
    except NoProcess:
        with thinkers.in_this_process():
            return at_table.answer(seen, **given, roll=secrets.randbelow, time_up=turn)


def _wait(game_id: int) -> None:
    """Put a game aside for five seconds, so that one fault does not occupy the scheduler."""
    with writing():
        Game.objects.filter(pk=game_id).update(bot_at=clock.now() + AFTER_FAULT)
