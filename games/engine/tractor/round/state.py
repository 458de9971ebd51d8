"""The state of a game: hands as masks, the round's trumps, the current trick, the teams' ranks and points (T1 to T7)."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from games.engine.cards import TEXTS
from games.engine.tractor.drawing import draw
from games.engine.tractor.order import Order
from games.engine.tractor.plays import NONE, Cards, texts
from games.engine.tractor.rules import RANKS, SEATS, SUITS, TEAMS, TractorRules
from games.engine.tractor.score import rank_text
from games.engine.tractor.shapes import Shape
from games.engine.tractor.shows import Show

DECK, DRAW, SHOW, BURY, PLAY, OVER = PHASES = ("deck", "draw", "show", "bury", "play", "over")
NOBODY = -1

_new = object.__new__


class Trick(NamedTuple):
    """A finished trick."""

    leader: int
    plays: tuple[Cards, ...]  # four sets of cards, from the leader on
    winner: int
    points: int  # of its cards

    def to_json(self) -> dict[str, Any]:
        """Return the trick as JSON."""
        return {
            "leader": self.leader,
            "plays": [texts(*cards) for cards in self.plays],
            "winner": self.winner,
            "points": self.points,
        }


class Failed(NamedTuple):
    """A throw that failed in the current trick: the cards thrown, those that went back, the points paid for them."""

    seat: int
    thrown: Cards
    back: Cards
    paid: int

    def to_json(self) -> dict[str, Any]:
        """Return the throw as JSON; what was led instead is in the trick."""
        return {"seat": self.seat, "thrown": texts(*self.thrown), "back": texts(*self.back), "paid": self.paid}


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished round, visible to everybody."""

    round: int
    declarers: int  # a team
    starter: int  # a seat
    trump: tuple[int, int]  # rank and suit as indices, suit -1 for no trump
    buried: Cards  # what the starter laid face down
    captured: tuple[int, int]  # points taken in tricks, by team
    talon: int  # what the buried cards added to the opponents' points
    paid: tuple[int, int]  # penalties, by team
    total: int  # P of T7
    gains: tuple[int, int]  # ranks climbed, by team
    ranks: tuple[int, int]  # ranks after the round, by team

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return {
            "round": self.round,
            "declarers": self.declarers,
            "starter": self.starter,
            "trump": trump_json(*self.trump),
            "buried": texts(*self.buried),
            "captured": list(self.captured),
            "talon": self.talon,
            "paid": list(self.paid),
            "total": self.total,
            "gains": list(self.gains),
            "ranks": [rank_text(rank) for rank in self.ranks],
        }


def trump_json(rank: int, suit: int) -> dict[str, str]:
    """Return trumps as JSON: rank and suit, without the suit in a no-trump round."""
    return {"rank": RANKS[rank]} if suit < 0 else {"rank": RANKS[rank], "suit": SUITS[suit]}


