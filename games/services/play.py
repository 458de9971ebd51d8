"""submit: the one way in which a player's, a guest's or a bot's request enters a game.

The locking story: one transaction; the Game row is locked first and nothing earlier in the order competition, match, game,
case, ladder is locked after it. On SQLite the process's write lock stands for the row lock. What is decided is decided on the
rows as they are then: login, seat, epoch, decision and deadline are checked inside. A refusal writes nothing.

Group commit: commands of different tables that wait at the same moment share one transaction, `submit_group`. Games are locked
in the order of their tables and a game that is locked elsewhere is left for later, so groups cannot block each other; a command
that other apps hear of within the transaction (the end of a game, a call) is the last of its group, so nothing later in the
lock order is held while a game is locked.
"""

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from django.db import InterfaceError, OperationalError

from games import store
from games.announcements import RefereeCalled
from games.engine.errors import EngineError
from games.fold import TableState, by_seat, canonical, finished, legal
from games.fold.phases import GIVE
from games.models import Game, Table
from games.permissions import Login, Person, holds
from tock_league.common import bus
from tock_league.common.transactions import writing

from . import calls, credits
from .leaving import give_up
from .record import Draft
from .results import conclude

log = logging.getLogger(__name__)

TOUCHING = ("play", "joker")  # the phases in which a card is laid and a marble touched
LEAVING_OPEN = ("ready", "resign", "phrase", "dispute")  # kinds that never answer one particular decision
EVERYWHERE = (*LEAVING_OPEN, "play", "touch")  # kinds that a table of any family answers


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command led to. `code` empty: committed, and `seq` is its row; else the refusal's code, and `seq` the last
    row of the game, `why` the finer reason, `retry` whether the same id may be sent again. `tries`: the transactions it took
    part in."""

    id: str
    seq: int
    dup: bool = False
    code: str = ""
    why: str = ""
    retry: bool = False
    tries: int = field(default=1, compare=False)


class Nak(Exception):
    """A refusal; undoes the transaction."""

    def __init__(self, code: str, why: str = "", *, retry: bool = False) -> None:
        super().__init__(code)
        self.code, self.why, self.retry = code, why or code, retry


@dataclass(frozen=True)
class Request:
    """What `by` asks for `seat` at a table: in the game `game_id`, or in the table's current one.

    `turn`: the decision the command answers, `epoch.seq`. `game`: the public id of the game it is about, if the sender says so:
    one that was sent in a game that is over acts in no other. `kind`, `args`: as in `tock.table.v1`. `login`: what a person
    signed in with, checked with the seat; None for bots and services.
    """

    table_id: int
    seat: int
    id: str
    turn: str
    kind: str
    args: Mapping[str, str]
    by: Person
    login: Login | None = None
    game_id: int | None = None
    game: str = ""

    @cached_property
    def digest(self) -> str:
        """What tells a retry from an id used twice. What a caller says is left out: it can be erased, so no trace stays."""
        args = {name: value for name, value in self.args.items() if name != "text"}
        return hashlib.sha256(
            canonical({"seat": self.seat, "turn": self.turn, "kind": self.kind, "args": args})
        ).hexdigest()


def submit(
    *, game_id: int, seat: int, command_id: str, turn: str, kind: str, args: Mapping[str, str], by: Person
) -> Answer:
    """Do what `by` asks for `seat` in the game, once, and return the answer; the same id and body get the same for ever.

    Refusals are answers: `auth` (the login has ended), `seat_lost`, `id_reused`, `stale_turn`, `not_your_turn`, `too_late`,
    `frozen`, `illegal` (with the rule in `why`), `internal` (nothing was written; send it again).
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


