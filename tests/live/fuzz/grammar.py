"""A grammar of frames: those of `tock.table.v1` as a page would send them, and their hostile variants.

Every choice is a number drawn from a `Chance`. The numbers drawn determine the frame, so a run that reached new code is
kept as its numbers, and mutated by changing a few of them.
"""

import json
import random
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from games.live.messages import CALLS, KINDS, MAX_BYTES, MAX_SEQ, PHRASES

T = TypeVar("T")
Pairs = list[tuple[str, str]]  # names and values, both as JSON
NO_HASH = "0" * 16


class Chance:
    """A source of numbers: first those of `given`, then pseudo-random ones from the seed."""

    def __init__(self, seed: str, given: Sequence[int] = ()) -> None:
        self._roll = random.Random(seed)
        self._given = list(given)
        self.drawn: list[int] = []  # all numbers so far

    def below(self, top: int) -> int:
        """Return a number from 0 to `top` - 1."""
        place = len(self.drawn)
        raw = self._given[place] if place < len(self._given) else self._roll.getrandbits(30)
        self.drawn.append(raw)
        return raw % top

    def once_in(self, many: int) -> bool:
        return self.below(many) == 0

    def choose(self, among: Sequence[T]) -> T:
        return among[self.below(len(among))]

    def uuid(self) -> str:
        return str(uuid.UUID(int=random.Random(self.below(2**30)).getrandbits(128), version=4))


@dataclass
class Known:
    """What a person at a table knows: enough to write frames that are nearly right."""

    slugs: Sequence[str]  # of this table, then of others
    role: str = "seat"
    view: dict[str, Any] = field(default_factory=dict)
    seq: int = 0
    epoch: int = 0
    hash: str = ""
    sent: list[Pairs] = field(default_factory=list)  # command bodies that anybody sent so far, the latest last

    @property
    def hand(self) -> list[str]:
        return [card for card in self.view.get("hand", ()) if card != "??"]

    @property
    def legal(self) -> list[str]:
        return list(self.view.get("legal", ()))


CARDS = [rank + suit for rank in ("A", "2", "7", "10", "J", "K") for suit in "SHDC"] + ["JK", "RJ", "BJ"]
WORDS = [
    "play",
    "give",
    "throw",
    "burn",
    "deck",
    "draw 4",
    "blind",
    "show 1:",
    "pass",
    "bury",
    "skip",
    "swap",
    "??",
    "~",
]
NUMBERS = ["-1", "0", "1", "01", "1_0", "+1", "1e3", "0x1", "999999999", str(2**31), str(2**63), "9" * 150, "1.5", "-0"]
PLACES = ["t0", "t18", "t999", "h1", "h4", "h5", "r", "x7", "x25", "t-1", "t1_0", "T0", "t", ""]
TEXTS = [
    "", "x" * 280, "x" * 281, "été 🂡", "\u2028", "\u202e", "\n", "\r", "\x00", "\x1b[0m", "\x7f", "\ud800", "\udfff\ud800",
    "<script>", "'; DROP TABLE games_game; --", "%s%n", "{0.__class__}", "__proto__", "../..", "\ufeff", "A" * 4000,
]  # fmt: skip
RAW_VALUES = [
    "null", "true", "false", "0", "-0", "-1", "1.0", "1e999", "-1e999", "1e-999", "NaN", "Infinity", "-Infinity", "9" * 400,
    "9" * 4090, "1" + "0" * 309 + ".5", str(2**31 - 1), str(2**31), str(2**63), str(2**64), "[]", "{}", '[["a"]]', '{"t":"cmd"}',
    '""', '"0"', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', "'x'", "undefined", '"\x01"', "[" * 1500 + "]" * 1500,
    '{"a":' * 600 + "1" + "}" * 600, "[" * 3000, "01", "+1", ".5", "0x10", "1_000",
]  # fmt: skip


def quoted(value: Any) -> str:
    return json.dumps(value)


def turn(chance: Chance, known: Known) -> str:
    """Return a decision: usually the open one, else an old or a later one, of another epoch, or an invalid one."""
    now = known.view.get("decision", "0.1")
    if not chance.once_in(8):
        return str(now)
    epoch, _, seq = str(now).partition(".")
    return chance.choose(
        [f"{epoch}.{int(seq) - 1}", f"{epoch}.{int(seq) + 1}", f"{int(epoch) + 1}.{seq}", "0.0", "999999999.999999999",
         f"00{epoch}.00{seq}"[:19], f"{epoch}.{seq} ", "1.-1", ".", "1.1.1", "\u0661.1", f"{epoch}.{known.seq}"]
    )  # fmt: skip


