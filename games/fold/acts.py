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
    """The commitment to a number of deals before their cards are dealt (docs/deal.md)."""

    word = "commit"
    told = ("scheme", "first", "deals", "root", "shares", "beacon", "setup")

    scheme: str  # "tock-deal-v1"
    first: int  # the number of the first deal
    deals: int  # how many
    root: str  # the Merkle root over their seeds, as hex
    shares: str  # "seats": the seats may add shares, "zero": an older game, to which they add none
    beacon: str | Mapping[str, Any]  # empty: there is none; else the chain, see `Chain`
    # SHA-256 (hex) of the game's kind, see `Setup.digest`; None in older games and in later roots
    setup: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Act):
    """A seat is ready for the first deal; it may commit to its share of the shuffle."""

    word = "ready"
    told = ("seat", "share")

    seat: int
    share: str | None = None  # the commitment, as hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing(Act):
    """All seats are ready, and those that have committed open their shares."""

    word = "sharing"
    told = ("until", "round")

    until: int  # when it is too late (ms)
    round: int | None = None  # of the beacon, which is published later; None where there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Share(Act):
    """A seat opens its share of the shuffle."""

    word = "share"
    told = ("seat", "value")

    seat: int
    value: str  # 32 bytes as hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared(Act):
    """No share is accepted any more."""

    word = "shared"
    told = ("withheld",)

    withheld: Sequence[int]  # the seats that have not opened what they committed to: zeros count for them


@dataclass(frozen=True, slots=True, kw_only=True)
class Beacon(Act):
    """The beacon's round takes part in the shuffle, or the table has waited long enough for it."""

    word = "beacon"
    told = ("round", "signature", "randomness", "absent")

    round: int
    signature: str | None = None  # of the source, as hex
    randomness: str | None = None  # H(signature), as hex
    absent: bool | None = None  # True: the cards are dealt without it


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Act):
    """The draw for the first dealer."""

    word = "draw"
    told = ("dealer", "cards")

    dealer: int
    cards: Sequence[tuple[int, str]]  # (seat, card) in the order drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(Act):
    """The game begins at a position of a finished game instead of a first deal; everybody is there."""

    word = "begin"
    told = ("of", "seq")

    of: str  # the public id of the finished game
    seq: int  # the position is the one after that row of it
    position: Mapping[str, Any]  # rulebook section 12; the stock is shuffled anew (docs/deal.md)
    pile: str  # the card on top of the pile, "" if there is none
    shown: Sequence[str]  # the cards laid face up since the last shuffle, in order


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched(Act):
    """A seat lays a card or touches a marble, which binds it; a row has one of the two."""

    word = "touch"
    told = ("seat", "card", "marble", "by")

    seat: int
    card: str | None = None
    marble: str | None = None
    by: str | None = None  # "referee" if a ruling binds the seat


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveSealed(Act):
    """A card laid aside for the partner; only the seat itself may read which."""

    word = "give_sealed"
    told = ("seat",)

    seat: int
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase(Act):
    """A preset phrase, before the first deal or after the end."""

    word = "phrase"
    told = ("seat", "code")

    seat: int
    code: str  # of the phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeout(Act):
    """The time of a seat is up."""

    word = "timeout"
    told = ("seat", "n")

    seat: int
    n: int  # which of its time-outs this is, from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Forfeit(Act):
    """Teams lose by time-outs, by a ruling, or because they never came."""

    word = "forfeit"
    told = ("teams", "reason", "ranks")

    teams: Sequence[int]
    reason: str  # "forfeit_timeouts", "forfeit_ruling" or "no_show"
    ranks: Sequence[int] | None = None  # one per team, 0 best; None if the game goes on


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Act):
    """A seat gives up for its team."""

    word = "resign"
    told = ("seat", "reason", "ranks")

    seat: int
    reason: str  # "resigned"
    ranks: Sequence[int] | None = None  # one per team, 0 best; None if the game goes on


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Act):
    """The used seeds are revealed."""

    word = "open"
    told = ("deals",)

    deals: Sequence[Mapping[str, Any]]  # per deal: number `d`, seed, salt and Merkle path, the last three as hex


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Act):
    """A seat calls the referee."""

    word = "dispute"
    told = ("seat",)

    seat: int
    kind: str  # one of six words; only the seat itself and the referee may read it


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze(Act):
    """The game and its clocks stop."""

    word = "freeze"
    told = ("by", "seat", "until")

    by: str  # "call" or "referee"
    seat: int | None = None  # the seat that called; None after a referee's own freeze
    until: int  # when the game continues without a ruling (ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold(Act):
    """A referee has taken the case: the table waits longer."""

    word = "hold"
    told = ("until", "again")

    until: int  # when the game continues without a ruling (ms)
    again: bool | None = None  # True: the referee who has the case keeps it longer; None: the case is taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Free(Act):
    """The referee has the case no more: the table waits for another one."""

    word = "free"
    told = ("until",)

    until: int  # when the game continues without a ruling (ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(Act):
    """The game went on after a call without a ruling."""

    word = "mark"
    told = ("seq", "why")

    seq: int  # of the call, or of a referee's own freeze
    why: str  # "no_referee", "unanswered" or "lapsed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Act):
    """The game continues, after a countdown."""

    word = "resume"
    told = ("by",)

    by: str  # "referee" or "clock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty(Act):
    """The seat must burn one more card blind (rulebook section 8)."""

    word = "penalty"
    told = ("seat", "penalty", "at", "by")

    seat: int
    penalty: str  # "talk"
    at: int  # the seq at which the seat gave information
    by: str  # "referee"


