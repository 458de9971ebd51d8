"""A position of the family: compact inside, rulebook section 12 at the edges.

Inside, marbles are numbers on a track and bits of heavens, cards are numbers in sorted hands, and the stock lies with its
next card last. `from_json` refuses what cannot be and names the key; nothing past it checks again.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from games.engine.cards import NUMBER, RANK, TEXTS
from games.engine.errors import BadPosition
from games.engine.tock.board import MARBLES, RESERVE, Board
from games.engine.tock.rules import Replay, TockRules

DECK: Final = "deck"
GIVE: Final = "give"
PLAY: Final = "play"
JOKER: Final = "joker"
FORCED: Final = "forced"
BLIND: Final = "blind"
OVER: Final = "over"
PHASES = (DECK, GIVE, PLAY, JOKER, FORCED, BLIND, OVER)

_NEEDED = {"rules", "seats", "teams", "dealer", "deal", "turn", "phase", "hands", "stock", "marbles", "fresh"}
_OTHERS = {"first", "given", "joker", "thrown", "penalties", "finished", "full_ranking"}


class Position:
    """A mutable position; `apply` works on a `copy`.

    `at[p]`: the seat whose marble stands on track space p, or -1; `tracks[i]`: seat i's spaces on the track, unordered;
    `heaven[i]`: bits of h1..h4; `reserve[i]`: a count; `guard`: see board.py; `given[i]`: the card laid aside, or -1;
    `joker`: the place of the marble to replay, or RESERVE for none; the other fields are those of section 12.
    """

    __slots__ = (
        "at", "board", "deal", "dealer", "finished", "first", "full_ranking", "given", "guard", "hands", "heaven", "joker",
        "penalties", "phase", "reserve", "rules", "seats", "sheet", "stock", "teams", "thrown", "tracks", "turn",
    )  # fmt: skip

    def __init__(self, rules: TockRules, seats: int, teams: int, dealer: int) -> None:
        """Make the position before the first deck: all marbles in reserve, the seat at the dealer's left to play."""
        self.rules = rules
        # What `legal.py` has worked out for this rule set and board; kept here to save looking it up at every play.
        self.sheet: Any = None
        self.board: Board = rules.board(seats)
        self.seats = seats
        self.teams = teams
        self.dealer = dealer
        self.deal = 0
        self.turn = (dealer + 1) % seats
        self.phase: str = DECK
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.stock: list[int] = []
        self.at = [-1] * self.board.length
        self.tracks: list[list[int]] = [[] for _ in range(seats)]
        self.heaven = [0] * seats
        self.reserve = [MARBLES] * seats
        self.guard = 0
        self.first = False
        self.given = [-1] * seats
        self.joker = RESERVE
        self.penalties = [0] * seats
        self.thrown: tuple[int, ...] = ()
        self.finished: tuple[int, ...] = ()
        self.full_ranking = False

    def copy(self) -> "Position":
        """Answer a position that shares no changing part with this one."""
        q = Position.__new__(Position)
        q.rules = self.rules
        q.sheet = self.sheet
        q.board = self.board
        q.seats = self.seats
        q.teams = self.teams
        q.dealer = self.dealer
        q.deal = self.deal
        q.turn = self.turn
        q.phase = self.phase
        q.hands = [hand[:] for hand in self.hands]
        q.stock = self.stock[:]
        q.at = self.at[:]
        q.tracks = [track[:] for track in self.tracks]
        q.heaven = self.heaven[:]
        q.reserve = self.reserve[:]
        q.guard = self.guard
        q.first = self.first
        q.given = self.given[:]
        q.joker = self.joker
        q.penalties = self.penalties[:]
        q.thrown = self.thrown
        q.finished = self.finished
        q.full_ranking = self.full_ranking
        return q

    def marbles(self, seat: int) -> list[str]:
        """Answer the four places of a seat as text, sorted."""
        names, base = self.board.names, self.board.heaven(seat, 0)
        inside = [names[base + k] for k in range(MARBLES) if self.heaven[seat] >> k & 1]
        return sorted([*inside, *(names[p] for p in self.tracks[seat]), *["r"] * self.reserve[seat]])

    def fresh(self) -> list[int]:
        """Answer the seats whose marble on their own start is fresh, in order."""
        return [seat for seat in range(self.seats) if self.guard >> seat & 1]

    def to_json(self) -> dict[str, Any]:
        """Answer the position as section 12 writes it: hands, marbles and seats sorted, resting keys left out."""
        data: dict[str, Any] = {
            "rules": self.rules.id,
            "seats": self.seats,
            "teams": self.teams,
            "dealer": self.dealer,
            "deal": self.deal,
            "turn": self.turn,
            "phase": self.phase,
            "hands": [[TEXTS[card] for card in hand] for hand in self.hands],
            "stock": [TEXTS[card] for card in reversed(self.stock)],
            "marbles": [self.marbles(seat) for seat in range(self.seats)],
            "fresh": self.fresh(),
        }
        if self.first:
            data["first"] = True
        if self.phase == GIVE:
            data["given"] = [TEXTS[card] if card >= 0 else None for card in self.given]
        if self.joker != RESERVE:
            data["joker"] = self.board.followed_name(self.joker)
        if self.thrown:
            data["thrown"] = sorted(self.thrown)
        if any(self.penalties):
            data["penalties"] = list(self.penalties)
        if self.finished:
            data["finished"] = list(self.finished)
        if self.full_ranking:
            data["full_ranking"] = True
        return data

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, Position) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # positions change

    def __repr__(self) -> str:
        return f"Position({self.to_json()!r})"


