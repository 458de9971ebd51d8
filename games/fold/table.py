"""The fold: one row further, one table further. Every state, live or years later, is computed by `apply_row`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from . import acts, caps
from . import clocks as clock_rules
from .beacon import Beacon, Chain
from .ending import result_of
from .rows import BadRecord, Row
from .shares import BY_SEATS, no_shares
from .state import Setup, TableState, opening
from .values import UNTOUCHED, Freeze, Result


@dataclass(frozen=True, slots=True)
class Step:
    """A row with the table before and after it."""

    row: Row
    before: TableState
    after: TableState


def fold(setup: Setup, rows: Iterable[Row]) -> TableState:
    """Return the table after `rows` (from seq 1, contiguous). Raises BadRecord, or the engine's errors."""
    state = opening(setup)
    for row in rows:
        state = apply_row(state, row)
    return state


def steps(state: TableState, rows: Iterable[Row]) -> Iterator[Step]:
    """Yield a Step per row, beginning at `state`."""
    for row in rows:
        after = apply_row(state, row)
        yield Step(row, state, after)
        state = after


def apply_row(state: TableState, row: Row) -> TableState:
    """Return the table after the row that follows `state`.

    Raises BadRecord for a gap or an unknown act, and the engine's IllegalPlay when a play could not be played.
    """
    if row.seq != state.seq + 1:
        raise BadRecord(f"row {row.seq} after row {state.seq}")
    if row.kind == "play":
        after = _play(state, row)
    else:
        act = acts.read(row)
        after = _ACTS[type(act)](state, row, act)
    return after if after.seq == row.seq else after.changed(seq=row.seq, epoch=row.epoch, at=row.at)


def _play(state: TableState, row: Row) -> TableState:
    engine, family, seat = state.setup.engine, state.setup.family, row.body.get("seat")
    play = engine.parse_play(state.position, str(row.body["play"]), seat)
    position = engine.apply(state.position, play, seat)
    around = family.around(state, row, position)
    after = state.changed(seq=row.seq, epoch=row.epoch, at=row.at, position=position, touch=UNTOUCHED, **around)
    if (result := result_of(after)) is not None:
        after = after.changed(result=result)
    if state.cap is not None:
        after = after.changed(cap=caps.played(state, after))
    if family.begins_deal(state, after, row):
        after = after.changed(deals=(*state.deals, (row.seq, row.at)), back=())
    if state.setup.takes_back:
        after = after.changed(past=_past(state, after, row))
    clocks, settings = state.clocks, state.setup.clocks
    if clocks is None or settings is None:
        return after
    return after.changed(clocks=family.clocks(state, after, row, clocks, settings))


def _past(state: TableState, after: TableState, row: Row) -> tuple[TableState, ...]:
    """Return the decisions of the hand after this play. A new hand begins without any: its cards have been seen."""
    if after.deals is not state.deals or after.result is not None:
        return ()
    if row.body.get("chance"):
        return state.past
    return (*state.past, state.untouched()) if after.back else ()


def _commit(state: TableState, row: Row, act: acts.Commit) -> TableState:
    """The commitment to the deals; the first one opens the seats, a later one changes nothing else."""
    if state.seq:
        return state
    if act.shares != BY_SEATS:
        return replace(state, decision=row.seq)
    shares = no_shares(state.setup.seats, act.root, _beacon_of(row, act))
    return replace(state, decision=row.seq, shares=shares)


def _beacon_of(row: Row, act: acts.Commit) -> Beacon | None:
    if not isinstance(act.beacon, Mapping):
        return None
    try:
        return Beacon(Chain.from_json(act.beacon))
    except ValueError as error:
        raise BadRecord(f"row {row.seq}: {error}") from None


def _ready(state: TableState, row: Row, act: acts.Ready) -> TableState:
    seat = act.seat
    shares = state.shares if act.share is None else state.shares.commit(seat, act.share)
    ready = tuple(ready or other == seat for other, ready in enumerate(state.ready))
    return replace(state, ready=ready, shares=shares)


def _sharing(state: TableState, row: Row, act: acts.Sharing) -> TableState:
    beacon = state.shares.beacon
    if beacon is not None:
        beacon = beacon.fixed(act.round or 0)
    return replace(state, shares=replace(state.shares, since=row.at, until=act.until, beacon=beacon))


def _share(state: TableState, row: Row, act: acts.Share) -> TableState:
    return replace(state, shares=state.shares.add(act.seat, act.value))