def line(chance: Chance, known: Known) -> str:
    """Return the text of a play: a legal one, one that is nearly legal, or random words."""
    found = chance.choose(known.legal) if known.legal else f"{chance.choose(CARDS)} t0-t1"
    what = chance.below(8)
    if what < 4:
        return found
    words = found.split(" ")
    place = chance.below(len(words))
    if what == 4:
        words[place] = chance.choose([*CARDS, *PLACES, *WORDS])
    elif what == 5:
        words.insert(place, chance.choose([*NUMBERS, *words, *PLACES]))
    elif what == 6:
        at = chance.below(len(found))
        return found[:at] + chance.choose(["", " ", "_", "-", "+", "~", "9", "t0-t9", found]) + found[at + 1 :]
    else:
        words = [chance.choose([*WORDS, *CARDS, *NUMBERS, *PLACES]) for _ in range(chance.below(12))]
    return " ".join(words)


def card(chance: Chance, known: Known) -> str:
    if known.hand and not chance.once_in(3):
        return chance.choose(known.hand)
    return chance.choose(CARDS if chance.once_in(6) else CARDS[:-3])


def cards(chance: Chance, known: Known) -> str:
    return " ".join(
        card(chance, known) for _ in range(chance.choose([1, 2, 2, 8, 8, 33] if chance.below(9) else [34, 0]))
    )


def place(chance: Chance) -> str:
    return chance.choose(PLACES if chance.once_in(6) else PLACES[:9])


def nearly_bytes(chance: Chance) -> str:
    """Return what is no commitment to a share: a real one would stop the game until the time to open it is up."""
    return chance.choose(["", "0" * 63, "0" * 65, "G" * 64, "A" * 64, " " + "0" * 63, "\u0660" * 64])


def text(chance: Chance) -> str:
    return chance.choose(TEXTS if chance.once_in(4) else TEXTS[:2])


def sensible(chance: Chance, known: Known) -> tuple[str, dict[str, str]]:
    """Return a command that a player would send now."""
    if not known.legal:
        return chance.choose([("ready", {}), ("pass", {}), ("phrase", {"code": "thanks"})])
    found = chance.choose(known.legal)
    first = found.split(" ")[0]
    if found.startswith("give ") and chance.once_in(2):
        return "exchange", {"card": found[5:]}
    if first in known.hand and chance.once_in(3):
        return "touch", {"card": first}
    return "play", {"play": found}


ARGS: dict[str, Callable[[Chance, Known], dict[str, str]]] = {
    "ready": lambda chance, known: {"share": nearly_bytes(chance)} if chance.once_in(4) else {},
    "share": lambda chance, known: {"value": f"{chance.below(2**30):064x}"},
    "take_back": lambda chance, known: {},
    "resign": lambda chance, known: {},
    "pass": lambda chance, known: {},
    "touch": lambda chance, known: {"card": card(chance, known)} if chance.once_in(2) else {"marble": place(chance)},
    "play": lambda chance, known: {"play": line(chance, known)},
    "burn": lambda chance, known: {"card": card(chance, known)},
    "exchange": lambda chance, known: {"card": card(chance, known)},
    "show": lambda chance, known: {"cards": cards(chance, known)},
    "bury": lambda chance, known: {"cards": cards(chance, known)},
    "phrase": lambda chance, known: {"code": chance.choose(PHRASES)},
    "dispute": lambda chance, known: {"kind": chance.choose(CALLS), "text": text(chance)},
}
# Resigning ends a game, so it is rare: all phases should occur.
USUAL = [*KINDS, "play", "play", "play", "touch", "touch", "exchange", "show", "bury"]


def command(chance: Chance, known: Known) -> Pairs:
    """Return a command: a new one, a repeated one, or another body with a used id, by this seat or another."""
    if known.sent and chance.once_in(8):
        again = chance.choose(known.sent[-12:])
        if chance.once_in(2):
            return again
        return [again[0], *command(chance, Known(known.slugs, view=known.view, seq=known.seq))[1:]]
    kind = chance.choose(USUAL)
    if kind == "resign" and not chance.once_in(8):
        kind = "play"
    args = ARGS[kind](chance, known)
    if chance.once_in(3):
        kind, args = sensible(chance, known)
    return [
        ("id", quoted(chance.uuid())),
        ("turn", quoted(turn(chance, known))),
        ("kind", quoted(kind)),
        ("args", quoted(args)),
        ("t", quoted("cmd")),
    ]


