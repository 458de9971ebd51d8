"""The family's implementation of `Game` (the methods are documented in games/engine/game.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine import registry
from games.engine.errors import BadPosition, IllegalPlay, UnknownRules
from games.engine.game import Chance, Game, Outcome, View, Viewer, as_array
from games.engine.tock import conduct, facts, notation, position, turns
from games.engine.tock import legal as judge
from games.engine.tock import view as views
from games.engine.tock.plays import Play
from games.engine.tock.position import BLIND, DECK, GIVE, OVER, Position
from games.engine.tock.rules import TockRules

# Facts that the notation of the play already tells; the table animates the others.
_SAID = (facts.CardBurned, facts.CardBurnedBlind)


class TockGame:
    """The Tock games; stateless."""

    touches = True
    burns = True
    in_rounds = False
    enumerated = True

    def new(
        self,
        rules: TockRules,
        *,
        seats: int = 4,
        teams: int = 2,
        dealer: int = 0,
        full_ranking: bool = False,
        rounds: int = 0,
    ) -> Position:
        """Return the position before the first deck. Raises UnknownRules, and BadPosition for a dealer without a seat."""
        rules.check_table(seats, teams)
        if rounds:
            raise UnknownRules("no_such_table", f"rounds: {rules.id} has no rounds to count")
        if not 0 <= dealer < seats:
            raise BadPosition("bad_position", f"dealer: a whole number from 0 to {seats - 1}")
        p = Position(rules, seats, teams, dealer)
        p.first = teams < seats
        p.full_ranking = full_ranking
        return p

    def to_act(self, p: Position) -> frozenset[int] | Chance:
        if p.phase == DECK:
            return Chance("deck")
        if p.phase == BLIND:
            return Chance("blind", p.turn)
        if p.phase == OVER:
            return frozenset()
        if p.phase == GIVE:
            return frozenset(seat for seat in range(p.seats) if p.given[seat] < 0)
        return frozenset((p.turn,))

    def may_act(self, p: Position) -> frozenset[int]:
        due = self.to_act(p)
        return frozenset() if isinstance(due, Chance) else due

    # The two most frequent calls skip a wrapper.
    legal_plays = staticmethod(judge.listed)
    apply_in_place = staticmethod(turns.apply_in_place)

    def narrow(
        self, p: Position, *, card: str | None = None, marbles: Sequence[str] = (), seat: int | None = None
    ) -> list[Play]:
        return conduct.narrow(p, card=card, marbles=marbles, seat=seat)

    def check(
        self, p: Position, m: Play, seat: int | None = None, *, card: str | None = None, marbles: Sequence[str] = ()
    ) -> None:
        """Raise IllegalPlay(code) unless `seat` may make the play after the given touches."""
        q = self._for_seat(p, seat)
        if card is None and not marbles:
            judge.check(q, m)
        else:
            conduct.check_touched(q, m, card=card, marbles=marbles)

    def is_legal(self, p: Position, m: Play, seat: int | None = None) -> bool:
        try:
            self.check(p, m, seat)
        except IllegalPlay:
            return False
        return True

    def apply(self, p: Position, m: Play, seat: int | None = None) -> Position:
        q = self._for_seat(p, seat)
        judge.check(q, m)
        q = q.copy() if q is p else q
        turns.apply_in_place(q, m)
        return q

    def facts(self, p: Position, m: Play, seat: int | None = None) -> tuple[facts.Fact, ...]:
        q = self._for_seat(p, seat)
        kept = q.keep()
        if kept.told is None or kept.told[0] is not m:
            kept.told = m, turns.tell(q, m)
        happened: tuple[facts.Fact, ...] = kept.told[1]
        return happened

    def fx(self, p: Position, m: Play, seat: int | None = None) -> list[list[Any]]:
        return [as_array(fact) for fact in self.facts(p, m, seat) if not isinstance(fact, _SAID)]

    def view(self, p: Position, viewer: Viewer) -> View:
        return views.view(p, viewer)

    def outcome(self, p: Position) -> Outcome | None:
        ranks = turns.ranks(p)
        return None if ranks is None else Outcome(ranks)

    def perft(self, p: Position, depth: int) -> int:
        if not 0 <= depth <= 10:
            raise ValueError("depth: a whole number from 0 to 10")
        return turns.perft(p, depth)

    def may_touch(self, p: Position, marble: str, *, card: str | None = None, marbles: Sequence[str] = ()) -> bool:
        return conduct.may_touch_marble(p, marble, card=card, marbles=marbles)

    def penalise(self, p: Position, seat: int) -> Position:
        """Return the position in which `seat` must burn one more card at random (rulebook section 8)."""
        return conduct.penalise(p, seat)

    def play_text(self, m: Play) -> str:
        return m.text

    def parse_play(self, p: Position, text: str, seat: int | None = None) -> Play:
        # Fast path: a listed line needs no parsing, and the listed play is returned.
        if seat is None or seat == p.turn:
            for play in judge.known(p):
                if play.text == text:
                    return play
        line = notation.read(text)
        return judge.resolve(p, line, p.turn if seat is None else seat)

    def to_json(self, p: Position) -> dict[str, Any]:
        return p.to_json()

    def from_json(self, data: Mapping[str, Any]) -> Position:
        if not isinstance(data, Mapping) or "rules" not in data:
            raise BadPosition("bad_position", "rules: missing")
        rules = registry.rules(data["rules"])
        if not isinstance(rules, TockRules):
            raise BadPosition("bad_position", f"rules: {rules.id} is another family's")
        return position.from_json(rules, data)

    def _for_seat(self, p: Position, seat: int | None) -> Position:
        """Return `p`, or in an exchange a copy in which it is `seat`'s turn; raises IllegalPlay when it is another
        seat's turn.
        """
        if seat is None or seat == p.turn:
            return p
        if p.phase != GIVE or not 0 <= seat < p.seats or p.given[seat] >= 0:
            raise IllegalPlay("not_your_turn", f"seat {p.turn} is to act, not seat {seat}")
        q = p.copy()
        q.turn = seat
        return q


GAME = TockGame()
_COMPLETE: Game[Position, Play] = GAME  # for mypy: the class implements the whole protocol