def _shared(state: TableState, row: Row, act: acts.Shared) -> TableState:
    return replace(state, shares=replace(state.shares, closed=True))


def _beacon(state: TableState, row: Row, act: acts.Beacon) -> TableState:
    beacon = state.shares.beacon
    if beacon is None:
        raise BadRecord(f"row {row.seq}: this game has no beacon")
    beacon = replace(beacon, settled=True, randomness=bytes.fromhex(act.randomness or ""))
    return replace(state, shares=replace(state.shares, beacon=beacon))


def _draw(state: TableState, row: Row, act: acts.Draw) -> TableState:
    """The first dealer is known: the engine's game begins and waits for its deck."""
    dealer = act.dealer
    position, cap = state.setup.begin(dealer), caps.started(state.setup.cap, row.at)
    return replace(state, dealer=dealer, position=position, decision=row.seq, cap=cap)


def _begin(state: TableState, row: Row, act: acts.Begin) -> TableState:
    """The game begins in the middle: all seats are taken, and the position of another game stands on the board."""
    setup = state.setup
    position, told = setup.engine.from_json(act.position), act.position
    table = (told["rules"], told["seats"], told["teams"], told.get("full_ranking", False))
    if table != (setup.rules, setup.seats, setup.teams, setup.full_ranking):
        raise BadRecord(f"row {row.seq}: a position of another table")
    return replace(
        state,
        ready=(True,) * setup.seats,
        dealer=int(told["dealer"]),
        position=position,
        pile=act.pile,
        shown=tuple(act.shown),
        decision=row.seq,
        deals=((row.seq, row.at),),
    )


def _touch(state: TableState, row: Row, act: acts.Touched) -> TableState:
    touch = state.touch
    if act.card is not None:
        return replace(state, touch=replace(touch, card=act.card))
    if act.marble is None:
        raise BadRecord(f"row {row.seq}: a touch of nothing")
    return replace(state, touch=replace(touch, marbles=(*touch.marbles, act.marble)))


def _give_sealed(state: TableState, row: Row, act: acts.GiveSealed) -> TableState:
    return replace(state, sealed={**state.sealed, act.seat: act.card})


def _timeout(state: TableState, row: Row, act: acts.Timeout) -> TableState:
    seat = act.seat
    timeouts = tuple(count + (other == seat) for other, count in enumerate(state.timeouts))
    clocks = state.clocks
    if clocks is not None:
        short = state.setup.family.short(state)
        clocks = clock_rules.charge_timeout(clocks, seat=seat, at=row.at, short=short)
    return replace(state, timeouts=timeouts, clocks=clocks)


def _end(state: TableState, row: Row, act: acts.Forfeit | acts.Resign) -> TableState:
    """A forfeit or a resignation: the ranks are in the row, the position does not change.

    Without ranks the game goes on: the team is out, and its seats make default plays.
    """
    if act.ranks is None:
        out = act.teams if isinstance(act, acts.Forfeit) else (state.team(act.seat),)
        after = replace(state, out=tuple(sorted({*state.out, *out})))
        return replace(after, touch=UNTOUCHED) if after.deserted else after
    clocks = clock_rules.stop(state.clocks) if state.clocks else None
    result = Result(tuple(act.ranks), act.reason)
    return replace(state, result=result, touch=UNTOUCHED, clocks=clocks, frozen=None, back=())


def _cap(state: TableState, row: Row, act: acts.Cap) -> TableState:
    if not caps.is_due(state, row.at):
        raise BadRecord(f"row {row.seq}: the time of this game is not up")
    return replace(state, cap=caps.called(state))


def _extra(state: TableState, row: Row, act: acts.Extra) -> TableState:
    if not caps.is_over(state) or not caps.goes_on(state):
        raise BadRecord(f"row {row.seq}: this game does not go on after its time")
    return replace(state, cap=caps.gone_on(state))


def _time(state: TableState, row: Row, act: acts.Time) -> TableState:
    """The end by time: the row says what the sides have reached, and the position must agree."""
    counts = caps.reached(state)
    if not caps.is_over(state) or (tuple(act.counts), list(act.ranks)) != (counts, caps.ranks_by(counts, state.out)):
        raise BadRecord(f"row {row.seq}: this game does not end by time like this")
    clocks = clock_rules.stop(state.clocks) if state.clocks else None
    result = Result(tuple(act.ranks), caps.REASON)
    return replace(state, result=result, touch=UNTOUCHED, clocks=clocks, frozen=None, back=())


