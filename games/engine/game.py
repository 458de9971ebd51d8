"""The one face of every family of games. A Game object holds no state: positions go in, positions come out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Final, Protocol, TypeVar


class Position(Protocol):
    """A position of any family. `phase`: a word that says what is due, such as `play`."""

    @property
    def phase(self) -> str: ...


P = TypeVar("P", bound=Position)
M = TypeVar("M")


class Spectator(Enum):
    """The viewer who holds no seat."""

    SPECTATOR = "spectator"


SPECTATOR: Final = Spectator.SPECTATOR
Viewer = int | Spectator
View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chance:
    """Nobody chooses: a chance play is due. `kind`: `deck`; `draw`, beside which seats may act too (see the family's
    `legal_plays` with a seat); or `blind` for the seat that serves a penalty."""

    kind: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game. `ranks`: one per team, 0 best, equal for ties. `reason`: a word, `played` for the engine."""

    ranks: tuple[int, ...]
    reason: str = "played"


class Fact(Protocol):
    """What a play did, one happening, a dataclass; `word` says which kind."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    word: ClassVar[str]


def as_array(fact: Fact) -> list[Any]:
    """Return the fact as a table's JSON array: its word, then its values in the order of the class."""
    values = [getattr(fact, name) for name in _names(type(fact))]
    return [fact.word, *(list(value) if isinstance(value, tuple) else value for value in values)]


@cache
def _names(kind: type[Fact]) -> tuple[str, ...]:
    """Return the names of a fact's values in the order of its class."""
    return tuple(field.name for field in fields(kind))


class Rules(Protocol):
    """Frozen data of a rule set; `id` is family name and edition, such as `shawinigan/1`."""

    @property
    def id(self) -> str: ...

    @property
    def teams(self) -> Mapping[int, Sequence[int]]:
        """The numbers of teams by number of seats; as many teams as seats is individual play."""
        ...

    def deck(self, seats: int) -> Sequence[int]:
        """Return the numbers of all cards of the deck, unshuffled, in the order of docs/deal.md, step 6."""
        ...

    def check_table(self, seats: int, teams: int) -> None:
        """Raise UnknownRules unless the rule set is played by that many seats in that many teams."""
        ...


class Game(Protocol[P, M]):
    """A family of games: position P, play M. The docstrings are the contract; rulebook section 13 is its wire form.

    What not every family can do is said by data, never asked by trial:
    `touches`: a touched card or marble may bind (`may_touch`, and what `check` and `narrow` are told of touches).
    `burns`: a seat may be made to burn a card blind (`penalise`). `in_rounds`: a game may be fixed to a number of rounds
    (`new`). `enumerated`: `legal_plays` lists every play, so that they can be counted (`perft`).
    """

    touches: bool
    burns: bool
    in_rounds: bool
    enumerated: bool

    def new(self, rules: Any, *, seats: int, teams: int, dealer: int, full_ranking: bool = False, rounds: int = 0) -> P:
        """Return the position that waits for a deck; `rounds`: how many are played, 0 for a game to its own end.

        Raises UnknownRules for a table the rules do not offer, and for rounds where the game is not `in_rounds`.
        """
        ...

    def to_act(self, p: P) -> frozenset[int] | Chance:
        """Return the seats that must choose (several in an exchange, none when over), or the Chance that is due."""
        ...

    def may_act(self, p: P) -> frozenset[int]:
        """Return the seats that may choose something now: those of `to_act`, and who may speak though nobody waits."""
        ...

    def legal_plays(self, p: P, seat: int | None = None) -> Iterable[M]:
        """Return the plays of the seat to act (or of `seat`), in the order of their notation."""
        ...

    def is_legal(self, p: P, m: M, seat: int | None = None) -> bool:
        """Return whether the rules accept the play: the authority, also for spellings that `legal_plays` does not list."""
        ...

    def check(
        self, p: P, m: M, seat: int | None = None, *, card: str | None = None, marbles: Sequence[str] = ()
    ) -> None:
        """Raise IllegalPlay(code) unless the seat to act (or `seat`) may make the play, after these touches if any."""
        ...

    def apply(self, p: P, m: M, seat: int | None = None) -> P:
        """Return the position after the play, `p` untouched; raises IllegalPlay(code)."""
        ...

    def apply_in_place(self, p: P, m: M) -> None:
        """Change `p` itself. Trusts `m`; for playouts and counting, never for services."""
        ...

    def facts(self, p: P, m: M, seat: int | None = None) -> tuple[Fact, ...]:
        """Return what the play does, in order: for animation, logs and screen readers."""
        ...

    def fx(self, p: P, m: M, seat: int | None = None) -> list[list[Any]]:
        """Return the facts that a table animates, as JSON arrays."""
        ...

    def view(self, p: P, viewer: Viewer) -> View:
        """Return what the viewer may see, built from an allow-list; plain JSON without null."""
        ...

    def outcome(self, p: P) -> Outcome | None:
        """Return the rank of each team, or None while the game goes on."""
        ...

    def perft(self, p: P, depth: int) -> int:
        """Return the number of sequences of `depth` listed plays; raises ValueError beyond 0..10, EngineError
        (`not_counted`) where plays are not `enumerated`."""
        ...

    def play_text(self, m: M) -> str:
        """Return the play's line of notation."""
        ...

    def parse_play(self, p: P, text: str, seat: int | None = None) -> M:
        """Return the play a line names here; raises BadNotation, or IllegalPlay when no such play exists."""
        ...

    def to_json(self, p: P) -> dict[str, Any]:
        """Return the position as rulebook section 12 writes it."""
        ...

    def from_json(self, data: Mapping[str, Any]) -> P:
        """Return the position; raises BadPosition naming the key at fault."""
        ...

    def narrow(
        self, p: P, *, card: str | None = None, marbles: Sequence[str] = (), seat: int | None = None
    ) -> Sequence[M]:
        """Return the plays that touches leave open; games without touches return those of `legal_plays`."""
        ...

    def may_touch(self, p: P, marble: str, *, card: str | None = None, marbles: Sequence[str] = ()) -> bool:
        """Return whether touching this marble binds the seat to act, after these touches; never where nothing `touches`."""
        ...

    def penalise(self, p: P, seat: int) -> P:
        """Return the position in which `seat` owes one more blind burn; raises EngineError (`no_burn`) without `burns`."""
        ...
