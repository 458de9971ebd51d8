"""The `tractor.*` requests of the conformance interface (rulebook T10): calculations of the rules without a position."""

from collections.abc import Callable, Mapping
from typing import Any

from games.engine import registry
from games.engine.cards import JOKER, NUMBER, TEXTS
from games.engine.errors import BadRequest, shown
from games.engine.numbers import is_whole
from games.engine.tractor import follow, score, shows, trick
from games.engine.tractor.order import Order, compare, order
from games.engine.tractor.plays import Cards, masks, size
from games.engine.tractor.rules import RANKS, SEATS, SUITS, WON, TractorRules
from games.engine.tractor.shapes import cards_of, components, shape

_RULES = "tractor/1"
_DECLARERS, _ATTACKERS = "declarers", "attackers"
_MOST = 10**6


def _rules() -> TractorRules:
    found = registry.rules(_RULES)
    assert isinstance(found, TractorRules)
    return found


# --- the fields of a request -----------------------------------------------------------------------------------------


def _bad(key: str, rule: str) -> BadRequest:
    return BadRequest("bad_request", f"{key}: {rule}")


def _keys(request: Mapping[str, Any], needed: set[str], others: frozenset[str] = frozenset(), under: str = "") -> None:
    for key in sorted(needed - request.keys()):
        raise _bad(f"{under}{key}", "missing")
    for key in sorted(map(str, request.keys() - needed - others - ({"op"} if not under else set()))):
        raise _bad(f"{under}{shown(key)}", "no such key")


def _card(value: object, key: str) -> int:
    number = NUMBER.get(value) if isinstance(value, str) and value != JOKER else None
    if number is None:
        raise _bad(key, f"no card {shown(value)}")
    return number


def _numbers(value: object, key: str) -> list[int]:
    if not isinstance(value, list):
        raise _bad(key, "a list of cards")
    return [_card(text, key) for text in value]


def _cards(value: object, key: str) -> Cards:
    """Return cards as masks; no card more than twice."""
    try:
        return masks(_numbers(value, key))
    except BadRequest:
        raise
    except ValueError as error:
        raise _bad(key, f"{error} a third time") from None


def _some(value: object, key: str) -> Cards:
    """Return at least one card."""
    found = _cards(value, key)
    if not found[0]:
        raise _bad(key, "at least one card")
    return found


def _list(value: object, key: str, length: int) -> list[Any]:
    if not isinstance(value, list) or len(value) != length:
        raise _bad(key, f"a list of {length}")
    return value


def _rank(value: object, key: str) -> int:
    if not isinstance(value, str) or value not in RANKS:
        raise _bad(key, f"no rank {shown(value)}")
    return RANKS.index(value)


def _number(value: object, key: str, start: int, end: int, unit: int = 1) -> int:
    if not is_whole(value) or not start <= value <= end or value % unit:
        of = f"multiple of {unit}" if unit > 1 else "whole number"
        raise _bad(key, f"a {of} from {start} to {end}")
    return value


def _trump(request: Mapping[str, Any]) -> Order:
    trump = request["trump"]
    if not isinstance(trump, dict):
        raise _bad("trump", "an object is needed")
    _keys(trump, {"rank", "suit"}, under="trump: ")
    suit = trump["suit"]
    if suit is not None and (not isinstance(suit, str) or len(suit) != 1 or suit not in SUITS):
        raise _bad("trump", f"no suit {shown(suit)}")
    rank = _rank(trump["rank"], "trump")
    return order(rank, None if suit is None else SUITS.index(suit), keeps_rank=_rules().no_trump_keeps_rank)


def _texts(numbers: list[int]) -> list[str]:
    return [TEXTS[k] for k in numbers]


# --- the requests ----------------------------------------------------------------------------------------------------


def _order(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"trump", "a", "b"})
    return {"order": compare(_trump(request), _card(request["a"], "a"), _card(request["b"], "b"))}


def _components(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"trump", "cards"})
    held, (one, two) = _trump(request), _some(request["cards"], "cards")
    if held.suit_of(one) < 0:
        return {"is_tractor": False, "components": None}
    parts = components(held, one, two)
    tractor = len(parts) == 1 and parts[0].pairs > 1
    return {"is_tractor": tractor, "components": [_texts(cards_of(held, part)) for part in parts]}


def _follow(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"trump", "lead", "hand", "play"})
    held = _trump(request)
    lead = shape(held, *_some(request["lead"], "lead"))
    if lead is None:
        raise _bad("lead", "the cards of a lead are of one effective suit")
    hand, play = _cards(request["hand"], "hand"), _cards(request["play"], "play")
    why = follow.judge(held, lead, hand, play, tractor_duty=_rules().tractor_duty)
    return {"legal": why == follow.OK, "reason": why}


