"""What one viewer may know, built from allow-lists. Nothing else in the project turns a table into JSON.

Law of views: the view at one event, with the next event's `set` merged in, is the view at that next event.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.engine.game import SPECTATOR as ENGINE_SPECTATOR

from .patch import Json, diff
from .rows import Row
from .state import GIVE, Freeze, Setup, TableState
from .table import Step

# Of the engine's view of a seat or of a spectator.
_PUBLIC = ("phase", "turn", "dealer", "deal", "marbles", "fresh", "count", "owed", "joker", "thrown", "finished")
# Of a row's body, by its code. `card` of a sealed gift and the cards of `give` and `deck` are handled one by one.
_DETAIL: dict[str, tuple[str, ...]] = {
    "play": ("seat", "chance"),
    "commit": ("scheme", "first", "deals", "root", "shares", "beacon"),
    "ready": ("seat",),
    "draw": ("dealer", "cards"),
    "touch": ("seat", "card", "marble", "by"),
    "give_sealed": ("seat",),
    "phrase": ("seat", "code"),
    "timeout": ("seat", "n"),
    "forfeit": ("teams", "reason", "ranks"),
    "resign": ("seat", "reason", "ranks"),
    "open": ("deals",),
    "dispute": ("seat",),
    "freeze": ("by", "seat", "until"),
    "hold": ("until",),
    "mark": ("seq", "why"),
    "resume": ("by",),
    "penalty": ("seat", "penalty", "at", "by"),
    "warning": ("seat", "by"),
    "adjust": ("seat", "ms", "by"),
    "rewind": ("to", "by"),
    "seat_view": (),
}
HIDDEN = "??"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a seat, a spectator (`seat` None), or, once hands are released, somebody who sees `everything`.

    `referee`: sees what is public as it happens, and of the hands only that of the seat `sees`, where a view was granted.
    `afterwards`: the game is over, and a seat is told whether a referee looked at its hand.
    """

    seat: int | None = None
    everything: bool = False
    referee: bool = False
    sees: int | None = None
    afterwards: bool = False

    @property
    def live(self) -> bool:
        """Whether what happens is shown at once, not as it is released."""
        return self.seat is not None or self.referee


SPECTATOR = Viewer()
EVERYTHING = Viewer(everything=True)


def view(state: TableState, viewer: Viewer) -> Json:
    """Answer the viewer's view: plain JSON without null; keys that rest are left out."""
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
    if state.position is None:
        seen |= _empty_board(setup) | {"ready": list(state.ready)}
    else:
        seen |= _position(state, viewer)
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


def _frozen(frozen: Freeze) -> Json:
    seen: Json = {"by": "referee", "seq": frozen.seq, "held": frozen.held, "until": frozen.until}
    return seen if frozen.seat is None else seen | {"by": "call", "seat": frozen.seat}


def legal(state: TableState, seat: int) -> list[str]:
    """Answer the lines still open to `seat`, narrowed by what it has touched; empty when it is not to act."""
    if state.position is None or seat not in state.to_act:
        return []
    engine, touch = state.setup.engine, state.touch
    plays = engine.narrow(state.position, card=touch.card or None, marbles=touch.marbles, seat=seat)
    return [engine.play_text(play) for play in plays]


def _position(state: TableState, viewer: Viewer) -> Json:
    engine, position = state.setup.engine, state.position
    who = ENGINE_SPECTATOR if viewer.seat is None else viewer.seat
    found = engine.view(position, who)
    seen: Json = {key: found[key] for key in _PUBLIC if key in found}
    if viewer.seat is not None:
        seen["hand"] = _without(found["hand"], state.sealed.get(viewer.seat))
        if viewer.seat in state.to_act:
            seen["legal"] = legal(state, viewer.seat) if state.touch else found["legal"]
    elif viewer.referee and viewer.sees is not None:
        seen["hand"] = _without(engine.view(position, viewer.sees)["hand"], state.sealed.get(viewer.sees))
    if viewer.everything:
        seats = range(state.setup.seats)
        hands = {seat: engine.view(position, seat)["hand"] for seat in seats}
        seen["hands"] = {str(seat): _without(hands[seat], state.sealed.get(seat)) for seat in seats}
    if state.phase == GIVE:
        given = _given(state)
        seen["given"] = given
        # A card laid aside has left the hand; the engine takes it out of those it knows to be given.
        seen["count"] = [count - (seat in state.sealed) for seat, count in enumerate(seen["count"])]
        own = viewer.seat if viewer.seat is not None else viewer.sees
        if own is not None and own in state.sealed:
            seen["laid"] = state.sealed[own]
    return seen