def _dispute(state: TableState, row: Row, act: acts.Dispute) -> TableState:
    return replace(state, calls=_one_more(state, state.calls, act.seat))


def _phrase(state: TableState, row: Row, act: acts.Phrase) -> TableState:
    return replace(state, phrases=_one_more(state, state.phrases, act.seat))


def _freeze(state: TableState, row: Row, act: acts.Freeze) -> TableState:
    """The clocks stop. A call is the row before; its seat is in the freeze."""
    seat, clocks, left = act.seat, state.clocks, 0
    if clocks is not None:
        clocks, left = clock_rules.freeze(clocks, at=row.at)
    seq = row.seq if seat is None else row.seq - 1
    return replace(state, clocks=clocks, frozen=Freeze(seq=seq, seat=seat, since=row.at, until=act.until, left=left))


def _hold(state: TableState, row: Row, act: acts.Hold) -> TableState:
    return replace(state, frozen=replace(_frozen(state, row), until=act.until, held=True))


def _free(state: TableState, row: Row, act: acts.Free) -> TableState:
    return replace(state, frozen=replace(_frozen(state, row), until=act.until, held=False))


def _resume(state: TableState, row: Row, act: acts.Resume) -> TableState:
    frozen, clocks = _frozen(state, row), state.clocks
    if clocks is not None and frozen.left:
        clocks = clock_rules.thaw(clocks, at=row.at, left=frozen.left)
    # If no decision is timed, the table's own next step comes after the countdown.
    waits = clock_rules.RESUME_MS if state.chance and not frozen.left else 0
    cap = caps.thawed(state.cap, frozen.since, row.at)
    return replace(state, frozen=None, clocks=clocks, cap=cap, stepped=max(state.stepped, row.at + waits))


def _frozen(state: TableState, row: Row) -> Freeze:
    if state.frozen is None:
        raise BadRecord(f"row {row.seq}: {row.code} at a table that is not frozen")
    return state.frozen


def _penalty(state: TableState, row: Row, act: acts.Penalty) -> TableState:
    """One more blind burn is due; the current turn is not changed (rulebook section 8)."""
    seat = act.seat
    position = state.setup.engine.penalise(state.position, seat)
    return replace(state, position=position, imposed=_one_more(state, state.imposed, seat))


def _adjust(state: TableState, row: Row, act: acts.Adjust) -> TableState:
    clocks, frozen, seat, ms = state.clocks, state.frozen, act.seat, act.ms
    if clocks is None:
        raise BadRecord(f"row {row.seq}: no clock runs here")
    if frozen is not None and frozen.left and clocks.run == seat:
        frozen = replace(frozen, left=max(1, frozen.left + ms))
    return replace(state, clocks=clock_rules.adjust(clocks, seat=seat, ms=ms, at=row.at), frozen=frozen)


def _credit(state: TableState, row: Row, act: acts.Credit) -> TableState:
    """An outage took `ms` of running time and ended at `back`; that time counts against nobody.

    The current decision, or the wait for a referee, keeps what was left, at least 20 s. If the table's own next step is
    due, it comes after a countdown.
    """
    ms, back, clocks, frozen = act.ms, act.back, state.clocks, state.frozen
    if state.shares.open or state.shares.pending:
        return replace(state, shares=state.shares.later(ms, back, clock_rules.FLOOR_MS), credited=back)
    if frozen is None:
        state = replace(state, cap=caps.moved(state.cap, ms))
    if frozen is not None:
        until = max(frozen.until + ms, back + clock_rules.FLOOR_MS)
        return replace(state, frozen=replace(frozen, until=until), credited=back)
    if clocks is not None and clocks.due:
        return replace(state, clocks=clock_rules.credit(clocks, ms=ms, back=back), credited=back)
    return replace(state, stepped=max(state.stepped, back + clock_rules.RESUME_MS), credited=back)


def counts_from(state: TableState) -> int | None:
    """Return since when (ms) time is running that an outage must not shorten, or None if none is.

    Without what earlier credits have covered.
    """
    if state.result is None and (state.shares.open or state.shares.pending):
        return max(state.shares.since, state.credited)
    if state.result is not None or state.position is None:
        return None
    if state.frozen is not None:
        since = state.frozen.since
    elif state.clocks is not None and state.clocks.due:
        since = state.clocks.opened
    elif state.clocks is not None and state.chance and state.setup.family.pause(state):
        since = state.stepped
    elif state.clocks is None and state.cap is not None and not state.cap.called:
        since = state.at
    else:
        return None
    return max(since, state.credited)


