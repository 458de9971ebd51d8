"""The frames of `tock.table.v1`, both ways, as frozen dataclasses. docs/protocol.md is generated from them.

Inbound frames are decoded strictly: JSON of at most 4 KiB, a known `t`, exactly the fields of its class, each of its
type. Anything else is a `BadFrame`, which closes only that socket (4002). Outbound frames omit fields with default
values; there is no null.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from tock_league.common.numbers import is_whole

SUBPROTOCOL = "tock.table.v1"
MAX_BYTES = 4096
MAX_SEQ = 2**31 - 1

# WebSocket close codes.
CLOSE_RESTART, CLOSE_SIGN_IN, CLOSE_BAD_FRAME, CLOSE_REVOKED, CLOSE_NO_TABLE = 1012, 4001, 4002, 4003, 4004
CLOSE_RATE, CLOSE_TOO_OLD, CLOSE_IDLE, CLOSE_SLOW = 4008, 4010, 4011, 4013

KINDS = (
    *("ready", "share", "touch", "play", "burn", "exchange", "show", "pass", "bury", "take_back", "phrase", "resign"),
    "dispute",
)
PHRASES = ("good_game", "ready", "short_pause", "thanks")
CALLS = ("talk", "touch", "illegal", "clock", "conduct", "other")
MAX_TEXT = 280  # characters of a message to the referee

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TURN = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")
_HASH = re.compile(r"(?:[0-9a-f]{16})?")
_TAB = re.compile(r"[0-9A-Za-z_-]{0,40}")
_CARD = re.compile(r"(?:A|[2-9]|10|J|Q|K)[SHDC]|JK")
# Cards of Tractor; the rules check how many and which.
_CARDS = re.compile(r"(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|RJ|BJ)(?: (?:(?:A|[2-9]|10|J|Q|K)[SHDC]|RJ|BJ)){0,32}")
_PLACE = re.compile(r"t[0-9]{1,3}|h[1-4]|r|x[0-9]{1,3}")
_PLAY = re.compile(r"[ -~]{1,200}")
_BYTES = re.compile(r"[0-9a-f]{64}")  # 32 bytes as hex
_CALL = re.compile("|".join(CALLS))
# No control characters except the new line, and no lone surrogates.
_TEXT = re.compile(rf"[^\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]{{0,{MAX_TEXT}}}")
_GAME = re.compile(r"[0-9a-z-]{0,40}")
_SLUG = re.compile(r"[0-9a-z-]{1,40}")


class BadFrame(ValueError):
    """An invalid frame. `field` names the wrong part, the text says the rule; neither repeats the input."""

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"{field}: {rule}")
        self.field = field
        self.rule = rule


# --- client to server ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Join:
    """The first frame: the role that the socket wants, and the view that it holds already (`hash` empty: none).

    `aside`: this window was told that another one plays the seat, and only watches.
    """

    T: ClassVar[str] = "join"
    table: str
    as_: str  # "seat", "spectator" or "referee"; written `as`
    epoch: int = 0
    since: int = 0
    hash: str = ""
    tab: str = ""
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Cmd:
    """A request: `id` is new for each command and kept until the response, `turn` is the decision that it answers,
    `kind` and `args` say what is asked.

    `game`: the public id of the game; the decisions of the table's next game have the same numbers.
    """

    T: ClassVar[str] = "cmd"
    id: str
    turn: str
    kind: str
    args: Mapping[str, str] = field(default_factory=dict)
    game: str = ""


@dataclass(frozen=True, slots=True)
class Beat:
    """The client's heartbeat: `have` and `hash` are the seq and the hash of the view that it holds.

    The server sends what is missing, and then an `hb` with the same `n`.
    """

    T: ClassVar[str] = "hb"
    n: int
    have: int
    hash: str


Inbound = Join | Cmd | Beat

# The arguments of each kind, each with its pattern: a command has exactly the names of one of the mappings.
_ARGS: Mapping[str, tuple[Mapping[str, re.Pattern[str]], ...]] = {
    "ready": ({}, {"share": _BYTES}),
    "share": ({"value": _BYTES},),
    "take_back": ({},),
    "resign": ({},),
    "touch": ({"card": _CARD}, {"marble": _PLACE}),
    "play": ({"play": _PLAY},),
    "burn": ({"card": _CARD},),
    "exchange": ({"card": _CARD},),
    "show": ({"cards": _CARDS},),
    "pass": ({},),
    "bury": ({"cards": _CARDS},),
    "phrase": ({"code": re.compile("|".join(PHRASES))},),
    "dispute": ({}, {"kind": _CALL}, {"text": _TEXT}, {"kind": _CALL, "text": _TEXT}),
}


# The form of texts from clients, by class and JSON name; for the documents, see frames.py.
PATTERNS: Mapping[tuple[str, str], re.Pattern[str]] = {
    ("Join", "table"): _SLUG,
    ("Join", "hash"): _HASH,
    ("Join", "tab"): _TAB,
    ("Cmd", "id"): _ID,
    ("Cmd", "turn"): _TURN,
    ("Cmd", "game"): _GAME,
    ("Beat", "hash"): _HASH,
}


def arguments(kind: str) -> tuple[Mapping[str, re.Pattern[str]], ...]:
    """Return the sets of arguments of a kind of command, each with its form, of which exactly one must be present."""
    return _ARGS[kind]


def argument_names(kind: str) -> list[tuple[str, ...]]:
    """Return the sets of argument names of a kind of command, of which exactly one must be present."""
    return [tuple(shape) for shape in _ARGS[kind]]


def decode(data: str | bytes) -> Inbound:
    """Return the frame in `data`, or raise BadFrame."""
    value = read_json(data)
    kind = value.pop("t", None)
    if kind == "join":
        return _join(value)
    if kind == "cmd":
        return command(value)
    if kind == "hb":
        return _beat(value)
    raise BadFrame("t", "join, cmd or hb")


def read_json(data: str | bytes) -> dict[str, Any]:
    """Return the JSON object in `data`, or raise BadFrame: too large, not JSON, a duplicate name, NaN, too deep."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(raw) > MAX_BYTES:
        raise BadFrame("frame", f"at most {MAX_BYTES} bytes")
    try:
        value = json.loads(raw, parse_constant=_no_constant, object_pairs_hook=_no_twins)
    except BadFrame:
        raise
    except (ValueError, RecursionError):
        raise BadFrame("frame", "must be JSON") from None
    if not isinstance(value, dict):
        raise BadFrame("frame", "must be a JSON object")
    return value


