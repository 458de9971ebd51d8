"""Let the built-in bots play: they only know their seat's view, and act through `play.submit` like everybody.

No state is kept between rounds: `Game.bot_at` says when a bot has thought long enough. A slow bot's game is claimed in
its row first, so that only one of several processes thinks. A restart loses nothing.

The time of a play must not tell what a bot holds: a choice among few plays is made sooner than one among many. So bots
choose first, and what they chose is sent TOCK_BOT_PAD_MS after they began; a bot that searches sends its play when its
time is over, also if it had only one play (docs/decisions/0027).
"""

import logging
import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
# For this time other processes leave a claimed game alone: longer than any search, including the start of a search
# process.
CLAIM = timedelta(seconds=START_S + BUDGET_S + GRACE_S + 1)
SLOW = frozenset({"master"})  # levels that search for a time; the others choose in 0.1 ms
thinkers = Thinkers()


@dataclass(frozen=True, slots=True)
class _Meant:
    """What the bots of a game are about to send: (seat, line) in the order of the seats; a line may be empty."""

    game: Game
    state: TableState
    lines: Sequence[tuple[int, str]]


def act_due(due: Sequence[int] | None = None, *, until: float | None = None) -> int:
    """Let bots act in the games that wait for one, the longest wait first; return how many games moved.

    `due`: these games; None: find them, at most 20. `until`: of `clock.monotonic()`; no further game is begun after it.
    """
    waiting = look().bots if due is None else due
    began, meant, done = clock.monotonic(), list[_Meant](), 0
    for begin in range(0, len(waiting), store.READ):
        few = waiting[begin : begin + store.READ]
        if until is not None and clock.monotonic() > until:
            break  # the others are found again and then come first
        found = store.with_bots(few)
        for game_id in few:
            try:
                meant += _meant(*found[game_id]) if game_id in found else ()
            except Exception:
                _failed(game_id)
    if meant:
        _rest(began)
    for number, each in enumerate(meant):
        if until is not None and number >= store.READ and clock.monotonic() > until:
            break
        try:
            done += _sent(each)
        except Exception:
            _failed(each.game.pk)
    return done


def act(game_id: int) -> int:
    """Let the bots of one game act at once; return 1 if one did."""
    return sum(_sent(each) for each in _meant(*store.with_bots([game_id])[game_id]))


def _failed(game_id: int) -> None:
    log.exception("bot in game %s", game_id)
    _wait(game_id)


def _rest(began: float) -> None:
    """Wait until what bots have chosen since `began` may be sent."""
    if (left := began + settings.TOCK_BOT_PAD_MS / 1000 - clock.monotonic()) > 0:
        clock.pause(left)


def _meant(game: Game, levels: Mapping[int, str]) -> Sequence[_Meant]:
    """Let the bots whose turn it is choose; return what they will send. Slow bots only begin to think."""
    state = store.current(game)
    if state.frozen is not None:
        return ()
    acting = {seat: levels[seat] for seat in sorted(state.asked) if seat in levels}
    slow = {seat: level for seat, level in acting.items() if level in SLOW and state.position is not None}
    if slow:
        if not _claimed(game):
            return ()
        thoughts = [partial(_think, game, state, seat, level) for seat, level in slow.items()]
        thinkers.ask(game.pk, thoughts, failed=partial(_wait, game.pk))
    quick = {seat: level for seat, level in acting.items() if seat not in slow}
    return [_Meant(game, state, [(seat, _line(state, seat, level, None)) for seat, level in quick.items()])]


def _sent(meant: _Meant) -> int:
    """Send what the bots of a game chose; return 1 if one acted.

    Where several seats may act and all see it, only the first bot that has something to say acts.
    """
    game, state, moved = meant.game, meant.state, False
    for seat, line in meant.lines:
        answer = _send(game, state, seat, line)
        moved |= answer is not None and not answer.code
        if moved and state.position is not None and state.phase != GIVE:
            break  # what is said openly must reach the others before they speak
    if state.may_act and not state.to_act:
        _look_again(game)
    return int(moved)


def _think(game: Game, state: TableState, seat: int, level: str, turn: Turn) -> None:
    """Let a slow bot find its play, if the decision is still open when its turn to think comes."""
    is_open = Game.objects.filter(pk=game.pk, decision=state.decision_id, frozen=False).exists()
    connection.close()  # no database connection is held during a search
    if is_open:
        began = clock.monotonic()
        line = _line(state, seat, level, turn)
        if state.phase == GIVE:  # nobody searches for a card to give
            _rest(began)
        elif settings.TOCK_BOT_PAD_MS:
            turn.rest(settings.TOCK_BOT_PAD_MS / 1000)
        _send(game, state, seat, line)


def _look_again(game: Game) -> None:
    """Let the bots of a game in which nobody must act think again after a while."""
    pace = timedelta(milliseconds=settings.TOCK_BOT_PACE_MS)
    with writing():
        Game.objects.filter(pk=game.pk, bot_at=game.bot_at).update(bot_at=clock.now() + pace)


def _claimed(game: Game) -> bool:
    """Claim the game for this process; return False if it was claimed or written to since it was read.

    The next row of the game ends the claim, because it sets `bot_at` anew.
    """
    with writing():
        return bool(Game.objects.filter(pk=game.pk, bot_at=game.bot_at).update(bot_at=clock.now() + CLAIM))


def _line(state: TableState, seat: int, level: str, turn: Turn | None) -> str:
    """Return what the bot plays, "" if it gets ready or has nothing to say."""
    return _choose(state, seat, level, turn) if state.position is not None else ""


def _send(game: Game, state: TableState, seat: int, line: str) -> play.Answer | None:
    """Send the bot's line; return None if it has nothing to say and need not act."""
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
    """Return the bot's line. It gets the view of its seat and the cards that everybody saw laid, nothing else."""
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
    """Postpone a game by five seconds, so that one failing game does not block the scheduler."""
    with writing():
        Game.objects.filter(pk=game_id).update(bot_at=clock.now() + AFTER_FAULT)
