"""The family's implementation of `Game` (the methods are documented in games/engine/game.py)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from games.engine import registry
from games.engine.cards import NUMBER
from games.engine.errors import BadNotation, BadPosition, EngineError, IllegalPlay, UnknownRules
from games.engine.game import Chance, Fact, Outcome, View, Viewer, as_array

from .rules import LEAST_HEAP, SEATS, NimRules


@dataclass(frozen=True, slots=True)
class Position:
    """`heap`: how many are left, -1 before the deck; `turn`: the seat to take next."""

    rules: NimRules
    turn: int
    heap: int = -1

    @property
    def phase(self) -> str:
        return "deck" if self.heap < 0 else "play" if self.heap else "over"


@dataclass(frozen=True, slots=True)
class Play:
    """A play: a deck, with `count` as the height of the heap, or the number taken."""

    text: str
    count: int
    deck: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """Fact: a seat took this many."""

    word: ClassVar[str] = "taken"
    seat: int
    count: int


class NimGame:
    """Pure functions of positions; the object itself has no state."""

    touches = False
    burns = False
    in_rounds = False
    enumerated = True

    def new(
        self, rules: NimRules, *, seats: int, teams: int, dealer: int, full_ranking: bool = False, rounds: int = 0
    ) -> Position:
        rules.check_table(seats, teams)
        if rounds:
            raise UnknownRules("no_such_table", f"rounds: {rules.id} has no rounds to count")
        return Position(rules, turn=1 - dealer)

    def to_act(self, p: Position) -> frozenset[int] | Chance:
        return Chance("deck") if p.phase == "deck" else self.may_act(p)

    def may_act(self, p: Position) -> frozenset[int]:
        return frozenset((p.turn,) if p.phase == "play" else ())

    def legal_plays(self, p: Position, seat: int | None = None) -> list[Play]:
        most = min(p.rules.most, max(p.heap, 0))
        return [Play(f"take {count}", count) for count in range(1, most + 1)] if seat in (None, p.turn) else []

    def narrow(
        self, p: Position, *, card: str | None = None, marbles: Sequence[str] = (), seat: int | None = None
    ) -> list[Play]:
        return self.legal_plays(p, seat)

    def may_touch(self, p: Position, marble: str, *, card: str | None = None, marbles: Sequence[str] = ()) -> bool:
        return False

    def check(
        self, p: Position, m: Play, seat: int | None = None, *, card: str | None = None, marbles: Sequence[str] = ()
    ) -> None:
        if m.deck != (p.phase == "deck"):
            raise IllegalPlay("not_now")
        if not m.deck and seat not in (None, p.turn):
            raise IllegalPlay("not_your_turn")
        if not m.deck and m not in self.legal_plays(p):
            raise IllegalPlay("too_many")

    def is_legal(self, p: Position, m: Play, seat: int | None = None) -> bool:
        try:
            self.check(p, m, seat)
        except IllegalPlay:
            return False
        return True

    def apply(self, p: Position, m: Play, seat: int | None = None) -> Position:
        self.check(p, m, seat)
        return replace(p, heap=m.count) if m.deck else replace(p, heap=p.heap - m.count, turn=1 - p.turn)

    def apply_in_place(self, p: Position, m: Play) -> None:
        raise NotImplementedError("positions of Nim are frozen")

    def facts(self, p: Position, m: Play, seat: int | None = None) -> tuple[Fact, ...]:
        return () if m.deck else (Taken(p.turn, m.count),)

    def fx(self, p: Position, m: Play, seat: int | None = None) -> list[list[Any]]:
        return [as_array(fact) for fact in self.facts(p, m, seat)]

    def view(self, p: Position, viewer: Viewer) -> View:
        return {"phase": p.phase, "turn": p.turn} | ({"heap": p.heap} if p.heap >= 0 else {})

    def outcome(self, p: Position) -> Outcome | None:
        """The seat that takes the last one wins, so the seat that would be next loses."""
        return Outcome(tuple(int(seat == p.turn) for seat in range(SEATS))) if p.phase == "over" else None

    def perft(self, p: Position, depth: int) -> int:
        return 1 if depth == 0 else sum(self.perft(self.apply(p, play), depth - 1) for play in self.legal_plays(p))

    def penalise(self, p: Position, seat: int) -> Position:
        raise EngineError("no_burn", "penalise: no card is burned in Nim")

    def play_text(self, m: Play) -> str:
        return m.text

    def parse_play(self, p: Position, text: str, seat: int | None = None) -> Play:
        word, _, rest = text.partition(" ")
        if word == "deck" and (first := rest.partition(" ")[0]) in NUMBER:
            return Play(text, LEAST_HEAP + NUMBER[first] % 5, deck=True)
        if word == "take" and rest.isdecimal():
            return Play(text, int(rest))
        raise BadNotation("bad_notation", "deck and its cards, or take and a number")

    def to_json(self, p: Position) -> dict[str, Any]:
        return {"rules": p.rules.id, "turn": p.turn, "heap": p.heap}

    def from_json(self, data: Mapping[str, Any]) -> Position:
        rules = registry.rules(data["rules"])
        if not isinstance(rules, NimRules) or data.keys() != {"rules", "turn", "heap"}:
            raise BadPosition("bad_position", "rules, turn and heap are needed")
        return Position(rules, data["turn"], data["heap"])


GAME = NimGame()
