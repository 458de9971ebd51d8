"""What a ruling does at a table: every power is an act of the record. The caller decides who may rule.

Arbitration calls these inside the transaction that signs a ruling, so the ruling and its acts are committed together.
Each locks the Game row, which comes before case and ladder in the lock order. `ref` names the effect, such as
"TL-2026-000123/1/2". It is stored as the command id of the act, which is UNIQUE in its game, so each effect is
idempotent.

All functions but `end_view` and `appoint` also raise Conflict `game_over` and Refused `not_dealt`; those with a `ref`
raise Conflict `ref_reused` if it is in the record with another content.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from games import store
from games.fold import REFEREE, TableState, acts, canonical, rewind_target
from games.models import Game, SeatView, Table, TableRole
from games.permissions import REFEREES
from tock_league.common import clock
from tock_league.common.errors import Broken, Conflict, Refused
from tock_league.common.transactions import writing

from . import credits
from .leaving import give_up
from .record import Draft
from .results import conclude

MIN_WAIT_MS = 300_000  # a referee's own freeze ends after this time, or after the table's wait if that is longer
MAX_ADJUST_MS = 3_600_000
BY = "referee"  # of an act that a ruling wrote
REF = 36  # characters of a ref


@dataclass(frozen=True, slots=True)
class Done:
    """Where the act is in the record; `dup`: it was there already."""

    seq: int
    dup: bool = False


@dataclass(frozen=True, slots=True)
class _Order:
    """The requested act: its code and content, with the name of the effect that requests it."""

    code: str
    ref: str
    body: Mapping[str, Any]

    @property
    def digest(self) -> str:
        return hashlib.sha256(canonical({"act": self.code, **self.body})).hexdigest()

    @property
    def command(self) -> tuple[str, str]:
        return self.ref, self.digest


def freeze(*, game_id: int, ref: str) -> Done:
    """Stop the game and its clocks without a call. Raises Conflict: `frozen` (it is already), `game_over`; Refused
    `not_dealt`.
    """
    order = _Order("freeze", ref, {})
    with writing():
        draft, known = _begin(game_id, order)
        if known is not None:
            return known
        if draft.state.frozen is not None:
            raise Conflict("frozen", _("Play at this table is stopped already."))
        wait = max(MIN_WAIT_MS, draft.game.table.referee_wait_s * 1000)
        return _act(draft, order, acts.Freeze(by=BY, until=draft.at + wait))


def hold(*, game_id: int, until: datetime) -> None:
    """Record that a referee has taken the case: the frozen table waits until then. Idempotent for the same moment.

    Raises Conflict: `not_frozen`, `game_over`.
    """
    with writing():
        draft, _known = _begin(game_id, None)
        frozen, at = _frozen(draft.state), clock.ms(until)
        if not frozen.held or frozen.until != at:
            draft.act(acts.Hold(until=at, again=True if frozen.held else None), REFEREE)
            conclude(draft)


def free(*, game_id: int) -> None:
    """Record that the referee has the case no more: the table waits for another one, for its usual time at least.

    Nothing happens at a table that no referee holds.
    """
    with writing():
        game = Game.objects.select_related("table").select_for_update(of=("self",)).get(pk=game_id)
        frozen = store.current(game).frozen
        if frozen is None or not frozen.held:
            return
        draft, _known = _begin(game_id, None)
        until = max(frozen.until, draft.at + draft.game.table.referee_wait_s * 1000)
        draft.act(acts.Free(until=until), REFEREE)
        conclude(draft)


def resume(*, game_id: int, ref: str) -> Done:
    """Continue the game: a countdown of 10 s, then the clocks with what was left, at least 20 s. Raises Conflict
    `not_frozen`.
    """
    order = _Order("resume", ref, {})
    with writing():
        draft, known = _begin(game_id, order)
        if known is not None:
            return known
        _frozen(draft.state)
        return _act(draft, order, acts.Resume(by=BY))


def penalise(*, game_id: int, seat: int, at: int, ref: str) -> Done:
    """Impose the talking penalty (rulebook section 8): at its next turn the seat burns one card blind, and passes.

    `at`: the seq at which information was given. The deal's committed seed draws the card when that turn comes. Raises
    Refused: `bad_seat`, `bad_seq`, `not_dealt`, `no_burn` (a game without blind burns); Conflict `game_over`.
    """
    order = _Order("penalty", ref, {"seat": seat, "at": at})
    with writing():
        draft, known = _begin(game_id, order)
        if known is not None:
            return known
        _check_seat(draft, seat)
        if not 1 <= at <= draft.state.seq:
            raise Refused("bad_seq", _("There is no such place in this game."), field="at")
        if not draft.state.setup.engine.burns:
            raise Refused("no_burn", _("This game knows no blind burn."))
        return _act(draft, order, acts.Penalty(seat=seat, penalty="talk", at=at, by=BY))


def touch(*, game_id: int, seat: int, card: str = "", marble: str = "", ref: str) -> Done:
    """Bind the seat to what it has touched: card, marble, or both bind its current decision as its own touch would.

    Raises Refused: `no_touch` (not its turn, or no play is left that uses it), `bad_seat`; Conflict `game_over`.
    """
    order = _Order("touch", ref, {"seat": seat, "card": card, "marble": marble})
    with writing():
        draft, known = _begin(game_id, order)
        if known is not None:
            return known
        _check_seat(draft, seat)
        command = order.command
        for part, used in (("card", card), ("marble", marble)):
            if not used or used in _touched(draft.state):
                continue
            may_touch = draft.state.may_touch_card if part == "card" else draft.state.may_touch_marble
            if not may_touch(seat, used):
                raise Refused("no_touch", _("No play of this seat uses what was touched."), field=part)
            touched = (
                acts.Touched(seat=seat, card=used, by=BY)
                if part == "card"
                else acts.Touched(seat=seat, marble=used, by=BY)
            )
            draft.act(touched, REFEREE, command=command)
            command = ("", "")
        if not any(row.code == "touch" for row in draft.rows):
            raise Refused("no_touch", _("The seat is bound to this already, or nothing was named."), field="card")
        return _conclude(draft)


def warn(*, game_id: int, seat: int, ref: str) -> Done:
    """Warn the seat, visible to everybody at the table. Raises Refused `bad_seat`; Conflict `game_over`."""
    order = _Order("warning", ref, {"seat": seat})
    with writing():
        draft, known = _begin(game_id, order)
        if known is not None:
            return known
        _check_seat(draft, seat)
        return _act(draft, order, acts.Warning(seat=seat, by=BY))


def adjust(*, game_id: int, seat: int, ms: int, ref: str) -> Done:
    """Give the seat `ms` milliseconds, or take them; a running decision keeps at least 20 s, a time bank never falls
    below 0.

    Raises Refused: `no_clock`, `bad_ms` (0, or more than an hour), `bad_seat`; Conflict `game_over`.
    """
    order = _Order("adjust", ref, {"seat": seat, "ms": ms})
    with writing():
        draft, known = _begin(game_id, order)
        if known is not None:
            return known
        _check_seat(draft, seat)
        if draft.state.clocks is None:
            raise Refused("no_clock", _("No clock runs at this table."))
        if ms == 0 or abs(ms) > MAX_ADJUST_MS:
            raise Refused("bad_ms", _("A clock is moved by at most an hour."), field="ms")
        return _act(draft, order, acts.Adjust(seat=seat, ms=ms, by=BY))


def rewind(*, game_id: int, to: int, ref: str) -> Done:
    """Take the last turn back: cards and marbles are those of the decision opened at seq `to`, in a new epoch.

    Calls, rulings and penalties since then stay; time banks are those of that decision. The table must be frozen, so
    that nobody plays meanwhile. Raises Refused `rewind_too_far` (see `selectors.referee.rewindable`); Conflict:
    `not_frozen`, `game_over`.
    """
    order = _Order("rewind", ref, {"to": to})
    with writing():
        draft, known = _begin(game_id, order)
        if known is not None:
            return known
        _frozen(draft.state)
        if rewind_target(draft.state, to) is None:
            raise Refused(
                "rewind_too_far", _("At most the last turn is taken back, and never beyond a new hand."), field="to"
            )
        draft.act(acts.Rewind(to=to, by=BY), REFEREE, command=order.command, epoch=1)
        return _conclude(draft)


def forfeit(*, game_id: int, team: int, ref: str) -> Done:
    """Take the team out of the game: it has lost by ruling. With two teams that ends the game; see `leaving`.

    Raises Refused `bad_team`, `not_dealt`; Conflict `game_over`, `team_out`.
    """
    order = _Order("forfeit", ref, {"team": team})
    with writing():
        draft, known = _begin(game_id, order)
        if known is not None:
            return known
        if not 0 <= team < draft.state.setup.teams:
            raise Refused("bad_team", _("There is no such team at this table."), field="team")
        if team in draft.state.out:
            raise Conflict("team_out", _("This team is out of the game already."))
        act = acts.Forfeit(teams=(team,), reason="forfeit_ruling")
        give_up(draft, {team}, act, REFEREE, command=order.command)
        return _conclude(draft)


def grant_view(*, game_id: int, player_id: int, seat: int, until: datetime, ref: str) -> Done:
    """Show the seat's hand to a referee until then; an earlier view of the same referee ends.

    An act of the record, hidden from the table until the game is over. Raises Refused `bad_seat`, `bad_until`; Conflict
    `game_over`.
    """
    order = _Order("seat_view", ref, {"seat": seat, "player": player_id})
    with writing():
        draft, known = _begin(game_id, order)
        if known is not None:
            return known
        _check_seat(draft, seat)
        now = clock.now()
        if until <= now:
            raise Refused("bad_until", _("This moment has passed."), field="until")
        end_view(game_id=game_id, player_id=player_id)
        SeatView.objects.create(game=draft.game, player_id=player_id, seat=seat, granted_at=now, until=until)
        return _act(draft, order, acts.SeatView(seat=seat, by=BY))


def end_view(*, game_id: int, player_id: int) -> None:
    """End the referee's view of a hand in this game, if there is one."""
    with writing():
        open_ones = SeatView.objects.filter(game_id=game_id, player_id=player_id, ended_at__isnull=True)
        open_ones.update(ended_at=clock.now())


