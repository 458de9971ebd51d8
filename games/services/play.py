"""The only way for a request of a player, a guest or a bot to enter a game: `submit`.

Locks: one transaction; the Game row is locked first, and nothing earlier in the order competition, match, game, case,
ladder is locked after it. On SQLite the process's write lock replaces the row lock. Everything is decided on the rows
as they are then: login, seat, epoch, decision and deadline are checked inside. A refusal writes nothing.

Group commit: commands of different tables that wait at the same moment share one transaction, `submit_group`. Games are
locked in the order of their tables, and a game that is locked elsewhere is left for later, so groups cannot block each
other. A command that other apps hear of within the transaction (the end of a game, a call) is the last of its group, so
nothing later in the lock order is held while a game is locked.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.db import InterfaceError, OperationalError

from games import store
from games.fold import TableState
from games.models import Game, Table
from games.permissions import Person, holds
from tock_league.common.transactions import writing

from . import credits
from .actions import ACTIONS, tell_call
from .record import Draft
from .requests import Answer, Nak, Request
from .results import conclude

log = logging.getLogger(__name__)

LEAVING_OPEN = (
    "ready",
    "share",
    "take_back",
    "resign",
    "phrase",
    "dispute",
)  # kinds that do not answer a particular decision
EVERYWHERE = (*LEAVING_OPEN, "play", "touch")  # kinds that a table of any family accepts


def submit(
    *, game_id: int, seat: int, command_id: str, turn: str, kind: str, args: Mapping[str, str], by: Person
) -> Answer:
    """Carry out a request of `by` for `seat` in the game, once, and return the answer. Idempotent by id and body.

    Refusals are answers: `auth` (the login has ended), `seat_lost`, `id_reused`, `stale_turn`, `not_your_turn`,
    `too_late`, `frozen`, `illegal` (with the rule in `why`), `internal` (send it again).
    """
    return submit_one(
        Request(table_id=0, game_id=game_id, seat=seat, id=command_id, turn=turn, kind=kind, args=args, by=by)
    )


def submit_one(request: Request) -> Answer:
    """Carry one request out in a transaction of its own; see `submit`."""
    locked: store.Locked | None = None
    try:
        with writing():
            locked = _lock(request)
            if locked is None:
                raise Game.DoesNotExist(f"table {request.table_id}, game {request.game_id}")
            return _carry_out(locked, request)[0]
    except Nak as nak:
        return _refusal(locked, request, nak)
    except store.LostRace:
        return Answer(request.id, locked.game.last_seq if locked else 0, code="internal", why="lost_race", retry=True)


def submit_group(requests: Sequence[Request], *, between: Callable[[], object] = lambda: None) -> list[Answer | None]:
    """Carry out requests of different tables, each as `submit_one` would, and return their answers in the same order.

    Requests that wait together share a commit; all are answered after it. None: the game is locked elsewhere, and the
    request has to wait by itself. An error of one request rolls the group back, and its requests are carried out one by
    one, so an error costs the others only time. `between` is called before each further transaction, which may have to
    wait. Raises the OperationalError or InterfaceError of a shared transaction; transactions before it stay committed,
    and a retry of their requests gets their answers.
    """
    answers: dict[int, Answer | None] = {}
    waiting = sorted(range(len(requests)), key=lambda place: requests[place].table_id)
    tries = 0
    while waiting:
        if tries:
            between()
        tries += 1
        done = _together(requests, waiting)
        if not done:
            tries += 1
            for place in waiting:
                done[place] = _alone(requests[place])
                between()
        if tries > 1:
            done = {place: answer and replace(answer, tries=tries) for place, answer in done.items()}
        answers |= done
        waiting = [place for place in waiting if place not in answers]
    return [answers[place] for place in range(len(requests))]


def _together(requests: Sequence[Request], waiting: Sequence[int]) -> dict[int, Answer | None]:
    """Carry out as many of the waiting requests as fit into one transaction; return their answers.

    Returns an empty dict when an error rolled the transaction back. Raises OperationalError and InterfaceError.
    """
    done: dict[int, Answer | None] = {}
    try:
        with writing():
            for place in waiting:
                request = requests[place]
                locked = _lock(request, skip_locked=True)
                if locked is None:
                    done[place] = None
                    continue
                try:
                    done[place], closes = _carry_out(locked, request)
                except Nak as nak:
                    done[place] = _refusal(locked, request, nak)
                    continue
                if closes:
                    break
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        log.info("a group of %d commands is carried out one by one: %s", len(waiting), type(error).__name__)
        return {}
    return done


def _alone(request: Request) -> Answer:
    try:
        return submit_one(request)
    except (OperationalError, InterfaceError) as error:
        log.warning("command at table %s: %s", request.table_id, type(error).__name__)
        return Answer(request.id, 0, code="internal", why="busy", retry=True)
    except Exception:
        log.exception("command at table %s", request.table_id)
        return Answer(request.id, 0, code="internal", why="internal", retry=True)


def _lock(request: Request, *, skip_locked: bool = False) -> store.Locked | None:
    if request.game_id is not None:
        return store.lock(request.game_id)
    return store.lock_current(request.table_id, skip_locked=skip_locked)


def _refusal(locked: store.Locked | None, request: Request, nak: Nak) -> Answer:
    seq = locked.game.last_seq if locked is not None else 0
    return Answer(request.id, seq, code=nak.code, why=nak.why, retry=nak.retry, until=nak.until)


def _carry_out(locked: store.Locked, command: Request) -> tuple[Answer, bool]:
    """Carry out the request in the locked game; return the answer, and whether the transaction must end with it.

    Raises Nak before anything is written.
    """
    game, login = locked.game, command.login
    asked = store.check(
        locked,
        command.id,
        session_key=login.session_key if login is not None else "",
        token_id=login.token_id if login is not None else None,
        user_id=login.user_id if login is not None else None,
    )
    if login is not None and not login.stands(asked.login):
        raise Nak("auth", "signed_out")
    seating = asked.seats.get(command.seat)
    if seating is None or not holds(seating, command.by):
        raise Nak("seat_lost")
    if asked.known is not None:
        seq, digest = asked.known
        if digest != command.digest:
            raise Nak("id_reused")
        return Answer(command.id, seq, dup=True), False
    if command.game and command.game != game.slug:
        raise Nak("stale_turn", "other_game")
    draft = _draft(locked, asked, command)
    row = next(row for row in draft.rows if row.command_id)  # a credit may come before it
    conclude(draft)
    if command.kind == "dispute":
        tell_call(draft, command, command.by)
    return Answer(command.id, row.seq), draft.ends or command.kind == "dispute"


def _draft(locked: store.Locked, asked: store.Asked, command: Request) -> Draft:
    """Return the rows that the command writes; raises Nak if the rules or the table refuse it."""
    game = locked.game
    if game.table.state == Table.State.CLOSED:
        raise Nak("frozen", "closed")
    state = store.current(game)
    draft = Draft.of(game, state, before=locked.before, bots=asked.bots)
    if command.kind not in EVERYWHERE and command.kind not in state.setup.family.kinds:
        raise Nak("illegal", "not_in_this_game")
    if credits.begin(draft):
        state = draft.state
    _check_turn(state, command, draft.at)
    if state.frozen is not None:
        raise Nak("frozen", "referee", retry=True)
    if state.is_out(command.seat) and state.result is None and command.kind != "share":
        raise Nak("illegal", "out")
    ACTIONS[command.kind](draft, command)
    return draft


def _check_turn(state: TableState, command: Request, now: int) -> None:
    """Refuse a command for another decision, for another seat's, or after the deadline."""
    epoch, seq = (int(part) for part in command.turn.split("."))
    if epoch != state.epoch or seq > state.decision:
        raise Nak("stale_turn")
    if command.kind in LEAVING_OPEN:
        return
    if seq != state.decision or state.result is not None:
        raise Nak("stale_turn")
    if command.seat not in state.may_act:
        raise Nak("not_your_turn")
    if state.position is None:
        raise Nak("frozen", "not_dealt")
    if state.clocks is not None and state.clocks.due and now > state.clocks.due:
        raise Nak("too_late")