def submit_group(requests: Sequence[Request]) -> list[Answer | None]:
    """Carry out requests of different tables, each as `submit_one` would, and return their answers in the same order.

    Requests that wait together share a commit; all answers are given after it. None: the game is locked elsewhere, and the
    request has to wait by itself. An error of one undoes the group, whose requests are then carried out one by one: nobody
    pays for somebody else's error but with time. Raises the database's errors while nothing is committed.
    """
    answers: dict[int, Answer | None] = {}
    waiting = sorted(range(len(requests)), key=lambda place: requests[place].table_id)
    tries = 0
    while waiting:
        tries += 1
        done = _together(requests, waiting)
        if not done:
            tries += 1
            done = {place: _alone(requests[place]) for place in waiting}
        if tries > 1:
            done = {place: answer and replace(answer, tries=tries) for place, answer in done.items()}
        answers |= done
        waiting = [place for place in waiting if place not in answers]
    return [answers[place] for place in range(len(requests))]


def _together(requests: Sequence[Request], waiting: Sequence[int]) -> dict[int, Answer | None]:
    """Carry out as many of the waiting requests as one transaction takes; return their answers, none when it failed."""
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
    return Answer(request.id, seq, code=nak.code, why=nak.why, retry=nak.retry)


def _carry_out(locked: store.Locked, command: Request) -> tuple[Answer, bool]:
    """Do what is asked for in the locked game; return the answer, and whether the transaction must end with it.

    Raises Nak before anything is written.
    """
    game, login = locked.game, command.login
    asked = store.check(
        game.table_id,
        command.id,
        session_key=login.session_key if login is not None else "",
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
        _tell_call(draft, command, command.by)
    return Answer(command.id, row.seq), draft.ends or command.kind == "dispute"


def _draft(locked: store.Locked, asked: store.Asked, command: Request) -> Draft:
    """Return the rows that the command writes; raises Nak where the rules or the table refuse it."""
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
    if state.is_out(command.seat) and state.result is None:
        raise Nak("illegal", "out")
    _ACTIONS[command.kind](draft, command)
    return draft


def _check_turn(state: TableState, command: Request, now: int) -> None:
    """Refuse a command for another decision, for somebody else's, or after the deadline."""
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


def _ready(draft: Draft, command: Request) -> None:
    state = draft.state
    if state.position is not None or state.result is not None:
        raise Nak("stale_turn")
    if state.ready[command.seat]:
        raise Nak("illegal", "already_ready")
    _add(draft, command, "ready", {"seat": command.seat})


def _touch(draft: Draft, command: Request) -> None:
    """A card, then a marble; each must leave a play that uses it (rulebook section 8)."""
    state, card, marble = draft.state, command.args.get("card"), command.args.get("marble")
    if not state.setup.touches or state.phase not in TOUCHING:
        raise Nak("illegal", "no_touch")
    open_plays = legal(state, command.seat)
    if all(line.startswith("burn ") for line in open_plays):
        raise Nak("illegal", "only_burns")
    if card is not None:
        if state.touch.card:
            raise Nak("illegal", "touched_card")
        if not any(line.split(" ", 1)[0] == card for line in open_plays):
            raise Nak("illegal", "not_playable")
        _add(draft, command, "touch", {"seat": command.seat, "card": card})
        return
    assert marble is not None
    if not state.touch.card:
        raise Nak("illegal", "card_first")
    if marble in state.touch.marbles:
        raise Nak("illegal", "touched_marble")
    if not state.setup.family.may_touch(state, marble):
        raise Nak("illegal", "touched_marble" if state.touch.marbles else "not_playable")
    _add(draft, command, "touch", {"seat": command.seat, "marble": marble})


def _play(draft: Draft, command: Request) -> None:
    text, state = command.args["play"], draft.state
    word, _, rest = text.partition(" ")
    if word == "give":
        _seal(draft, command, rest)
        return
    if state.phase == GIVE:
        raise Nak("illegal", "exchange_first")
    if word in state.setup.family.by_table:
        raise Nak("illegal", "chance")
    _make(draft, command, text)


def _make(draft: Draft, command: Request, text: str) -> None:
    """Add the play if the rules and the touches allow it: what was touched must be played."""
    state, engine, touch = draft.state, draft.state.setup.engine, draft.state.touch
    try:
        play = engine.parse_play(state.position, text, command.seat)
        engine.check(state.position, play, command.seat, card=touch.card or None, marbles=touch.marbles)
        # The engine's own spelling goes into the record, whatever harmless variant was sent.
        draft.play(engine.play_text(play), command.seat, by_seat(command.seat), command=(command.id, command.digest))
    except EngineError as error:
        raise Nak("illegal", error.code) from None


def _burn(draft: Draft, command: Request) -> None:
    if draft.state.phase == GIVE:
        raise Nak("illegal", "exchange_first")
    _make(draft, command, f"burn {command.args['card']}")


def _show(draft: Draft, command: Request) -> None:
    _make(draft, command, f"show {command.seat}: {command.args['cards']}")


def _pass(draft: Draft, command: Request) -> None:
    _make(draft, command, f"pass {command.seat}")


def _bury(draft: Draft, command: Request) -> None:
    _make(draft, command, f"bury {command.args['cards']}")


def _exchange(draft: Draft, command: Request) -> None:
    _seal(draft, command, command.args["card"])


def _seal(draft: Draft, command: Request, card: str) -> None:
    """Lay a card aside: final, shown to nobody else until all have."""
    if draft.state.phase != GIVE:
        raise Nak("illegal", "no_exchange")
    if f"give {card}" not in legal(draft.state, command.seat):
        raise Nak("illegal", "no_such_card")
    _add(draft, command, "give_sealed", {"seat": command.seat, "card": card})


def _resign(draft: Draft, command: Request) -> None:
    state = draft.state
    if state.result is not None:
        raise Nak("stale_turn")
    if state.position is None:
        raise Nak("illegal", "not_dealt")
    team = state.team(command.seat)
    if team in finished(state):
        raise Nak("illegal", "finished")
    body = {"seat": command.seat, "reason": "resigned"}
    give_up(draft, {team}, "resign", body, by_seat(command.seat), command=(command.id, command.digest))


def _phrase(draft: Draft, command: Request) -> None:
    """Preset words, before the first deal and after the end only: silence at the table."""
    state = draft.state
    if state.position is not None and state.result is None:
        raise Nak("frozen", "silence")
    _add(draft, command, "phrase", {"seat": command.seat, "code": command.args["code"]})


def _dispute(draft: Draft, command: Request) -> None:
    """Call the referee: in the same transaction clocks stop, or, where nobody is on duty, the place is marked."""
    state = draft.state
    if draft.game.table.kind != Table.Kind.MATCH:
        raise Nak("illegal", "no_referee")
    if state.result is not None:
        raise Nak("stale_turn", "over")
    if state.position is None:
        raise Nak("illegal", "not_dealt")
    if state.calls[command.seat] >= calls.PER_SEAT:
        raise Nak("illegal", "calls_used")
    if state.clocks is not None and state.clocks.due and draft.at > state.clocks.due:
        raise Nak("too_late", retry=True)  # a time-out that is due comes first
    _add(draft, command, "dispute", {"seat": command.seat, "kind": command.args.get("kind") or "other"})
    calls.answer(draft, command.seat)


def _tell_call(draft: Draft, command: Request, by: Person) -> None:
    call = next(row for row in draft.rows if row.code == "dispute")
    bus.publish(
        RefereeCalled(
            game_id=draft.game.pk,
            table_id=draft.game.table_id,
            seat=command.seat,
            player_id=by.player_id,
            seq=call.seq,
            kind=call.body["kind"],
            text=command.args.get("text", ""),
            frozen=draft.state.frozen is not None,
        )
    )
    if draft.state.frozen is None:
        calls.tell_unanswered(draft.game, call.seq, "no_referee")


def _add(draft: Draft, command: Request, code: str, body: Mapping[str, object]) -> None:
    draft.act(code, body, by_seat(command.seat), command=(command.id, command.digest))


_ACTIONS: Mapping[str, Callable[[Draft, Request], None]] = {
    "ready": _ready,
    "touch": _touch,
    "play": _play,
    "burn": _burn,
    "exchange": _exchange,
    "show": _show,
    "pass": _pass,
    "bury": _bury,
    "resign": _resign,
    "phrase": _phrase,
    "dispute": _dispute,
}