def _given(state: TableState) -> list[bool]:
    waiting = state.to_act
    return [seat not in waiting for seat in range(state.setup.seats)]


def _without(hand: Sequence[str], laid: str | None) -> list[str]:
    """Answer the hand without the card laid aside, sorted so that its order tells nothing."""
    left = list(hand)
    if laid is not None:
        left.remove(laid)
    return sorted(left)


def _touched(state: TableState) -> Json:
    touched: Json = {}
    if state.touch.card:
        touched["card"] = state.touch.card
    if state.touch.marbles:
        touched["marble"] = state.touch.marbles[0]
    if len(state.touch.marbles) > 1:
        touched["marbles"] = list(state.touch.marbles)
    return touched


@lru_cache(maxsize=64)
def _board_of(rules: str, seats: int, teams: int) -> tuple[tuple[str, Any], ...]:
    setup = Setup(game="", rules=rules, seats=seats, teams=teams)
    found = setup.engine.view(setup.engine.new(setup.rules_data, seats=seats, teams=teams, dealer=0), ENGINE_SPECTATOR)
    return tuple((key, found[key]) for key in ("marbles", "fresh", "count", "owed"))


def _empty_board(setup: Setup) -> Json:
    return dict(_board_of(setup.rules, setup.seats, setup.teams))


def clocks_json(state: TableState) -> Json:
    """Answer the `clocks` of a frame: the same for every viewer, empty at a table without clocks."""
    return state.clocks.to_json() if state.clocks is not None else {}


def detail(row: Row, viewer: Viewer, setup: Setup) -> Json:
    """Answer what the viewer may read of a row's body; a hidden card is written `??`."""
    seen: Json = {key: row.body[key] for key in _DETAIL[row.code] if key in row.body}
    if row.code == "play":
        seen["play"] = _line(row, viewer, setup)
    elif row.code == "give_sealed" and (viewer.everything or viewer.seat == row.body["seat"]):
        seen["card"] = row.body["card"]
    elif row.code == "dispute" and (viewer.everything or viewer.referee or viewer.seat == row.body["seat"]):
        # Six words to choose from would be a signal to the partner.
        seen["kind"] = row.body["kind"]
    elif row.code == "seat_view" and (viewer.everything or viewer.referee or _looked_at(row, viewer)):
        seen["seat"] = row.body["seat"]
    return seen


def _looked_at(row: Row, viewer: Viewer) -> bool:
    return viewer.afterwards and viewer.seat == row.body["seat"]


def _line(row: Row, viewer: Viewer, setup: Setup) -> str:
    text: str = row.body["play"]
    word = text.split(" ", 1)[0]
    if viewer.everything or word not in ("give", "deck"):
        return text
    if word == "give" and viewer.seat is not None:
        giver = row.body["seat"]
        if viewer.seat in (giver, (giver + setup.teams) % setup.seats):
            return text
    return f"{word} {HIDDEN}"


def effects(step: Step) -> list[list[Any]]:
    """Answer the `fx` of a play, for animation and words; they name marbles, seats and open cards only."""
    if step.row.kind != "play":
        return []
    engine, body = step.before.setup.engine, step.row.body
    play = engine.parse_play(step.before.position, body["play"], body.get("seat"))
    return [list(fact) for fact in engine.fx(step.before.position, play, body.get("seat"))]


def events(steps: Iterable[Step], viewer: Viewer, held: Json | None = None) -> Iterator[tuple[Json, Json]]:
    """Yield (event, view after it) per step as the viewer gets it.

    `held`: the viewer's view before the first step, if it is at hand; it saves computing it.
    """
    for step in steps:
        before = held if held is not None else view(step.before, viewer)
        after = view(step.after, viewer)
        event: Json = {
            "seq": step.row.seq,
            "k": step.row.code,
            "d": detail(step.row, viewer, step.after.setup),
            "set": diff(before, after),
        }
        if fx := effects(step):
            event["fx"] = fx
        yield event, after
        held = after
