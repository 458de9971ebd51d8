"""The acts of a game's record: one class for each kind of row that is no play. They are written and parsed here, nowhere else.

A class's fields are the keys of a row's body, in this order; None is not written. `word` is the row's code, `told` the keys
that every viewer may read (an allow-list; what some viewers read besides is said in `view.detail`).

Rows from elsewhere are judged on their raw bodies first (`games.services.judge`): a judge refuses what cannot be parsed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from .rows import BadRecord, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What every act has."""

    word: ClassVar[str]
    told: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(Act):
    """The promise of `deals` deals from number `first` on: the Merkle root over their seeds (docs/deal.md)."""

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
    """The draw that names the first dealer; `cards`: (seat, card) in the order drawn."""

    word = "draw"
    told = ("dealer", "cards")

    dealer: int
    cards: Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched(Act):
    """A seat lays a card, or touches a marble, which binds it; `by`: "referee" where a ruling holds it to that."""

    word = "touch"
    told = ("seat", "card", "marble", "by")

    seat: int
    card: str | None = None
    marble: str | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveSealed(Act):
    """A card laid aside for the partner; only the seat itself reads which."""

    word = "give_sealed"
    told = ("seat",)

    seat: int
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase(Act):
    """Preset words, named by their `code`, before the first deal and after the end."""

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
    """Teams lose by time-outs, by a ruling, or because they never came; `ranks` where that ends the game, one per team."""

    word = "forfeit"
    told = ("teams", "reason", "ranks")

    teams: Sequence[int]
    reason: str
    ranks: Sequence[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Act):
    """A seat gives up for its team; `ranks` where that ends the game."""

    word = "resign"
    told = ("seat", "reason", "ranks")

    seat: int
    reason: str
    ranks: Sequence[int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Act):
    """The seeds that were used are opened; `deals`: d, seed, salt and Merkle path of each."""

    word = "open"
    told = ("deals",)

    deals: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Act):
    """A seat calls the referee; `kind`: one of six words, for the referee and the seat itself."""

    word = "dispute"
    told = ("seat",)

    seat: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze(Act):
    """Clocks and play stand still, `by` a call of `seat` or by a referee, at most `until` (ms)."""

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
    """Play went on after the call at `seq` without a ruling, and why."""

    word = "mark"
    told = ("seq", "why")

    seq: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Act):
    """Play goes on, after a countdown; `by`: a referee, or the clock."""

    word = "resume"
    told = ("by",)

    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty(Act):
    """One blind burn more is owed by the seat; `at`: seq at which it gave information (rulebook section 8)."""

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
    """A referee gives the seat time, or takes some: `ms` milliseconds."""

    word = "adjust"
    told = ("seat", "ms", "by")

    seat: int
    ms: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit(Act):
    """Nothing was served for `ms` of what counts down, until `back`; `seat`: whose clock ran, if one's did."""

    word = "credit"
    told = ("seat", "ms", "why")

    ms: int
    back: int
    why: str
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewind(Act):
    """The last turn is taken back: the decision opened by the row `to` is open anew."""

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
    """Return the body of the row that says `act`: plain JSON."""
    return _plain(act, _KEYS[type(act)])


def told(act: Act) -> dict[str, Any]:
    """Return what every viewer may read of it: plain JSON."""
    return _plain(act, act.told)


def read(row: Row) -> Act:
    """Return the act that a row says; keys that its class does not know are left out. Raises BadRecord naming the seq."""
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
    """Return tuples as JSON's lists, also within each other."""
    return [_listed(one) for one in value] if isinstance(value, tuple) else value


def _held(value: Any) -> Any:
    """Return lists as tuples, also within each other."""
    return tuple([_held(one) for one in value]) if isinstance(value, list) else value
