"""Read a position from JSON. An impossible one is refused with the name of the key; no other module checks positions
again.

Source: rulebook section 12 and the last paragraph of section 14.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from games.engine.cards import NUMBER, RANK, TEXTS
from games.engine.errors import BadPosition, shown
from games.engine.numbers import is_whole
from games.engine.tock.board import FULL, MARBLES, RESERVE
from games.engine.tock.position.state import BLIND, DECK, GIVE, JOKER, OVER, PHASES, Position
from games.engine.tock.rules import Replay, TockRules

_NEEDED = {"rules", "seats", "teams", "dealer", "deal", "turn", "phase", "hands", "stock", "marbles", "fresh"}
_OTHERS = {"first", "given", "joker", "thrown", "penalties", "finished", "full_ranking"}


def from_json(rules: TockRules, data: Mapping[str, Any]) -> Position:
    """Return the position that `data` describes; raises BadPosition with the key and the rule that it breaks, and
    UnknownRules for a table that the rule set does not support.
    """
    for key in sorted(_NEEDED - data.keys()):
        raise BadPosition("bad_position", f"{key}: missing")
    for key in sorted(map(str, data.keys() - _NEEDED - _OTHERS)):
        raise BadPosition("bad_position", f"{shown(key)}: no such key")
    seats, teams = data["seats"], data["teams"]
    _require(is_whole(seats) and is_whole(teams), "seats, teams", "whole numbers are needed")
    rules.check_table(seats, teams)
    p = Position(rules, seats, teams, _number(data, "dealer", seats))
    p.deal = _number(data, "deal", len(rules.hands))
    p.turn = _number(data, "turn", seats)
    p.phase = data["phase"]
    _require(p.phase in PHASES, "phase", f"one of {', '.join(PHASES)}")
    p.first = _flag(data, "first")
    p.full_ranking = _flag(data, "full_ranking")
    p.thrown = tuple(_seats(data, "thrown", seats))
    p.finished = tuple(_seats(data, "finished", seats))
    _read_cards(p, data)
    _read_marbles(p, data)
    _read_penalties(p, data)
    _read_joker(p, data)
    _check_finished(p)
    _check_phase(p)
    return p


@cache
def _deck(rules: TockRules, seats: int) -> Counter[int]:
    """Return the number of copies of each card in the deck."""
    return Counter(rules.deck(seats))


@cache
def _drawing(rules: TockRules, seats: int) -> frozenset[int]:
    """Return the cards that make their player draw another card."""
    powers = rules.powers(seats)
    return frozenset(card for card in _deck(rules, seats) if Replay() in powers[RANK[card]])


def _read_cards(p: Position, data: Mapping[str, Any]) -> None:
    hands = _list(data, "hands", p.seats)
    p.hands = [sorted(_cards(hand, "hands")) for hand in hands]
    p.stock = _cards(data["stock"], "stock")[::-1]
    given = data.get("given")
    if given is not None:
        p.given = [-1 if card is None else _cards([card], "given")[0] for card in _list(data, "given", p.seats)]
    laid = [card for card in p.given if card >= 0] if p.phase == GIVE else []
    held = Counter([*(card for hand in p.hands for card in hand), *p.stock, *laid])
    for card, many in (held - _deck(p.rules, p.seats)).items():
        raise BadPosition("bad_position", f"hands, stock: {many} {TEXTS[card]} more than the deck holds")


def _read_marbles(p: Position, data: Mapping[str, Any]) -> None:
    board = p.board
    for seat, places in enumerate(_list(data, "marbles", p.seats)):
        _require(isinstance(places, list) and len(places) == MARBLES, "marbles", "four places a seat")
        for name in places:
            place = board.place(name, seat) if isinstance(name, str) else None
            if place is None:
                raise BadPosition("bad_position", f"marbles: seat {seat} has no place {shown(name)}")
            if place != RESERVE:
                _require(p.put(seat, place), "marbles", f"two marbles on {name}, one of them of seat {seat}")
    for seat in _seats(data, "fresh", p.seats):
        _require(p.at[board.starts[seat]] == seat, "fresh", f"seat {seat} has no marble on its start")
        p.guard |= 1 << seat


def _read_penalties(p: Position, data: Mapping[str, Any]) -> None:
    if "penalties" not in data:
        return
    penalties = _list(data, "penalties", p.seats)
    _require(all(is_whole(n) and n >= 0 for n in penalties), "penalties", "whole numbers from 0")
    p.penalties = list(penalties)


def _read_joker(p: Position, data: Mapping[str, Any]) -> None:
    name = data.get("joker")
    if name is None:
        return
    board = p.board
    _require(isinstance(name, str), "joker", "a place is needed")
    seat = int(name[0]) if name[:1].isdecimal() and name.isascii() else -1
    place = board.place(name[1:], seat) if 0 <= seat < p.seats and name[1:2] == "h" else board.place(name, 0)
    if place is None or place == RESERVE or place >= board.middle or (place >= board.length and seat < 0):
        raise BadPosition("bad_position", f"joker: no place {shown(name)}")
    p.joker = place


def _check_finished(p: Position) -> None:
    """Refuse seats that finished without all marbles in heaven, or that still hold cards while the game goes on."""
    if p.finished:
        _require(p.teams == p.seats, "finished", "in teams no seat leaves the game")
        _require(len(p.finished) < p.seats, "finished", "the last seat never finishes")
    for seat in p.finished:
        _require(p.heaven[seat] == FULL, "finished", f"the marbles of seat {seat} are not all in heaven")
        _require(p.phase == OVER or not p.hands[seat], "finished", f"seat {seat} holds cards")


def _check_phase(p: Position) -> None:
    """Refuse a position that lacks what its phase needs."""
    phase = p.phase
    if phase == DECK:
        _require(not p.stock and not any(p.hands), "phase", "a deck is due only when no card is left")
        _require(p.deal == 0, "deal", "a deck is due before deal 0")
        return
    if phase == OVER:
        return
    laid = p.given if phase == GIVE else []
    # Each joker still to be played may draw a card.
    draws = _drawing(p.rules, p.seats)
    jokers = sum(card in draws for cards in (p.stock, *p.hands, laid) for card in cards) if draws else 0
    due = (p.seats - len(p.finished)) * sum(p.rules.hands[p.deal + 1 :]) + jokers
    _require(len(p.stock) >= due, "stock", f"{due} cards are still to be dealt or drawn")
    if phase == GIVE:
        _require(p.given[p.turn] < 0, "turn", "this seat has already given")
        waiting = [seat for seat in range(p.seats) if p.given[seat] < 0]
        _require(all(p.hands[seat] for seat in waiting), "hands", "a seat that must give has no card")
    _require(bool(p.hands[p.turn]), "turn", "the seat to act has no card")
    if phase == BLIND:
        _require(p.penalties[p.turn] > 0, "phase", "blind without a penalty owed")
    if phase == JOKER:
        _require(p.joker != RESERVE, "phase", "joker without the marble to replay")
        board, place = p.board, p.joker
        there = (
            p.at[place] >= 0
            if place < board.length
            else p.heaven[board.owner(place)] >> (place - board.length) % MARBLES & 1
        )
        _require(bool(there), "joker", "no marble stands there")


def _require(fine: bool, key: str, rule: str) -> None:
    if not fine:
        raise BadPosition("bad_position", f"{key}: {rule}")


def _number(data: Mapping[str, Any], key: str, end: int) -> int:
    value = data[key]
    _require(is_whole(value) and 0 <= value < end, key, f"a whole number from 0 to {end - 1}")
    return int(value)


def _flag(data: Mapping[str, Any], key: str) -> bool:
    value = data.get(key, False)
    _require(isinstance(value, bool), key, "true or false")
    return bool(value)


def _list(data: Mapping[str, Any], key: str, length: int) -> list[Any]:
    value = data[key]
    _require(isinstance(value, list) and len(value) == length, key, f"a list of {length}, one a seat")
    return list(value)


def _seats(data: Mapping[str, Any], key: str, seats: int) -> list[int]:
    value = data.get(key, [])
    _require(isinstance(value, list) and all(is_whole(s) and 0 <= s < seats for s in value), key, "a list of seats")
    _require(len(set(value)) == len(value), key, "a seat named twice")
    return list(value)


def _cards(value: object, key: str) -> list[int]:
    _require(isinstance(value, list), key, "a list of cards")
    assert isinstance(value, list)
    cards = []
    for text in value:
        card = NUMBER.get(text) if isinstance(text, str) else None
        if card is None:
            raise BadPosition("bad_position", f"{key}: no card {shown(text)}")
        cards.append(card)
    return cards
