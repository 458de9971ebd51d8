"""The acts of a game's record: one class for each kind of row that is not a play. They are only written and parsed
here.

A class's fields are the keys of a row's body, in this order; None is omitted. `word` is the row's code, `told` lists
the keys that every viewer may read (`view.detail` adds those that only some viewers may read).

Rows from elsewhere are judged by their raw bodies first (`games.services.judge`), which refuses what cannot be parsed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from .rows import BadRecord, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """The base of every act."""

    word: ClassVar[str]
    told: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(Act):
    """The commitment to `deals` deals from number `first` on: the Merkle root over their seeds (docs/deal.md)."""

    word = "commit"
    told = ("scheme", "first", "deals", "root", "shares", "beacon")

    scheme: str
    first: int
    deals: int
    root: str
    shares: str
    beacon: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Act):
    """A seat is ready for the first deal."""

    word = "ready"
    told = ("seat",)

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Act):
    """The draw for the first dealer; `cards`: (seat, card) in the order drawn."""

    word = "draw"
    told = ("dealer", "cards")

    dealer: int
    cards: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched(Act):
    """A seat lays a card, or touches a marble, which binds it; `by`: "referee" if a ruling binds it."""

    word = "touch"
    told = ("seat", "card", "marble", "by")

    seat: int
    card: str | None = None
    marble: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveSealed(Act):
    """A card laid aside for the partner; only the seat itself may read which."""

    word = "give_sealed"
    told = ("seat",)

    seat: int
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase(Act):
    """A preset phrase, by its `code`, before the first deal or after the end."""

    word = "phrase"
    told = ("seat", "code")

    seat: int
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeout(Act):
    """The time of a seat is up, for the `n`th time."""

    word = "timeout"
    told = ("seat", "n")

    seat: int
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit(Act):
    """Teams lose by time-outs, by a ruling, or because they never came; with `ranks`, one per team, if that ends the
    game.
    """

    word = "forfeit"
    told = ("teams", "reason", "ranks")

    teams: Sequence[int]
    reason: str
    ranks: Sequence[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Act):
    """A seat gives up for its team; with `ranks` if that ends the game."""

    word = "resign"
    told = ("seat", "reason", "ranks")

    seat: int
    reason: str
    ranks: Sequence[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Act):
    """The used seeds are revealed; `deals`: d, seed, salt and Merkle path of each."""

    word = "open"
    told = ("deals",)

    deals: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Act):
    """A seat calls the referee; `kind` is one of six words, readable by the referee and the seat itself."""

    word = "dispute"
    told = ("seat",)

    seat: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze(Act):
    """The game and its clocks stop, `by` a call of `seat` or by a referee, at most `until` (ms)."""

    word = "freeze"
    told = ("by", "seat", "until")

    by: str
    seat: int | None = None
    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold(Act):
    """A referee has taken the case: the table waits until then (ms)."""

    word = "hold"
    told = ("until",)

    until: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(Act):
    """The game went on after the call at `seq` without a ruling, and why."""

    word = "mark"
    told = ("seq", "why")

    seq: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Act):
    """The game continues, after a countdown; `by`: a referee, or the clock."""

    word = "resume"
    told = ("by",)

    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty(Act):
    """The seat must burn one more card blind; `at`: seq at which it gave information (rulebook section 8)."""

    word = "penalty"
    told = ("seat", "penalty", "at", "by")

    seat: int
    penalty: str
    at: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Warning(Act):
    """A referee warns the seat."""

    word = "warning"
    told = ("seat", "by")

    seat: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjust(Act):
    """A referee gives a seat time, or takes some: `ms` milliseconds."""

    word = "adjust"
    told = ("seat", "ms", "by")

    seat: int
    ms: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit(Act):
    """An outage took `ms` of running time and ended at `back`; `seat`: whose clock ran, if one's did."""

    word = "credit"
    told = ("seat", "ms", "why")

    ms: int
    back: int
    why: str
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewind(Act):
    """The last turn is taken back: the decision opened by the row `to` is open again."""

    word = "rewind"
    told = ("to", "by")

    to: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView(Act):
    """A referee was shown the hand of the seat."""

    word = "seat_view"

    seat: int
    by: str


KINDS: Mapping[str, type[Act]] = {
    kind.word: kind
    for kind in (
        Commit, Ready, Draw, Touched, GiveSealed, Phrase, Timeout, Forfeit, Resign, Open, Dispute, Freeze, Hold, Mark, Resume,
        Penalty, Warning, Adjust, Credit, Rewind, SeatView,
    )
}  # fmt: skip
_KEYS = {kind: tuple(field.name for field in fields(kind)) for kind in KINDS.values()}


def body(act: Act) -> dict[str, Any]:
    """Return the body of the row for `act`: plain JSON."""
    return _plain(act, _KEYS[type(act)])


def told(act: Act) -> dict[str, Any]:
    """Return what every viewer may read of the act: plain JSON."""
    return _plain(act, act.told)


def read(row: Row) -> Act:
    """Return the act of a row; unknown keys are ignored. Raises BadRecord with the seq."""
    kind = KINDS.get(row.code)
    if kind is None or row.kind != "act":
        raise BadRecord(f"row {row.seq}: unknown act {row.code}")
    try:
        return kind(**{key: _held(row.body[key]) for key in _KEYS[kind] if key in row.body})
    except TypeError as error:
        raise BadRecord(f"row {row.seq}: {row.code}: {error}") from None


def _plain(act: Act, keys: tuple[str, ...]) -> dict[str, Any]:
    values = ((key, getattr(act, key)) for key in keys)
    return {key: _listed(value) if isinstance(value, tuple) else value for key, value in values if value is not None}


def _listed(value: Any) -> Any:
    """Return tuples as lists for JSON, also nested ones."""
    return [_listed(one) for one in value] if isinstance(value, tuple) else value


def _held(value: Any) -> Any:
    """Return lists as tuples, also nested ones."""
    return tuple([_held(one) for one in value]) if isinstance(value, list) else value
