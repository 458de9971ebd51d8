"""The family's implementation of `Game` (the methods are documented in games/engine/game.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine import registry
from games.engine.errors import BadPosition, EngineError, IllegalPlay, UnknownRules
from games.engine.game import Chance, Game, Outcome, View, Viewer, as_array
from games.engine.tractor import facts, notation, round
from games.engine.tractor import view as views
from games.engine.tractor.plays import Play
from games.engine.tractor.round import DECK, DRAW, OVER, SHOW, Position
from games.engine.tractor.rules import SEATS, TEAMS, TractorRules

# Facts that the notation of the play already tells; the table animates the others.
_SAID = (facts.Shown, facts.Passed)


class TractorGame:
    """The Tractor games; stateless.

    Follows and burying are validated, not enumerated: `legal_plays` offers candidates, `is_legal` (or `check`, which
    gives the reason) is authoritative. Candidates are every show, pass, single card, pair and tractor that may be led,
    every follow of one card, some follows of several cards and some ways to bury; at least one wherever a seat must
    choose.
    """

    touches = False
    burns = False
    in_rounds = True
    enumerated = False

    def new(
        self,
        rules: TractorRules,
        *,
        seats: int = SEATS,
        teams: int = TEAMS,
        dealer: int = 0,
        full_ranking: bool = False,
        rounds: int = 0,
    ) -> Position:
        """Return the position before the first deck; `dealer` draws first in round one.

        `rounds`: 0 to play until a team passes the ace. Otherwise at most this many rounds are played; the higher rank
        wins, then the points made as opponents. Raises UnknownRules, and BadPosition for impossible numbers.
        """
        rules.check_table(seats, teams)
        if full_ranking:
            raise UnknownRules("no_such_table", f"full_ranking: {rules.id} is played in teams")
        if not 0 <= dealer < SEATS:
            raise BadPosition("bad_position", f"dealer: a whole number from 0 to {SEATS - 1}")
        if rounds < 0:
            raise BadPosition("bad_position", "rounds: 0 for a game to the ace, or how many are played")
        return Position(rules, dealer, rounds)

    def to_act(self, p: Position) -> frozenset[int] | Chance:
        """Return who acts, as the protocol defines it. While cards are drawn, any seat may also show or pass."""
        if p.phase == DECK:
            return Chance("deck")
        if p.phase == DRAW:
            return Chance("draw")
        if p.phase == OVER:
            return frozenset()
        if p.phase == SHOW:
            return frozenset(p.waiting())
        return frozenset((p.turn,))

    def may_act(self, p: Position) -> frozenset[int]:
        if p.phase in (DRAW, SHOW):
            return frozenset(seat for seat in range(SEATS) if round.acting(p, seat))
        due = self.to_act(p)
        return frozenset() if isinstance(due, Chance) else due

    def may_show(self, p: Position, seat: int) -> bool:
        """Return whether the seat may show now: while cards are drawn and until all have passed, even if it has passed
        itself.
        """
        return p.phase in (DRAW, SHOW) and round.acting(p, seat)

    # The most frequent calls skip a wrapper.
    legal_plays = staticmethod(round.listed)
    check = staticmethod(round.check)
    apply_in_place = staticmethod(round.apply_in_place)

    def narrow(
        self, p: Position, *, card: str | None = None, marbles: Sequence[str] = (), seat: int | None = None
    ) -> Sequence[Play]:
        """Return the candidates: touched cards do not bind in this game."""
        return round.listed(p, seat)

    def is_legal(self, p: Position, m: Play, seat: int | None = None) -> bool:
        try:
            round.check(p, m, seat)
        except IllegalPlay:
            return False
        return True

    def apply(self, p: Position, m: Play, seat: int | None = None) -> Position:
        round.check(p, m, seat)
        q = p.copy()
        round.apply_in_place(q, m)
        return q

    def facts(self, p: Position, m: Play, seat: int | None = None) -> tuple[facts.Fact, ...]:
        return round.tell(p, m)

    def fx(self, p: Position, m: Play, seat: int | None = None) -> list[list[Any]]:
        return [as_array(fact) for fact in round.tell(p, m) if not isinstance(fact, _SAID)]

    def view(self, p: Position, viewer: Viewer) -> View:
        return views.view(p, viewer)

    def outcome(self, p: Position) -> Outcome | None:
        ranks = round.ranks(p)
        return None if ranks is None else Outcome(ranks)

    def perft(self, p: Position, depth: int) -> int:
        """Raise EngineError(`not_counted`): plays are validated and not enumerated."""
        raise EngineError("not_counted", f"perft: plays of {p.rules.id} are validated, not enumerated")

    def may_touch(self, p: Position, marble: str, *, card: str | None = None, marbles: Sequence[str] = ()) -> bool:
        return False

    def penalise(self, p: Position, seat: int) -> Position:
        """Raise EngineError(`no_burn`): no card is burned in this game."""
        raise EngineError("no_burn", f"penalise: no card is burned in {p.rules.id}")

    def play_text(self, m: Play) -> str:
        return m.text

    def parse_play(self, p: Position, text: str, seat: int | None = None) -> Play:
        return notation.read(text)

    def to_json(self, p: Position) -> dict[str, Any]:
        """Return the position as docs/tractor.md writes it."""
        return p.to_json()

    def from_json(self, data: Mapping[str, Any]) -> Position:
        if not isinstance(data, Mapping) or "rules" not in data:
            raise BadPosition("bad_position", "rules: missing")
        rules = registry.rules(data["rules"])
        if not isinstance(rules, TractorRules):
            raise BadPosition("bad_position", f"rules: {rules.id} is another family's")
        return round.from_json(rules, data)


GAME = TractorGame()
_COMPLETE: Game[Position, Play] = GAME  # for mypy: the class implements the whole protocol