@dataclass(frozen=True, slots=True, kw_only=True)
class Warning(Act):
    """A referee warns the seat."""

    word = "warning"
    told = ("seat", "by")

    seat: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjust(Act):
    """A referee gives a seat time, or takes some."""

    word = "adjust"
    told = ("seat", "ms", "by")

    seat: int
    ms: int  # milliseconds; negative if time is taken
    by: str  # "referee"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit(Act):
    """The table gets back the time that an outage took."""

    word = "credit"
    told = ("seat", "ms", "why")

    ms: int  # how much running time the outage took
    back: int  # when it ended (ms)
    why: str  # "outage", or "late": a deadline was carried out late without an outage
    seat: int | None = None  # whose clock ran, None if several decided or the table waited for a referee


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap(Act):
    """The time of the game is up: the call."""

    word = "cap"
    told = ("call",)

    call: str  # "deal", "turn" or "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra(Act):
    """The best sides are equal when the game would end by time: it goes on."""

    word = "extra"
    told = ("tie", "counts")

    tie: str  # "next_home" or "one_deal"
    counts: Sequence[int]  # by team: marbles home, or steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Time(Act):
    """The game ends by its time cap."""

    word = "time"
    told = ("counts", "ranks")

    counts: Sequence[int]  # by team: marbles home, or steps
    ranks: Sequence[int]  # one per team, 0 best


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewind(Act):
    """Plays are taken back: an earlier decision is open again."""

    word = "rewind"
    told = ("to", "by", "seat")

    to: int  # the seq of the row that opened this decision
    by: str  # "referee", or "seat": its own last play, in practice
    seat: int | None = None  # whose decision it is, if a seat took its play back


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView(Act):
    """A referee was shown the hand of the seat."""

    word = "seat_view"

    seat: int
    by: str


KINDS: Mapping[str, type[Act]] = {
    kind.word: kind
    for kind in (
        Commit, Ready, Sharing, Share, Shared, Beacon, Draw, Begin, Touched, GiveSealed, Phrase, Timeout, Forfeit, Resign, Open,
        Dispute, Freeze, Hold, Free, Mark, Resume, Penalty, Warning, Adjust, Credit, Rewind, SeatView, Cap, Extra, Time,
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