def _trick(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"trump", "plays"})
    held = _trump(request)
    plays = [_some(cards, "plays") for cards in _list(request["plays"], "plays", SEATS)]
    if len({size(*cards) for cards in plays}) > 1:
        raise _bad("plays", "every play has as many cards as the lead")
    if held.suit_of(plays[0][0]) < 0:
        raise _bad("plays", "the cards of a lead are of one effective suit")
    return {"winner": trick.winner(held, plays)}


def _throw(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"trump", "lead", "others"})
    held, thrown = _trump(request), _some(request["lead"], "lead")
    others = [_cards(cards, "others") for cards in _list(request["others"], "others", SEATS - 1)]
    lead = shape(held, *thrown)
    if lead is None:
        raise _bad("lead", "the cards of a lead are of one effective suit")
    part = trick.beaten(held, lead, others)
    if part is None:
        return {"valid": True}
    back = lead.size - part.size
    return {
        "valid": False,
        "must_lead": _texts(cards_of(held, part)),
        "withdrawn": back,
        "penalty": back * _rules().withdrawn,
    }


def _score(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"attacker_points", "last_trick_winner", "last_trick_size", "talon_points", "ranks", "starter"})
    rules, winner, ranks = _rules(), request["last_trick_winner"], request["ranks"]
    total = _number(request["attacker_points"], "attacker_points", -_MOST, _MOST, 5)
    if winner not in (_DECLARERS, _ATTACKERS):
        raise _bad("last_trick_winner", f"{_DECLARERS} or {_ATTACKERS}")
    cards = _number(request["last_trick_size"], "last_trick_size", 1, rules.hand)
    talon = _number(request["talon_points"], "talon_points", 0, 10 * rules.talon, 5)
    if not isinstance(ranks, dict):
        raise _bad("ranks", "an object is needed")
    _keys(ranks, {_DECLARERS, _ATTACKERS}, under="ranks: ")
    declarers, attackers = _rank(ranks[_DECLARERS], "ranks"), _rank(ranks[_ATTACKERS], "ranks")
    starter = _number(request["starter"], "starter", 0, SEATS - 1)
    if winner == _ATTACKERS:
        total = score.with_talon(rules, total, talon, cards)
    settled = score.settle(rules, total, declarers, attackers, starter)
    over = settled.swap is None
    return {
        "total": total,
        "declarers_gain": settled.declarers_gain,
        "attackers_gain": settled.opponents_gain,
        "declarers_rank": score.rank_text(settled.declarers_rank),
        "attackers_rank": score.rank_text(settled.opponents_rank),
        "next_declarers": None if over else "swap" if settled.swap else "same",
        "next_starter": settled.starter,
        "game_over": over,
        "winner": (_DECLARERS if settled.declarers_rank == WON else _ATTACKERS) if over else None,
    }


def _declare(request: Mapping[str, Any]) -> dict[str, Any]:
    _keys(request, {"round", "trump_rank", "starter", "events"}, frozenset({"talon"}))
    which, starter, rank = request["round"], request["starter"], _rank(request["trump_rank"], "trump_rank")
    if which not in ("first", "later"):
        raise _bad("round", "first or later")
    if which == "first" and starter is not None:
        raise _bad("starter", "null in round one, where the last show names the starter")
    if which == "later":
        _number(starter, "starter", 0, SEATS - 1)
    events = request["events"]
    if not isinstance(events, list):
        raise _bad("events", "a list is needed")
    accepted, standing = shows.settle(rank, [_event(event) for event in events])
    talon = _talon(request["talon"]) if request.get("talon") is not None else None
    if standing is None and which == "first":
        return {"accepted": accepted, "outcome": "redeal", "trump_suit": None, "starter": None}
    if standing is None:
        if talon is None:
            raise _bad("talon", "missing: nobody showed")
        suit, exposed = shows.turned(rank, talon)
        answer = {"accepted": accepted, "outcome": "talon", "trump_suit": SUITS[suit], "starter": starter}
        return answer | {"exposed": exposed}
    named = shows.suit_of(standing)
    return {
        "accepted": accepted,
        "outcome": "declared",
        "trump_suit": None if named is None else SUITS[named],
        "starter": standing.seat if which == "first" else starter,
    }


def _event(event: object) -> tuple[int, list[int]]:
    if not isinstance(event, dict):
        raise _bad("events", "an object with seat and cards is needed")
    _keys(event, {"seat", "cards"}, under="events: ")
    return _number(event["seat"], "events: seat", 0, SEATS - 1), _numbers(event["cards"], "events: cards")


def _talon(value: object) -> list[int]:
    _cards(value, "talon")
    talon = _numbers(value, "talon")
    if len(talon) != _rules().talon:
        raise _bad("talon", f"{_rules().talon} cards are needed")
    return talon


OPS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "tractor.order": _order,
    "tractor.components": _components,
    "tractor.follow": _follow,
    "tractor.trick": _trick,
    "tractor.throw": _throw,
    "tractor.score": _score,
    "tractor.declare": _declare,
}
