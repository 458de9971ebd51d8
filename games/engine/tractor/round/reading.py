"""Read a position from JSON (docs/tractor.md). An impossible one is refused with the name of the key."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from games.engine.errors import BadPosition
from games.engine.numbers import is_whole
from games.engine.tractor.order import order
from games.engine.tractor.plays import size
from games.engine.tractor.round import fields, sound
from games.engine.tractor.round.fields import require
from games.engine.tractor.round.state import PHASES, PLAY, Ended, Failed, Position, Trick
from games.engine.tractor.rules import TractorRules
from games.engine.tractor.shapes import shape
from games.engine.tractor.shows import Show
from games.engine.tractor.trick import lead_strength, strength

T = TypeVar("T")

_NEEDED = frozenset(("rules", "seats", "teams", "phase", "round", "ranks", "drawer", "turn", "hands", "stock", "talon"))
_PLAYING = frozenset(("buried", "leader", "trick", "gone", "captured", "paid"))
_OTHERS = frozenset(
    ("rounds", "declarers", "starter", "show", "passed", "trump", "turned", "failed", "last", "points", "previous")
)
_TRICK = frozenset(("leader", "plays", "winner", "points"))
_FAILED = frozenset(("seat", "thrown", "back", "paid"))
_ENDED = frozenset(
    ("round", "declarers", "starter", "trump", "buried", "captured", "talon", "paid", "total", "gains", "ranks")
)
_MOST = 10**6


def from_json(rules: TractorRules, data: Mapping[str, Any]) -> Position:
    """Return the position that `data` describes; raises BadPosition with the key and the rule that it breaks, and
    UnknownRules for a table that the rule set does not support.
    """
    fields.keys(data, _NEEDED, _PLAYING | _OTHERS)
    require(is_whole(data["seats"]) and is_whole(data["teams"]), "seats, teams", "whole numbers are needed")
    rules.check_table(data["seats"], data["teams"])
    p = Position(rules, fields.seat(data, "drawer"), fields.number(data, "rounds", 1, _MOST) if "rounds" in data else 0)
    p.phase = data["phase"]
    require(isinstance(p.phase, str) and p.phase in PHASES, "phase", f"one of {', '.join(PHASES)}")
    p.round = fields.number(data, "round", 1, p.rounds or _MOST)
    p.ranks = fields.ranks(data, "ranks")
    p.turn = fields.seat(data, "turn")
    require(("declarers" in data) == ("starter" in data), "declarers, starter", "both are known, or neither")
    if "declarers" in data:
        p.declarers, p.starter = fields.number(data, "declarers", 0, 1), fields.seat(data, "starter")
    hands = [fields.laid(hand, "hands") for hand in fields.each_seat(data["hands"], "hands")]
    p.one, p.two = [one for one, _ in hands], [two for _, two in hands]
    p.stock = fields.cards(data["stock"], "stock")[::-1]
    fields.laid(data["talon"], "talon")
    p.talon = tuple(fields.cards(data["talon"], "talon"))
    for seat in fields.seats(data.get("passed", []), "passed"):
        p.passed |= 1 << seat
    if "show" in data:
        p.show = _under("show", _show, data)
    if "points" in data:
        first, second = fields.counts(data, "points", -_MOST)
        p.points = [first, second]
    if "previous" in data:
        p.previous = _under("previous", _ended, data)
    if "last" in data:
        p.last = _under("last", _trick, data)
    sound.check_game(p)
    _read_trumps(p, data)
    sound.check_trumps(p)
    if p.phase == PLAY:
        for key in sorted(_PLAYING - data.keys()):
            raise BadPosition("bad_position", f"{key}: missing in phase play")
        _read_play(p, data)
    else:
        for key in sorted((_PLAYING | {"failed"}) & data.keys()):
            raise BadPosition("bad_position", f"{key}: only in phase play")
    sound.check_cards(p)
    if p.phase == PLAY:
        _run_trick(p)
        sound.check_play(p)
    return p


def _under(key: str, read: Callable[[Any], T], data: Mapping[str, Any]) -> T:
    """Read the value of a key that is itself an object; a missing key of it is named as `key.name`."""
    try:
        return read(data[key])
    except BadPosition as error:
        raise BadPosition(error.code, f"{key}: {error.sentence}") from None


def _show(data: Any) -> Show:
    fields.keys(data, frozenset(("seat", "cards")))
    return Show(fields.seat(data, "seat"), *fields.laid(data["cards"], "cards"))


def _trick(data: Any) -> Trick:
    fields.keys(data, _TRICK)
    plays = tuple(fields.laid(cards, "plays") for cards in fields.each_seat(data["plays"], "plays"))
    fields.same_size(plays, "plays")
    return Trick(fields.seat(data, "leader"), plays, fields.seat(data, "winner"), fields.number(data, "points", 0, 200))


def _failed(data: Any) -> Failed:
    fields.keys(data, _FAILED)
    thrown, back = fields.laid(data["thrown"], "thrown"), fields.laid(data["back"], "back")
    return Failed(fields.seat(data, "seat"), thrown, back, fields.number(data, "paid", 0, _MOST))


def _ended(data: Any) -> Ended:
    fields.keys(data, _ENDED)
    first, second = fields.ranks(data, "ranks")
    return Ended(
        round=fields.number(data, "round", 1, _MOST),
        declarers=fields.number(data, "declarers", 0, 1),
        starter=fields.seat(data, "starter"),
        trump=fields.trump(data["trump"], "trump"),
        buried=fields.laid(data["buried"], "buried"),
        captured=fields.counts(data, "captured"),
        talon=fields.number(data, "talon", 0, _MOST),
        paid=fields.counts(data, "paid"),
        total=fields.number(data, "total", -_MOST, _MOST),
        gains=fields.counts(data, "gains", unit=1),
        ranks=(first, second),
    )


def _read_trumps(p: Position, data: Mapping[str, Any]) -> None:
    p.turned = tuple(fields.cards(data.get("turned", []), "turned"))
    require(
        ("trump" in data) == (p.phase in ("bury", "play")), "trump", "known in the phases bury and play, and only then"
    )
    if "trump" in data:
        rank, suit = fields.trump(data["trump"], "trump")
        require(rank == p.rank, "trump", "the rank is that of the declarers' team")
        p.suit = suit
        p.order = order(rank, None if suit < 0 else suit, keeps_rank=p.rules.no_trump_keeps_rank)


def _read_play(p: Position, data: Mapping[str, Any]) -> None:
    p.buried = fields.laid(data["buried"], "buried")
    p.gone = fields.laid(data["gone"], "gone")
    p.leader = fields.seat(data, "leader")
    value = data["trick"]
    require(isinstance(value, list) and len(value) < p.seats, "trick", f"a list of up to {p.seats - 1} plays")
    p.trick = [fields.laid(cards, "trick") for cards in value]
    fields.same_size(p.trick, "trick")
    captured, paid = fields.counts(data, "captured"), fields.counts(data, "paid")
    p.captured, p.paid = list(captured), list(paid)
    if "failed" in data:
        p.failed = _under("failed", _failed, data)


def _run_trick(p: Position) -> None:
    """Compute the state of the current trick: the lead's shape, who is winning and with which strength."""
    p.best = p.leader
    if not p.trick:
        return
    assert p.order is not None
    p.lead = shape(p.order, *p.trick[0])
    if p.lead is None:
        raise BadPosition("bad_position", "trick: the cards of a lead are of one effective suit")
    p.strength = lead_strength(p.lead)
    for i, (one, two) in enumerate(p.trick[1:], 1):
        require(size(one, two) == p.lead.size, "trick", "every play has as many cards as the lead")
        reached = strength(p.order, p.lead, one, two)
        if reached > p.strength:
            p.strength, p.best = reached, (p.leader + i) % p.seats