def from_json(rules: TockRules, data: Mapping[str, Any]) -> Position:
    """Answer the position that `data` describes; raises BadPosition naming the key and the rule it breaks.

    Source: rulebook section 12 and the last paragraph of section 14.
    """
    _require(isinstance(data, Mapping), "position", "a JSON object is needed")
    for key in _NEEDED - data.keys():
        raise BadPosition("bad_position", f"{key}: missing")
    for key in data.keys() - _NEEDED - _OTHERS:
        raise BadPosition("bad_position", f"{key}: no such key")
    seats, teams = data["seats"], data["teams"]
    _require(_is_int(seats) and _is_int(teams), "seats, teams", "whole numbers are needed")
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
    _check_phase(p)
    return p


def _read_cards(p: Position, data: Mapping[str, Any]) -> None:
    hands = _list(data, "hands", p.seats)
    p.hands = [sorted(_cards(hand, "hands")) for hand in hands]
    p.stock = _cards(data["stock"], "stock")[::-1]
    given = data.get("given")
    if given is not None:
        p.given = [-1 if card is None else _cards([card], "given")[0] for card in _list(data, "given", p.seats)]
    laid = [card for card in p.given if card >= 0] if p.phase == GIVE else []
    held = Counter([*(card for hand in p.hands for card in hand), *p.stock, *laid])
    for card, many in (held - Counter(p.rules.deck())).items():
        raise BadPosition("bad_position", f"hands, stock: {many} {TEXTS[card]} more than the deck holds")


def _read_marbles(p: Position, data: Mapping[str, Any]) -> None:
    board = p.board
    for seat, places in enumerate(_list(data, "marbles", p.seats)):
        _require(isinstance(places, list) and len(places) == MARBLES, "marbles", "four places a seat")
        for name in places:
            place = board.place(name, seat) if isinstance(name, str) else None
            if place is None:
                raise BadPosition("bad_position", f"marbles: seat {seat} has no place {name!r}")
            if place == RESERVE:
                continue
            p.reserve[seat] -= 1
            if place < board.length:
                _require(p.at[place] < 0, "marbles", f"two marbles on {name}")
                p.at[place] = seat
                p.tracks[seat].append(place)
                p.guard |= board.cover[place]
            else:
                bit = 1 << (place - board.heaven(seat, 0))
                _require(not p.heaven[seat] & bit, "marbles", f"two marbles of seat {seat} on {name}")
                p.heaven[seat] |= bit
    for seat in _seats(data, "fresh", p.seats):
        _require(p.at[board.starts[seat]] == seat, "fresh", f"seat {seat} has no marble on its start")
        p.guard |= 1 << seat


def _read_penalties(p: Position, data: Mapping[str, Any]) -> None:
    if "penalties" not in data:
        return
    penalties = _list(data, "penalties", p.seats)
    _require(all(_is_int(n) and n >= 0 for n in penalties), "penalties", "whole numbers from 0")
    p.penalties = list(penalties)


def _read_joker(p: Position, data: Mapping[str, Any]) -> None:
    name = data.get("joker")
    if name is None:
        return
    board = p.board
    _require(isinstance(name, str), "joker", "a place is needed")
    seat = int(name[0]) if name[:1].isdecimal() and name.isascii() else -1
    place = board.place(name[1:], seat) if 0 <= seat < p.seats and name[1:2] == "h" else board.place(name, 0)
    if place is None or place == RESERVE or (place >= board.length and seat < 0):
        raise BadPosition("bad_position", f"joker: no place {name!r}")
    p.joker = place


def _check_phase(p: Position) -> None:
    """Refuse a phase that lacks what it needs."""
    phase = p.phase
    if phase == DECK:
        _require(not p.stock and not any(p.hands), "phase", "a deck is due only when no card is left")
        return
    if phase == OVER:
        return
    laid = p.given if phase == GIVE else []
    # Each joker that is still to be played may draw a card.
    draws = {card for card, rank in enumerate(RANK) if Replay() in p.rules.cards.get(rank, ())}
    jokers = sum(card in draws for cards in (p.stock, *p.hands, laid) for card in cards)
    due = p.seats * sum(p.rules.hands[p.deal + 1 :]) + jokers
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


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(data: Mapping[str, Any], key: str, end: int) -> int:
    value = data[key]
    _require(_is_int(value) and 0 <= value < end, key, f"a whole number from 0 to {end - 1}")
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
    _require(isinstance(value, list) and all(_is_int(s) and 0 <= s < seats for s in value), key, "a list of seats")
    _require(len(set(value)) == len(value), key, "a seat named twice")
    return list(value)


def _cards(value: object, key: str) -> list[int]:
    _require(isinstance(value, list), key, "a list of cards")
    assert isinstance(value, list)
    cards = []
    for text in value:
        card = NUMBER.get(text) if isinstance(text, str) else None
        if card is None:
            raise BadPosition("bad_position", f"{key}: no card {text!r}")
        cards.append(card)
    return cards