def command(value: dict[str, Any]) -> Cmd:
    """Return the command with the fields of `value`: the body of the HTTP twin, with or without `t`."""
    value.pop("t", None)
    _only(value, {"id", "turn", "kind", "args", "game"})
    kind = _text(value, "kind", re.compile("|".join(KINDS)), f"one of {', '.join(KINDS)}")
    args = value.get("args", {})
    if not isinstance(args, dict):
        raise BadFrame("args", "must be a JSON object")
    for shape in _ARGS[kind]:
        if set(shape) == set(args):
            for name, pattern in shape.items():
                _text(args, name, pattern, "not written like that")
            break
    else:
        raise BadFrame("args", " or ".join("{" + ", ".join(shape) + "}" for shape in _ARGS[kind]) + f" for {kind}")
    return Cmd(
        id=_text(value, "id", _ID, "a UUID in lower case"),
        turn=_text(value, "turn", _TURN, "a decision id, epoch.seq"),
        kind=kind,
        args=args,
        game=_text(value, "game", _GAME, "a game's id or empty", ""),
    )


def _join(value: dict[str, Any]) -> Join:
    _only(value, {"table", "as", "epoch", "since", "hash", "tab", "aside"})
    return Join(
        table=_text(value, "table", _SLUG, "a table's id"),
        as_=_text(value, "as", re.compile("seat|spectator|referee"), "seat, spectator or referee"),
        epoch=_whole(value, "epoch", 0),
        since=_whole(value, "since", 0),
        hash=_text(value, "hash", _HASH, "16 hex digits or empty", ""),
        tab=_text(value, "tab", _TAB, "at most 40 letters and digits", ""),
        aside=_truth(value, "aside"),
    )


def _beat(value: dict[str, Any]) -> Beat:
    _only(value, {"n", "have", "hash"})
    return Beat(
        n=_whole(value, "n"),
        have=_whole(value, "have"),
        hash=_text(value, "hash", _HASH, "16 hex digits or empty"),
    )