def appoint(*, table_id: int, roles: Iterable[tuple[int, str]]) -> None:
    """Set the referees of the table, as (player id, "referee" or "head_referee"); all others lose the role."""
    wanted = set(roles)
    if unknown := {role for _player, role in wanted} - set(REFEREES):
        raise Broken(f"no role at a table: {', '.join(sorted(unknown))}")
    with writing():
        table = Table.objects.select_for_update().get(pk=table_id)
        for role in TableRole.objects.filter(table=table, role__in=REFEREES):
            if (role.player_id, role.role) in wanted:
                wanted.discard((role.player_id, role.role))
            else:
                role.delete()
        TableRole.objects.bulk_create(
            TableRole(table=table, player_id=player, role=role) for player, role in sorted(wanted)
        )


def _begin(game_id: int, order: _Order | None) -> tuple[Draft, Done | None]:
    """Lock the game and return a draft, and the place of the order's act if it is in the record already."""
    game = Game.objects.select_related("table").select_for_update(of=("self",)).get(pk=game_id)
    state = store.current(game)
    draft = Draft.of(game, state)
    if order is not None:
        if not 1 <= len(order.ref) <= REF:
            raise Broken(f"a ref of {len(order.ref)} characters")
        known = store.known_command(game, order.ref)
        if known is not None:
            if known[1] != order.digest:
                raise Conflict("ref_reused", _("This effect is in the record with another content."), seq=known[0])
            return draft, Done(known[0], dup=True)
    if state.result is not None:
        raise Conflict("game_over", _("This game is over; what a ruling changes now is its result."))
    if state.position is None:
        raise Refused("not_dealt", _("This game has not begun."))
    credits.begin(draft)
    return draft, None


def _act(draft: Draft, order: _Order, act: acts.Act) -> Done:
    draft.act(act, REFEREE, command=order.command)
    return _conclude(draft)


def _conclude(draft: Draft) -> Done:
    seq = next(row.seq for row in draft.rows if row.code != "credit")
    conclude(draft)
    return Done(seq)


def _frozen(state: TableState) -> Any:
    if state.frozen is None:
        raise Conflict("not_frozen", _("Play at this table is not stopped."))
    return state.frozen


def _check_seat(draft: Draft, seat: int) -> None:
    if not 0 <= seat < draft.state.setup.seats:
        raise Refused("bad_seat", _("There is no such seat at this table."), field="seat")


def _touched(state: TableState) -> tuple[str, ...]:
    return (state.touch.card, *state.touch.marbles)