def _rewind(state: TableState, row: Row, act: acts.Rewind) -> TableState:
    """Restore the cards and marbles of an earlier decision, which is open again; rulings and calls since then stay.

    The banks are those of that decision: time that is taken back costs nobody anything.
    """
    if act.by == "seat":
        return _take_back(state, row, act)
    frozen, to = _frozen(state, row), rewind_target(state, act.to)
    if to is None:
        raise BadRecord(f"row {row.seq}: no rewind to {row.body['to']}")
    position = to.position
    for seat, (now, then) in enumerate(zip(state.imposed, to.imposed, strict=True)):
        for _ in range(now - then):
            position = state.setup.engine.penalise(position, seat)
    after = replace(
        state,
        epoch=row.epoch,
        decision=row.seq,
        position=position,
        pile=to.pile,
        shown=to.shown,
        touch=UNTOUCHED,
        blinds=to.blinds,
        back=(),
    )
    settings = state.setup.clocks
    if to.clocks is None or settings is None:
        return after
    running = state.setup.family.running(after, to.clocks, settings, row.at)
    clocks, left = clock_rules.freeze(running, at=row.at)
    return replace(after, clocks=clocks, frozen=replace(frozen, left=left))


def _take_back(state: TableState, row: Row, act: acts.Rewind) -> TableState:
    """Restore an earlier decision of the seat that takes its play back; no clock runs where that is possible."""
    to = None if act.seat is None else take_back_target(state, act.seat)
    if to is None or to.decision != act.to or state.clocks is not None:
        raise BadRecord(f"row {row.seq}: seat {act.seat} takes nothing back to {row.body['to']}")
    kept = next(i for i, table in enumerate(state.past) if table is to)
    return replace(
        state,
        epoch=row.epoch,
        decision=row.seq,
        position=to.position,
        pile=to.pile,
        shown=to.shown,
        touch=UNTOUCHED,
        blinds=to.blinds,
        back=(),
        past=state.past[:kept],
    )


def take_back_target(state: TableState, seat: int) -> TableState | None:
    """Return the table at the last decision that `seat` has made in this hand, or None: there is none, or the game is
    over, or the seat is out.
    """
    if state.result is not None or state.frozen is not None or state.is_out(seat):
        return None
    return next((table for table in reversed(state.past) if seat in table.to_act), None)


def rewind_target(state: TableState, to: int) -> TableState | None:
    """Return the table to which a rewind to seq `to` leads, or None: at most the last turn is taken back, within a
    hand.

    The current decision's own seq only takes its touches back.
    """
    if state.position is None or state.result is not None or not state.setup.family.rewindable(state):
        return None
    return next((table for table in (state, *state.back) if table.decision == to), None)


def _one_more(state: TableState, counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(count + (other == seat) for other, count in enumerate(counts or (0,) * state.setup.seats))


def _nothing(state: TableState, row: Row, act: acts.Act) -> TableState:
    return state


# By the class of the act; each function takes acts of that class.
_ACTS: Mapping[type[acts.Act], Callable[[TableState, Row, Any], TableState]] = {
    acts.Commit: _commit,
    acts.Ready: _ready,
    acts.Sharing: _sharing,
    acts.Share: _share,
    acts.Shared: _shared,
    acts.Beacon: _beacon,
    acts.Draw: _draw,
    acts.Begin: _begin,
    acts.Touched: _touch,
    acts.GiveSealed: _give_sealed,
    acts.Phrase: _phrase,
    acts.Timeout: _timeout,
    acts.Forfeit: _end,
    acts.Resign: _end,
    acts.Open: _nothing,
    acts.Dispute: _dispute,
    acts.Freeze: _freeze,
    acts.Hold: _hold,
    acts.Free: _free,
    acts.Mark: _nothing,
    acts.Resume: _resume,
    acts.Penalty: _penalty,
    acts.Warning: _nothing,
    acts.Adjust: _adjust,
    acts.Credit: _credit,
    acts.Rewind: _rewind,
    acts.SeatView: _nothing,
    acts.Cap: _cap,
    acts.Extra: _extra,
    acts.Time: _time,
}