def _only(value: dict[str, Any], known: set[str]) -> None:
    if unknown := set(value) - known:
        name = min(unknown)
        raise BadFrame(name if _TAB.fullmatch(name) else "frame", "unknown field")


def _text(value: Mapping[str, Any], name: str, pattern: re.Pattern[str], rule: str, default: str | None = None) -> str:
    found = value.get(name, default)
    if not isinstance(found, str) or not pattern.fullmatch(found):
        raise BadFrame(name, rule)
    return found


def _whole(value: Mapping[str, Any], name: str, default: int | None = None) -> int:
    found = value.get(name, default)
    if not is_whole(found) or not 0 <= found <= MAX_SEQ:
        raise BadFrame(name, f"a whole number from 0 to {MAX_SEQ}")
    return found


def _truth(value: Mapping[str, Any], name: str) -> bool:
    found = value.get(name, False)
    if not isinstance(found, bool):
        raise BadFrame(name, "true or false")
    return found


def _no_constant(name: str) -> None:
    raise BadFrame("frame", "NaN and Infinity are no JSON")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadFrame("frame", "a name twice")
    return found


# --- server to client ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Snap:
    """The whole view. `you` has seat, role and powers: a client never guesses its seat."""

    T: ClassVar[str] = "snap"
    epoch: int
    seq: int
    you: Mapping[str, Any]
    view: Mapping[str, Any]
    clocks: Mapping[str, Any]
    now: int
    hash: str


@dataclass(frozen=True, slots=True)
class Ev:
    """Events from `from` on, contiguous for every viewer; each is `{seq, k, d, set, fx}`, without `fx` when there is
    nothing to animate.
    """

    T: ClassVar[str] = "ev"
    epoch: int
    from_: int  # written `from`
    list: "list[Mapping[str, Any]]"
    clocks: Mapping[str, Any]
    now: int
    hash: str


@dataclass(frozen=True, slots=True)
class Ack:
    """Committed. The same id always gets the same response; `dup` says that it was carried out before."""

    T: ClassVar[str] = "ack"
    id: str
    seq: int
    dup: bool = False


@dataclass(frozen=True, slots=True)
class Nak:
    """Refused, nothing was written. `code` is for programs, `why` is more precise, `retry` says whether the same id may
    be sent again, `until` when the reason ends, if that is known.
    """

    T: ClassVar[str] = "nak"
    id: str
    code: str
    why: str
    retry: bool
    seq: int
    until: int = 0


@dataclass(frozen=True, slots=True)
class BeatBack:
    """Seq and hash of the view that the receiver should hold; `n` is that of its heartbeat, 0 without one."""

    T: ClassVar[str] = "hb"
    n: int
    seq: int
    hash: str
    clocks: Mapping[str, Any]
    now: int


@dataclass(frozen=True, slots=True)
class Who:
    """Presence, unversioned, at most one per second."""

    T: ClassVar[str] = "who"
    seats: "list[Mapping[str, Any]]"
    spectators: int


@dataclass(frozen=True, slots=True)
class Note:
    """A message to this socket: deploy, delay, other_tab, verify."""

    T: ClassVar[str] = "note"
    code: str
    at: int


Outbound = Snap | Ev | Ack | Nak | BeatBack | Who | Note
NAK_CODES = (
    "stale_turn",
    "not_your_turn",
    "illegal",
    "frozen",
    "seat_lost",
    "other_tab",
    "rate",
    "too_late",
    "auth",
    "id_reused",
    "internal",
)


LEFT_OUT = ("dup", "until")  # fields that a frame of the server does not have while they are false or 0


def wire_name(name: str) -> str:
    """Return the JSON name of a field: `from_` and `as_` lose the underscore that Python needs."""
    return name.rstrip("_")


def body(frame: Outbound) -> dict[str, Any]:
    """Return the frame as a JSON object; `dup` and `until` are omitted while false or 0."""
    found: dict[str, Any] = {"t": frame.T}
    for part in fields(frame):
        value = getattr(frame, part.name)
        if part.name not in LEFT_OUT or value:
            found[wire_name(part.name)] = value
    return found


_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False).encode


def encode(frame: Outbound) -> str:
    """Return the frame's text."""
    return _encode(body(frame))