class Position:
    """A mutable position; `apply` works on a `copy`."""

    __slots__ = (
        "best", "buried", "captured", "declarers", "drawer", "failed", "gone", "last", "lead", "leader", "one", "order",
        "paid", "passed", "phase", "points", "previous", "ranks", "round", "rounds", "rules", "show", "starter", "stock",
        "strength", "suit", "talon", "trick", "turn", "turned", "two",
    )  # fmt: skip

    def __init__(self, rules: TractorRules, drawer: int, rounds: int = 0) -> None:
        """Create the position before the first deck."""
        self.rules = rules
        self.rounds = rounds  # how many are played, 0 when the ace decides
        self.round = 1  # from 1
        self.ranks = [0] * TEAMS  # by team, indices in RANKS, WON beyond
        self.drawer = drawer  # who draws first
        self.declarers = NOBODY  # a team; NOBODY until the first show of round one counts
        self.starter = NOBODY  # a seat; NOBODY until the first show of round one counts
        self.turn = drawer  # who is to act; the lowest seat where several may
        self.phase: str = DECK
        self.points = [0] * TEAMS  # by team, made as opponents, in all rounds
        self.previous: Ended | None = None  # the round before
        self.clear()

    def clear(self) -> None:
        """Reset all cards, as before a deck."""
        self.one = [0] * SEATS  # with `two`: one[i], two[i] are the hand of seat i, see plays.py
        self.two = [0] * SEATS
        self.stock: list[int] = []  # undrawn cards, the next one last
        self.talon: tuple[int, ...] = ()  # the eight cards in their order, until they are buried
        self.turned: tuple[int, ...] = ()  # the cards of the talon that named the suit
        self.show: Show | None = None  # the standing one
        self.passed = 0  # bits of seats
        self.suit = -1  # of trumps, -1 for none
        self.order: Order | None = None  # None until trumps are known
        self.buried: Cards = NONE  # cards face down
        self.gone: Cards = NONE  # cards of earlier tricks
        self.leader = NOBODY
        self.trick: list[Cards] = []  # the plays of the current trick, from the leader on
        self.lead: Shape | None = None  # its lead's shape
        self.best = NOBODY  # who is winning it
        self.strength = -1  # the strength of the winning play
        self.failed: Failed | None = None  # its failed throw
        self.last: Trick | None = None  # the trick before
        self.captured = [0] * TEAMS  # by team, this round
        self.paid = [0] * TEAMS  # by team, this round

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return SEATS

    @property
    def teams(self) -> int:
        """Return the number of teams."""
        return TEAMS

    @property
    def rank(self) -> int:
        """Return the trump rank of the round, an index in RANKS: that of the declarers' team."""
        return self.ranks[max(self.declarers, 0)]

    def copy(self) -> "Position":
        """Return a copy; nothing that can change is shared."""
        q = _new(Position)
        q.rules = self.rules
        q.rounds = self.rounds
        q.round = self.round
        q.ranks = self.ranks[:]
        q.drawer = self.drawer
        q.declarers = self.declarers
        q.starter = self.starter
        q.turn = self.turn
        q.phase = self.phase
        q.points = self.points[:]
        q.previous = self.previous
        q.one = self.one[:]
        q.two = self.two[:]
        q.stock = self.stock[:]
        q.talon = self.talon
        q.turned = self.turned
        q.show = self.show
        q.passed = self.passed
        q.suit = self.suit
        q.order = self.order
        q.buried = self.buried
        q.gone = self.gone
        q.leader = self.leader
        q.trick = self.trick[:]
        q.lead = self.lead
        q.best = self.best
        q.strength = self.strength
        q.failed = self.failed
        q.last = self.last
        q.captured = self.captured[:]
        q.paid = self.paid[:]
        return q

    def hand(self, seat: int) -> list[str]:
        """Return the cards of a seat as texts, in ASCII order."""
        return texts(self.one[seat], self.two[seat])

    def count(self, seat: int) -> int:
        """Return how many cards a seat holds."""
        return self.one[seat].bit_count() + self.two[seat].bit_count()

    def waiting(self) -> list[int]:
        """Return the seats that have not passed."""
        return [seat for seat in range(SEATS) if not self.passed >> seat & 1]

    def to_json(self) -> dict[str, Any]:
        """Return the position as docs/tractor.md describes: cards sorted where they have no order; keys with default
        values are omitted.
        """
        data: dict[str, Any] = {
            "rules": self.rules.id,
            "seats": SEATS,
            "teams": TEAMS,
            "phase": self.phase,
            "round": self.round,
            "ranks": [rank_text(rank) for rank in self.ranks],
            "drawer": self.drawer,
            "turn": self.turn,
            "hands": [self.hand(seat) for seat in range(SEATS)],
            "stock": [TEXTS[k] for k in reversed(self.stock)],
            "talon": [TEXTS[k] for k in self.talon],
        }
        if self.rounds:
            data["rounds"] = self.rounds
        if self.declarers >= 0:
            data["declarers"] = self.declarers
            data["starter"] = self.starter
        if self.show:
            data["show"] = {"seat": self.show.seat, "cards": texts(self.show.one, self.show.two)}
        if self.passed:
            data["passed"] = [seat for seat in range(SEATS) if self.passed >> seat & 1]
        if self.order:
            data["trump"] = trump_json(self.rank, self.suit)
        if self.turned:
            data["turned"] = [TEXTS[k] for k in self.turned]
        if self.phase == PLAY:
            data["buried"] = texts(*self.buried)
            data["leader"] = self.leader
            data["trick"] = [texts(*cards) for cards in self.trick]
            data["gone"] = texts(*self.gone)
            data["captured"] = list(self.captured)
            data["paid"] = list(self.paid)
        if self.failed:
            data["failed"] = self.failed.to_json()
        if self.last:
            data["last"] = self.last.to_json()
        if any(self.points):
            data["points"] = list(self.points)
        if self.previous:
            data["previous"] = self.previous.to_json()
        return data

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, Position) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # positions change

    def __repr__(self) -> str:
        return f"Position({self.to_json()!r})"

    def __str__(self) -> str:
        """Return the table as text with all hands visible; `drawing.draw` draws a view instead."""
        return draw(self.to_json() | {"best": self.best})
