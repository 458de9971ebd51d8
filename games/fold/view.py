"""What one viewer may know: only listed keys are copied. Nothing else in the project turns a table into JSON."""

from typing import Any

from . import acts
from .beacon import Beacon
from .caps import cap_json
from .patch import Json
from .rows import Row
from .shares import Shares
from .state import Setup, TableState
from .table import Step
from .values import Freeze
from .viewer import SPECTATOR, Viewer

# Acts of which some viewers may read more than others.
_HIDING = (acts.GiveSealed, acts.Dispute, acts.SeatView)


def view(state: TableState, viewer: Viewer) -> Json:
    """Return the viewer's view: plain JSON without null; keys with default values are omitted."""
    return public_view(state) | own_view(state, viewer)


def own_view(state: TableState, viewer: Viewer) -> Json:
    """Return what only this viewer gets: hand, plays, cards laid aside; empty for most spectators."""
    if state.position is None:
        return {}
    return state.setup.family.own(state, viewer)


def public_view(state: TableState) -> Json:
    """Return the part of the view that all viewers of the state share."""
    setup = state.setup
    seen: Json = {
        "game": setup.game,
        "rules": setup.rules,
        "seats": setup.seats,
        "teams": setup.teams,
        "phase": state.phase,
        "decision": state.decision_id,
    }
    if setup.full_ranking:
        seen["full_ranking"] = True
    if state.out:
        seen["out"] = list(state.out)
    if setup.best_of > 1:
        seen["games"] = {"number": setup.number, "best_of": setup.best_of, "wins": list(setup.wins)}
    if setup.cap is not None:
        seen["cap"] = cap_json(state)
    if state.position is None:
        seen |= setup.family.open_board(setup) | {"ready": list(state.ready)}
        if state.shares.root:
            seen["root"] = state.shares.root
    else:
        seen |= setup.family.public(state)
    if state.shares.any:
        seen |= _shares(state.shares)
    if state.shares.beacon is not None and state.shares.until:
        seen["beacon"] = _beacon(state.shares.beacon)
    if state.pile:
        seen["pile"] = state.pile
    if state.touch:
        seen["touched"] = _touched(state)
    if any(state.calls):
        seen["calls"] = list(state.calls)
    if state.frozen is not None:
        seen["frozen"] = _frozen(state.frozen)
    if state.result is not None:
        seen |= {"phase": "over", "result": {"ranks": list(state.result.ranks), "reason": state.result.reason}}
    return seen


def _shares(shares: Shares) -> Json:
    """Return the seats' part in the shuffle, where a seat has committed."""
    seen: Json = {"shares": list(shares.opened)}
    if not shares.closed:
        seen["committed"] = list(shares.committed)
    elif shares.missing:
        seen["withheld"] = list(shares.missing)
    if shares.open:
        seen["share_by"] = shares.until
    return seen


def _beacon(beacon: Beacon) -> Json:
    """Return the round of the public beacon; until it is known, when it is published and when it is given up (ms)."""
    seen: Json = {"round": beacon.round}
    if not beacon.settled:
        return seen | {"at": beacon.due, "by": beacon.by}
    return seen if beacon.randomness else seen | {"absent": True}


def _frozen(frozen: Freeze) -> Json:
    seen: Json = {"by": "referee", "seq": frozen.seq, "held": frozen.held, "until": frozen.until}
    return seen if frozen.seat is None else seen | {"by": "call", "seat": frozen.seat}


def _touched(state: TableState) -> Json:
    touched: Json = {}
    if state.touch.card:
        touched["card"] = state.touch.card
    if state.touch.marbles:
        touched["marble"] = state.touch.marbles[0]
    if len(state.touch.marbles) > 1:
        touched["marbles"] = list(state.touch.marbles)
    return touched


def clocks_json(state: TableState) -> Json:
    """Return the `clocks` of a frame: the same for every viewer, empty at a table without clocks."""
    return state.clocks.to_json() if state.clocks is not None else {}


def detail(row: Row, viewer: Viewer, setup: Setup) -> Json:
    """Return what the viewer may read of a row's body; a hidden card is written `??`."""
    if row.kind == "play":
        of_play: Json = {key: row.body[key] for key in ("seat", "chance") if key in row.body}
        return of_play | {"play": setup.family.line(row, viewer, setup)}
    act = acts.read(row)
    seen = acts.told(act)
    match act:
        case acts.GiveSealed() if viewer.everything or viewer.seat == act.seat:
            seen["card"] = act.card
        case acts.Dispute() if viewer.everything or viewer.referee or viewer.seat == act.seat:
            # A choice of six words could be a signal to the partner.
            seen["kind"] = act.kind
        case acts.SeatView() if viewer.everything or viewer.referee or (viewer.afterwards and viewer.seat == act.seat):
            seen["seat"] = act.seat
    return seen


def is_open(row: Row, setup: Setup) -> bool:
    """Return whether all viewers may read the same part of the row's body."""
    if row.kind == "play":
        return setup.family.line(row, SPECTATOR, setup) == str(row.body["play"])
    return acts.KINDS[row.code] not in _HIDING


def effects(step: Step) -> list[list[Any]]:
    """Return the `fx` of a play, for animation and words; they only name marbles, seats and open cards."""
    if step.row.kind != "play":
        return []
    engine, body = step.before.setup.engine, step.row.body
    play = engine.parse_play(step.before.position, body["play"], body.get("seat"))
    return [list(fact) for fact in engine.fx(step.before.position, play, body.get("seat"))]
