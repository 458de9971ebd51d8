"""What each kind of command does at a table: it adds a row to the draft, or is refused with the rule. It writes
nothing.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from games.announcements import RefereeCalled, SeatTaken
from games.engine.errors import EngineError
from games.fold import acts, by_seat, finished, take_back_target
from games.fold.phases import GIVE, TOUCHING
from games.models import Table
from games.permissions import Person
from tock_league.common import bus, clock
from tock_league.common.errors import Refused

from . import calls
from .leaving import give_up
from .record import Draft
from .requests import Nak, Request

PHRASES_PER_SEAT = 10  # in one game
PHRASES_AFTER = timedelta(days=1)  # since the end, and long before its record is archived


def _ready(draft: Draft, command: Request) -> None:
    state = draft.state
    if state.position is not None or state.result is not None:
        raise Nak("stale_turn")
    if state.ready[command.seat]:
        raise Nak("illegal", "already_ready")
    share = command.args.get("share")
    if share is not None and not state.shares.root:
        raise Nak("illegal", "no_shares")
    _may_sit_down(draft.game.table, command.by)
    _add(draft, command, acts.Ready(seat=command.seat, share=share))


def _share(draft: Draft, command: Request) -> None:
    """Open the seat's share of the shuffle; it must be the one that the seat committed to when it was ready."""
    state, value = draft.state, command.args["value"]
    shares = state.shares
    if state.result is not None or shares.closed:
        raise Nak("stale_turn")
    if not shares.open:
        raise Nak("illegal", "not_all_ready" if shares.root else "no_shares")
    if not shares.committed[command.seat]:
        raise Nak("illegal", "no_commitment")
    if shares.opened[command.seat]:
        raise Nak("illegal", "already_open")
    if draft.at > shares.until:
        raise Nak("too_late")
    if not shares.fits(state.setup.game, command.seat, value):
        raise Nak("illegal", "other_share")
    _add(draft, command, acts.Share(seat=command.seat, value=value))


def _may_sit_down(table: Table, person: Person) -> None:
    """Refuse a player whom an app above keeps away from matches. Practice is open to everybody."""
    if table.kind != Table.Kind.MATCH or person.player_id is None:
        return
    try:
        bus.publish(SeatTaken(table_id=table.pk, player_id=person.player_id))
    except Refused as refusal:
        until = refusal.details.get("until", "")
        raise Nak("illegal", refusal.code, until=clock.ms(datetime.fromisoformat(until)) if until else 0) from None


def _touch(draft: Draft, command: Request) -> None:
    """Touch a card, then a marble; each must leave a play that uses it (rulebook section 8)."""
    state, card, marble = draft.state, command.args.get("card"), command.args.get("marble")
    if not state.setup.touches or state.phase not in TOUCHING:
        raise Nak("illegal", "no_touch")
    open_plays = state.legal(command.seat)
    if all(line.startswith("burn ") for line in open_plays):
        raise Nak("illegal", "only_burns")
    if card is not None:
        if state.touch.card:
            raise Nak("illegal", "touched_card")
        if not state.may_touch_card(command.seat, card):
            raise Nak("illegal", "not_playable")
        _add(draft, command, acts.Touched(seat=command.seat, card=card))
        return
    assert marble is not None
    if not state.touch.card:
        raise Nak("illegal", "card_first")
    if marble in state.touch.marbles:
        raise Nak("illegal", "touched_marble")
    if not state.may_touch_marble(command.seat, marble):
        raise Nak("illegal", "touched_marble" if state.touch.marbles else "not_playable")
    _add(draft, command, acts.Touched(seat=command.seat, marble=marble))


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
        # The record gets the engine's own notation, whichever equivalent one was sent.
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
    """Lay a card aside: final, and secret until all have done so."""
    if draft.state.phase != GIVE:
        raise Nak("illegal", "no_exchange")
    if f"give {card}" not in draft.state.legal(command.seat):
        raise Nak("illegal", "no_such_card")
    _add(draft, command, acts.GiveSealed(seat=command.seat, card=card))


def _resign(draft: Draft, command: Request) -> None:
    state = draft.state
    if state.result is not None:
        raise Nak("stale_turn")
    if state.position is None:
        raise Nak("illegal", "not_dealt")
    team = state.team(command.seat)
    if team in finished(state):
        raise Nak("illegal", "finished")
    act = acts.Resign(seat=command.seat, reason="resigned")
    give_up(draft, {team}, act, by_seat(command.seat), command=(command.id, command.digest))


def _take_back(draft: Draft, command: Request) -> None:
    """Take the seat's own last play back, and what bots have answered. Chance is not drawn again."""
    state, table, seat = draft.state, draft.game.table, command.seat
    if state.result is not None:
        raise Nak("stale_turn")
    others = set(range(table.seats)) - {seat}
    if table.kind != Table.Kind.PRACTICE or not others <= set(draft.bots or ()):
        raise Nak("illegal", "only_against_bots")
    to = take_back_target(state, seat)
    if to is None:
        raise Nak("illegal", "nothing_to_take_back")
    act = acts.Rewind(to=to.decision, by="seat", seat=seat)
    draft.act(act, by_seat(seat), command=(command.id, command.digest), epoch=1)


def _phrase(draft: Draft, command: Request) -> None:
    """Say a preset phrase, only before the first deal and after the end: players are silent at the table. A seat may say
    PHRASES_PER_SEAT of them in a game, so that nobody floods its record, and until PHRASES_AFTER its end.
    """
    state = draft.state
    if state.position is not None and state.result is None:
        raise Nak("frozen", "silence")
    if state.phrases[command.seat] >= PHRASES_PER_SEAT:
        raise Nak("illegal", "phrases_used")
    ended = draft.game.finished_at
    if ended is not None and clock.from_ms(draft.at) > ended + PHRASES_AFTER:
        raise Nak("illegal", "long_over")
    _add(draft, command, acts.Phrase(seat=command.seat, code=command.args["code"]))


def _dispute(draft: Draft, command: Request) -> None:
    """Call the referee: in the same transaction the clocks stop, or, if nobody is on duty, the place in the record is
    marked.
    """
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
        raise Nak("too_late", retry=True)  # a time-out that is due takes precedence
    _add(draft, command, acts.Dispute(seat=command.seat, kind=command.args.get("kind") or "other"))
    calls.answer(draft, command.seat)


def tell_call(draft: Draft, command: Request, by: Person) -> None:
    """Announce the call, and, if nobody is on duty, that it is not answered; in the play's transaction."""
    call = next(row for row in draft.rows if row.code == acts.Dispute.word)
    said = acts.read(call)
    assert isinstance(said, acts.Dispute)
    bus.publish(
        RefereeCalled(
            game_id=draft.game.pk,
            table_id=draft.game.table_id,
            seat=command.seat,
            player_id=by.player_id,
            seq=call.seq,
            kind=said.kind,
            text=command.args.get("text", ""),
            frozen=draft.state.frozen is not None,
        )
    )
    if draft.state.frozen is None:
        calls.tell_unanswered(draft.game, call.seq, "no_referee")


def _add(draft: Draft, command: Request, act: acts.Act) -> None:
    draft.act(act, by_seat(command.seat), command=(command.id, command.digest))


ACTIONS: Mapping[str, Callable[[Draft, Request], None]] = {
    "ready": _ready,
    "share": _share,
    "touch": _touch,
    "play": _play,
    "burn": _burn,
    "exchange": _exchange,
    "show": _show,
    "pass": _pass,
    "bury": _bury,
    "take_back": _take_back,
    "resign": _resign,
    "phrase": _phrase,
    "dispute": _dispute,
}
