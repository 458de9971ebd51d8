"""The interface of every family of games. A Game object is stateless: each method takes a position and returns a new
one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Final, Protocol, TypeVar


class Position(Protocol):
    """A position of any family. `phase`: a word for what is expected next, such as `play`."""

    @property
    def phase(self) -> str: ...


P = TypeVar("P", bound=Position)
M = TypeVar("M")


class Spectator(Enum):
    """The viewer without a seat."""

    SPECTATOR = "spectator"


SPECTATOR: Final = Spectator.SPECTATOR
Viewer = int | Spectator
View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance play is due; no player chooses it."""

    kind: str  # `deck`; `draw` (seats may act too, see `legal_plays` with a seat); or `blind`
    seat: int | None = None  # the seat that serves a penalty, for `blind`


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game."""

    ranks: tuple[int, ...]  # one rank per team, 0 is best, ties share a rank
    reason: str = "played"  # a code; the engine itself only gives `played`


class Fact(Protocol):
    """One effect of a play, as a dataclass; `word` names its type."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    word: ClassVar[str]


def as_array(fact: Fact) -> list[Any]:
    """Return the fact as a JSON array for the table: its word, then its values in the order of the class's fields."""
    values = [getattr(fact, name) for name in _names(type(fact))]
    return [fact.word, *(list(value) if isinstance(value, tuple) else value for value in values)]


@cache
def _names(kind: type[Fact]) -> tuple[str, ...]:
    """Return the names of a fact's fields, in order."""
    return tuple(field.name for field in fields(kind))


class Rules(Protocol):
    """The constants of a rule set; `id` is family and edition, such as `shawinigan/1`."""

    @property
    def id(self) -> str: ...

    @property
    def teams(self) -> Mapping[int, Sequence[int]]:
        """Return the allowed numbers of teams by number of seats; as many teams as seats means individual play."""
        ...

    def deck(self, seats: int) -> Sequence[int]:
        """Return the numbers of all cards of the deck, unshuffled, in the order of docs/deal.md, step 6."""
        ...

    def check_table(self, seats: int, teams: int) -> None:
        """Raise UnknownRules unless the rule set supports this number of seats and teams."""
        ...


class Game(Protocol[P, M]):
    """A family of games with positions of type P and plays of type M.

    These docstrings are the contract; rulebook section 13 describes the same operations as JSON. The flags say what a
    family supports, so that callers need not try.
    """

    touches: bool  # touched cards and marbles may bind (`may_touch`; `check` and `narrow` take touches into account)
    burns: bool  # a seat can be made to burn a card at random (`penalise`)
    in_rounds: bool  # a game can have a fixed number of rounds (`new`)
    enumerated: bool  # `legal_plays` lists every play, so plays can be counted (`perft`)

    def new(self, rules: Any, *, seats: int, teams: int, dealer: int, full_ranking: bool = False, rounds: int = 0) -> P:
        """Return the position before the first deck; `rounds`: the number of rounds to play, 0 to play until the game
        ends.

        Raises UnknownRules when the rule set does not support the table, or does not support a number of rounds
        (`in_rounds`).
        """
        ...

    def to_act(self, p: P) -> frozenset[int] | Chance:
        """Return the seats that must choose (several in an exchange, none after the end), or the Chance that is due."""
        ...

    def may_act(self, p: P) -> frozenset[int]:
        """Return the seats that may choose now: those of `to_act`, and those that may act although the game does not
        wait for them.
        """
        ...

    def legal_plays(self, p: P, seat: int | None = None) -> Iterable[M]:
        """Return the plays of the seat to act (or of `seat`), in the order of their notation."""
        ...

    def is_legal(self, p: P, m: M, seat: int | None = None) -> bool:
        """Return whether the rules accept the play. Authoritative, also for spellings that `legal_plays` does not list."""
        ...

    def check(
        self, p: P, m: M, seat: int | None = None, *, card: str | None = None, marbles: Sequence[str] = ()
    ) -> None:
        """Raise IllegalPlay(code) unless the seat to act (or `seat`) may make the play after the given touches."""
        ...

    def apply(self, p: P, m: M, seat: int | None = None) -> P:
        """Return the position after the play; `p` is not changed. Raises IllegalPlay(code)."""
        ...

    def apply_in_place(self, p: P, m: M) -> None:
        """Apply the play to `p` itself without checking it. For search and counting, never for services."""
        ...

    def facts(self, p: P, m: M, seat: int | None = None) -> tuple[Fact, ...]:
        """Return the effects of the play, in order: for animation, logs and screen readers."""
        ...

    def fx(self, p: P, m: M, seat: int | None = None) -> list[list[Any]]:
        """Return the facts that the table animates, as JSON arrays."""
        ...

    def view(self, p: P, viewer: Viewer) -> View:
        """Return what the viewer may see, as plain JSON without null. Only allowed keys are copied."""
        ...

    def outcome(self, p: P) -> Outcome | None:
        """Return the rank of each team, or None while the game goes on."""
        ...

    def perft(self, p: P, depth: int) -> int:
        """Return the number of sequences of `depth` listed plays.

        Raises ValueError for a depth beyond 0..10, EngineError (`not_counted`) where plays are not `enumerated`.
        """
        ...

    def play_text(self, m: M) -> str:
        """Return the notation of the play."""
        ...

    def parse_play(self, p: P, text: str, seat: int | None = None) -> M:
        """Return the play that a line of notation means in this position; raises BadNotation, or IllegalPlay when there
        is no such play.
        """
        ...

    def to_json(self, p: P) -> dict[str, Any]:
        """Return the position as JSON, in the format of rulebook section 12."""
        ...

    def from_json(self, data: Mapping[str, Any]) -> P:
        """Return the position; raises BadPosition, which names the wrong key."""
        ...

    def narrow(
        self, p: P, *, card: str | None = None, marbles: Sequence[str] = (), seat: int | None = None
    ) -> Sequence[M]:
        """Return the legal plays that remain after touches; without `touches` the same as `legal_plays`."""
        ...

    def may_touch(self, p: P, marble: str, *, card: str | None = None, marbles: Sequence[str] = ()) -> bool:
        """Return whether touching this marble binds the seat to act, after the given touches; always False without
        `touches`.
        """
        ...

    def penalise(self, p: P, seat: int) -> P:
        """Return the position in which `seat` must burn one more card at random; raises EngineError (`no_burn`) without
        `burns`.
        """
        ...