def join(chance: Chance, known: Known) -> Pairs:
    """Return a join: for this table and role, with the view that is held, or with other values."""
    slug = known.slugs[0] if not chance.once_in(25) else chance.choose([*known.slugs, "nowhere", "-"])
    role = known.role if not chance.once_in(12) else chance.choose(["seat", "spectator", "referee"])
    found = [("t", quoted("join")), ("table", quoted(slug)), ("as", quoted(role))]
    if chance.once_in(2):
        since = chance.choose([known.seq, max(0, known.seq - 1), 1, 0, known.seq + 1, MAX_SEQ])
        found += [("epoch", quoted(chance.choose([known.epoch, known.epoch, known.epoch + 1, MAX_SEQ])))]
        found += [("since", quoted(since)), ("hash", quoted(chance.choose([known.hash, NO_HASH, ""])))]
    if chance.once_in(3):
        found += [("tab", quoted(chance.choose(["a", "tab-1", "x" * 40]))), ("aside", chance.choose(["true", "false"]))]
    return found


def beat(chance: Chance, known: Known) -> Pairs:
    """Return a heartbeat: the right one, or one with another version or hash."""
    have = chance.choose([known.seq, known.seq, max(0, known.seq - 1), 0, 1, known.seq + 1, MAX_SEQ])
    mark = chance.choose([known.hash, known.hash, NO_HASH, ""])
    return [("t", quoted("hb")), ("n", quoted(chance.below(MAX_SEQ))), ("have", quoted(have)), ("hash", quoted(mark))]


def spoilt(chance: Chance, pairs: Pairs) -> str:
    """Return the frame with one or several errors."""
    pairs = list(pairs)
    place, what = chance.below(len(pairs)), chance.below(8)
    name, value = pairs[place]
    if what < 3:
        pairs[place] = (name, chance.choose([*RAW_VALUES, *map(quoted, TEXTS)]))
    elif what == 3:
        del pairs[place]
    elif what == 4:
        pairs.append((name, chance.choose([value, *RAW_VALUES])))
    elif what == 5:
        pairs.append((chance.choose(["seat", "as", "", "\x00", "\ud800", "__class__", "x" * 300]), value))
    elif what == 6:
        inner = chance.choose(["card", "play", "marble", "seat", "x"])
        pairs[place] = ("args", f"{{{quoted(inner)}:{chance.choose(RAW_VALUES)}}}")
    else:
        return broken(chance, written(pairs))
    return spoilt(chance, pairs) if pairs and chance.once_in(4) else written(pairs)


def broken(chance: Chance, text: str) -> str:
    """Return the text corrupted, so that it is hardly a frame."""
    at = chance.below(len(text) + 1)
    return chance.choose(
        [text[:at], text[at:], text + text, f"[{text}]", text[:at] + "\x00" + text[at:], "\ufeff" + text, "\x00" + text,
         text + " " * MAX_BYTES, text[:-1] + " " * max(0, MAX_BYTES - len(text)) + text[-1:], "x" * 1_000_000,
         text[:at] + "\ud800" + text[at:], text[:at] + "é" * 2100, "", " ", "0", '"t"', "null", text.replace(",", ",,"),
         text.replace('"', "'"), "[" * 4000, '{"t":' * 800, text + "\n" + text, text[:at] + "\\u12" + text[at:]]
    )  # fmt: skip


def written(pairs: Pairs) -> str:
    return "{" + ",".join(f"{quoted(name)}:{value}" for name, value in pairs) + "}"


def frame(chance: Chance, known: Known, *, first: bool = False) -> str | bytes:
    """Return the next frame of a person who knows `known`; the first of a socket is usually a join."""
    if first:
        pairs = join(chance, known) if not chance.once_in(20) else chance.choose([command, beat])(chance, known)
    else:
        pairs = chance.choose([command, command, command, command, beat, join])(chance, known)
    if pairs[-1] == ("t", '"cmd"'):
        known.sent.append(pairs)
        del known.sent[:-200]
    if chance.once_in(10):
        text = spoilt(chance, pairs)
        return text.encode("utf-8", "surrogatepass") if chance.once_in(12) else text
    return written(pairs)
