"""Deadlines are rows: claim those that are due, fold again, and act only if the decision is still the one that is due.

The scheduler checks on waking instead of keeping timers that must be cancelled. Every web process claims what its alarm
or a check every two seconds finds (`SKIP LOCKED` on PostgreSQL, the write lock on SQLite). A Celery task is the
fallback. Several of them may run at once.
"""

import logging
from collections.abc import Sequence

from games import store
from games.announcements import PlaysRecorded
from games.fold import CLOCK, ClockSettings, TableState, acts, caps, rivals
from games.models import Game, Table
from tock_league.common import bus, clock
from tock_league.common.transactions import writing

from . import beacon, calls, credits
from .alarm import look
from .leaving import give_up
from .pulse import heart
from .record import Draft, follow, index, play_default
from .results import conclude

log = logging.getLogger(__name__)
SIT_DOWN_MS = 120_000  # at least this time to come back and sit down after an outage


def claim_due(due: Sequence[int] | None = None) -> int:
    """Carry out the deadlines that have passed; return how many games were changed.

    `due`: the games with a passed deadline; None: find them.
    """
    if not heart.served(clock.now_ms()):
        return 0  # the task runs while no process serves the tables: nobody is late
    done = 0
    for game_id in look().deadlines if due is None else due:
        try:
            done += _claim(game_id)
        except store.LostRace:
            continue  # a command came first; the next round checks again
        except Exception:
            log.exception("deadline of game %s", game_id)
    return done


def _claim(game_id: int) -> int:
    with writing():
        game = (
            Game.objects.select_related("table")
            .select_for_update(of=("self",), skip_locked=True)
            .filter(pk=game_id, due_at__lte=clock.now())
            .first()
        )
        if game is None:
            return 0
        if game.due_kind == "no_show":
            _no_show(game)
        elif game.due_kind == "referee":
            _go_on(game)
        elif game.due_kind in ("draw", "shares"):
            _step(game)
        elif game.due_kind == "beacon":
            beacon.carry_out(game)
        elif game.due_kind == "cap":
            _call(game)
        else:
            _time_out(game)
        return 1


def running() -> list[int]:
    """Return the games in which time is running that an outage may have taken."""
    kinds = ("decision", "referee", "draw", "shares", "beacon", "cap")
    return list(Game.objects.filter(due_kind__in=kinds).values_list("pk", flat=True))


def give_back(game_id: int) -> bool:
    """Credit a game with the outage that has just ended, so that its screens show the right time; return whether there
    was one.

    A command, a deadline or a referee does the same if it comes first.
    """
    with writing():
        found = Game.objects.select_related("table").select_for_update(of=("self",), skip_locked=True)
        game = found.filter(pk=game_id).first()
        if game is None:
            return False
        draft = Draft.of(game, store.current(game))
        if not credits.begin(draft):
            return False
        conclude(draft)
        return True


def _step(game: Game) -> None:
    """Continue automatically: draw the next cards, take the next deck, deal without the shares that are missing. What
    is not due yet is done later.
    """
    draft = Draft.of(game, store.current(game))
    credits.begin(draft)
    follow(draft)
    if draft.rows:
        conclude(draft)
    else:
        index(game, draft.state)
        game.save()


def _call(game: Game) -> None:
    """The time of the game is up: make the call; what follows from it is written with it."""
    draft = Draft.of(game, store.current(game))
    credits.begin(draft)
    cap = draft.state.setup.cap
    if cap is not None and caps.is_due(draft.state, draft.at):
        draft.act(acts.Cap(call=cap.call), CLOCK)
    if draft.rows:
        conclude(draft)
    else:
        index(game, draft.state)
        game.save()


def _time_out(game: Game) -> None:
    """Record the time-outs, then the default plays or the forfeit. Where nobody must act the table only passes."""
    draft = Draft.of(game, store.current(game))
    if credits.begin(draft):
        conclude(draft)
        return
    state = draft.state
    due = state.clocks.due if state.clocks is not None and state.to_act else 0
    if not due or draft.at <= due:
        game.due_at, game.due_kind = (clock.from_ms(due + 1), "decision") if due else (None, "")
        game.save(update_fields=["due_at", "due_kind", "updated_at"])
        return
    late = sorted(state.to_act)
    for seat in late if state.setup.family.counts_timeouts(state) else ():
        draft.act(acts.Timeout(seat=seat, n=state.timeouts[seat] + 1), CLOCK)
    losers = {state.team(seat) for seat in late if _too_often(game.table, draft.state, seat)}
    if losers:
        _forfeit(draft, losers, "forfeit_timeouts")
    for seat in late if draft.state.result is None else ():
        if state.team(seat) not in losers:
            play_default(draft, seat)
    conclude(draft)


def _go_on(game: Game) -> None:
    """Continue a frozen game for which no ruling came in time, with a mark; the case is decided after the game."""
    draft = Draft.of(game, store.current(game))
    if credits.begin(draft):
        conclude(draft)
        return
    frozen = draft.state.frozen
    if frozen is None or draft.at < frozen.until:
        index(game, draft.state)
        game.save()
        return
    why = calls.go_on(draft)
    conclude(draft)
    calls.tell_unanswered(game, frozen.seq, why)


def _no_show_later(game: Game) -> int:
    """Return when (ms) absent players are late, with outages added: nobody could sit down meanwhile.

    They have as much time as without the outage, and at least two minutes after it.
    """
    assert game.due_at is not None
    table, now = game.table, clock.now_ms()
    spans = heart.outages(now)
    if not spans or table.clocks is None:
        return clock.ms(game.due_at)
    opened = store.rows_of(game, upto=1)[0].at if game.number > 1 or table.kind == Table.Kind.CASUAL else 0
    since = max(opened, clock.ms(table.starts_at) if table.starts_at is not None else 0)
    due = since + ClockSettings.from_json(table.clocks).no_show_s * 1000
    for begin, end in spans:
        if end > since and begin < due:
            due = max(due + end - max(begin, since), end + SIT_DOWN_MS)
    return max(due, clock.ms(game.due_at))


def _too_often(table: Table, state: TableState, seat: int) -> bool:
    """Return whether the seat has used all its default plays; never at practice, never where bots may play."""
    settings = state.setup.clocks
    if settings is None or not table.forfeits or table.bots_allowed:
        return False
    return state.timeouts[seat] > settings.timeouts


def _forfeit(draft: Draft, losers: set[int], reason: str) -> None:
    give_up(draft, losers, acts.Forfeit(teams=tuple(sorted(losers)), reason=reason), CLOCK)


def _no_show(game: Game) -> None:
    """Forfeit the game for the teams that are not complete; if no team is, close the table and leave it to the
    organiser.
    """
    table, state = game.table, store.current(game)
    later = _no_show_later(game)
    if later > clock.now_ms():
        game.due_at = clock.from_ms(later)
        game.save(update_fields=["due_at", "updated_at"])
        return
    game.due_at, game.due_kind = None, ""
    if state.position is not None or state.result is not None or table.bots_allowed:
        game.save(update_fields=["due_at", "due_kind", "updated_at"])
        return
    absent = {state.team(seat) for seat in state.to_act}
    if rivals(state, absent):
        draft = Draft.of(game, state)
        _forfeit(draft, absent, "no_show")
        conclude(draft)
        return
    game.save(update_fields=["due_at", "due_kind", "updated_at"])
    table.state = Table.State.CLOSED
    table.save(update_fields=["state", "updated_at"])
    bus.publish(PlaysRecorded(table_id=table.pk, game_id=game.pk, seq=game.last_seq))
