#!/usr/bin/env python3
"""Check the deals in the record of a finished game of Tock League: one file, the standard library only.

    python3 deal_verifier.py GAME.jsonl [--share SEAT=HEX] [--root HEX] [--round NUMBER]

Exit code 0: the record is sealed by its chain; the server had committed to every seed before the seats were ready; the
seats had committed to their shares before any share was opened; where a public beacon took part, its round was fixed
before any share was opened and is published after the last moment to open one; the first dealer, every deck and every
card that was burned blind follow from seeds, shares and beacon. Exit code 1: the first row that is wrong, and what is
wrong with it.

`--share`: a share that you know was yours (32 bytes as hex; the table's page shows it): the record must hold it.
`--root`: the commitment that you saw before you were ready. `--round`: the beacon's round that you saw then.

That the source of the beacon has signed the round is not checked here: it takes a library. Compare what is printed with
what the source publishes, at ADDRESS/CHAIN/public/ROUND.

The record is JSON Lines: a head, then one row a line. Of the head only what the deal depends on is checked: not the
names of the table, its clocks, or the result. That the plays keep to the rules of the game is not checked either.

What is computed: docs/deal.md. It shares no code with the site, on purpose.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

BLOCK = 64  # deals under one root
TIME = 20_000  # milliseconds to open a share
LEAD = 3_000  # milliseconds from the last moment to open a share to the beacon's round, at least
WAIT = 30_000  # milliseconds from its publication until the cards are dealt without it
SCHEME = "bls-unchained-g1-rfc9380"
NO_SHARE = bytes(32)
HEX = re.compile(r"[0-9a-f]{64}")
SIGNATURE = re.compile(r"[0-9a-f]{96}")
PUBLIC_KEY = re.compile(r"[0-9a-f]{192}")
ROW = {
    "seq": int,
    "epoch": int,
    "kind": str,
    "code": str,
    "body": dict,
    "actor": str,
    "at": int,
    "command_id": str,
    "chain": str,
}
HEAD = {"record": str, "game": str, "rules": str, "seats": int, "teams": int, "chain": str}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PLAIN = [rank + suit for suit in "SHDC" for rank in RANKS]
HANDS = (5, 4, 4)
DEALER_KEEPS_THE_DECK = ("shawinigan/1", "tock-air/1")  # elsewhere the next seat deals each hand
JOKER_DRAWS = ("shawinigan/1",)


class Bad(Exception):
    """The record is not what an honest table writes."""


# ---- the computation of docs/deal.md


def digest(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def pack(rules: str, seats: int) -> list[str]:
    """Return the unshuffled deck. Raises Bad for a rule set that is not known here."""
    if rules == "tractor/1":
        return [*PLAIN, "BJ", "RJ"] * 2
    if rules == "shawinigan/1":
        return [*PLAIN, "JK", "JK"]
    if rules == "tock/1" and seats > 4:
        return [*PLAIN, "JK", "JK"] * 2
    if rules in ("tock/1", "toc/1", "tock-air/1"):
        return list(PLAIN)
    raise Bad(f"the head: the rule set {rules} is not known to this program")


def leaf_of(seed: bytes, salt: bytes) -> bytes:
    return digest(b"\x00", digest(b"tock-commit-v1", salt, seed))


def root_of(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """Return the root to which the path leads from leaf `index` of `size`; an empty text if it has another length."""
    here, last, found = index, size - 1, leaf
    for node in path:
        if last == 0:
            return b""
        if here % 2 or here == last:
            found = digest(b"\x01", node, found)
            while here % 2 == 0 and here:
                here, last = here // 2, last // 2
        else:
            found = digest(b"\x01", found, node)
        here, last = here // 2, last // 2
    return found if last == 0 else b""


def promise(share: bytes, game: str, seat: int) -> bytes:
    return digest(f"tock-share-v1|{game}|".encode(), seat.to_bytes(4, "big"), b"|", share)


def later(value: bytes, d: int) -> bytes:
    """Return the seed or salt of deal `d`, given that of deal `d` - 64."""
    return hmac.new(value, b"tock-later-v1|" + d.to_bytes(4, "big"), hashlib.sha256).digest()[: len(value)]


def key_of(seed: bytes, game: str, d: int, shares: list[bytes], beacon: bytes) -> bytes:
    both = digest(*map(digest, shares)) + digest(beacon)
    return hmac.new(
        seed, f"tock-deal-v1|{game}|".encode() + d.to_bytes(4, "big") + b"|" + both, hashlib.sha256
    ).digest()


class Numbers:
    """Numbers drawn from a key, each equally likely."""

    def __init__(self, key: bytes, prefix: bytes) -> None:
        self.key, self.prefix, self.counter = key, prefix, 0
        self.waiting: list[int] = []

    def below(self, top: int) -> int:
        while True:
            if not self.waiting:
                block = hmac.new(self.key, self.prefix + self.counter.to_bytes(8, "big"), hashlib.sha256).digest()
                self.waiting = [int.from_bytes(block[at : at + 4], "big") for at in range(28, -4, -4)]
                self.counter += 1
            word = self.waiting.pop()
            if word < (1 << 32) // top * top:
                return word % top


def shuffled(key: bytes, cards: list[str]) -> list[str]:
    found, numbers = list(cards), Numbers(key, b"fy")
    for last in reversed(range(1, len(found))):
        other = numbers.below(last + 1)
        found[last], found[other] = found[other], found[last]
    return found


def blind(key: bytes, number: int, hand: list[str]) -> str:
    prefix = b"blind|" + number.to_bytes(4, "big") + b"|"
    return sorted(hand, key=lambda card: PLAIN.index(card) if card in PLAIN else 52)[
        Numbers(key, prefix).below(len(hand))
    ]


def first_dealer(cards: list[str], seats: int) -> tuple[int, list[list[Any]]]:
    """Return the dealer, and [seat, card] as drawn: the highest card deals, equal ones draw again, the ace is lowest."""
    order = [*RANKS, "JK", "BJ", "RJ"]
    drawn: list[list[Any]] = []
    tied, deck = list(range(seats)), iter(cards)
    while len(tied) > 1:
        heights = []
        for seat in tied:
            card = next(deck)
            drawn.append([seat, card])
            heights.append(order.index(card if card in order else card[:-1]))
        tied = [seat for seat, height in zip(tied, heights, strict=True) if height == max(heights)]
    return tied[0], drawn


# ---- the hands, which a blind burn depends on


class Hands:
    """Who holds which cards, as far as the lines of a game of Tock tell."""

    def __init__(self, head: dict[str, Any]) -> None:
        self.rules, self.seats, self.teams = head["rules"], head["seats"], head["teams"]
        self.full_ranking = bool(head.get("full_ranking"))
        self.dealer, self.deal = 0, 0
        self.held: list[list[str]] = [[] for _ in range(self.seats)]
        self.stock: list[str] = []
        self.given: dict[int, str] = {}
        self.inside: list[set[str]] = [set() for _ in range(self.seats)]  # places in heaven

    def begin(self, position: dict[str, Any]) -> None:
        """Take the hands of a position. Raises Bad when they are not written as they must be."""
        self.dealer, self.deal = position["dealer"], position["deal"]
        self.held, self.stock = [list(hand) for hand in position["hands"]], list(position["stock"])
        self.given = {seat: card for seat, card in enumerate(position.get("given") or ()) if card}
        self.inside = [{place for place in places if place.startswith("h")} for places in position["marbles"]]
        if len(self.held) != self.seats or len(self.inside) != self.seats or not 0 <= self.deal < len(HANDS):
            raise Bad("the position is not one of this table")

    def copy(self) -> "Hands":
        other = object.__new__(Hands)
        other.__dict__ |= self.__dict__
        other.held, other.stock = [list(hand) for hand in self.held], list(self.stock)
        other.given, other.inside = dict(self.given), [set(places) for places in self.inside]
        return other

    def deck(self, cards: list[str]) -> None:
        if any(self.held):
            raise Bad("a new deck is dealt while cards are held")
        self.stock, self.deal = list(cards), 0
        self._deal()

    def _deal(self) -> None:
        playing = [(self.dealer + 1 + i) % self.seats for i in range(self.seats)]
        playing = [seat for seat in playing if not self._home(seat)]
        for _round in range(HANDS[self.deal]):
            for seat in playing:
                self.held[seat].append(self.stock.pop(0))

    def _home(self, seat: int) -> bool:
        return self.full_ranking and len(self.inside[seat]) == 4

    def line(self, seat: int, line: str) -> None:
        """Follow a line of `seat`. Raises Bad when it lays a card that it does not hold."""
        words = line.split(" ")
        hand = self.held[seat]
        if line == "throw":
            hand.clear()
        else:
            card = words[1] if words[0] in ("give", "burn", "blind") else words[0]
            if card not in hand:
                raise Bad(f"seat {seat} lays {card}, which it does not hold")
            hand.remove(card)
            if words[0] == "give":
                self._give(seat, card)
                return
            if card == "JK" and words[0] == "JK" and self.rules in JOKER_DRAWS:
                hand.append(self.stock.pop(0))
            self._move(seat, words[1:])
        if not any(self.held):
            self._next()

    def _give(self, seat: int, card: str) -> None:
        self.given[seat] = card
        if len(self.given) == self.seats:
            for giver, given in self.given.items():
                self.held[(giver + self.teams) % self.seats].append(given)
            self.given = {}

    def _move(self, seat: int, legs: list[str]) -> None:
        for leg in legs if self.full_ranking else ():
            source, _, end = leg.partition("-")
            self.inside[seat].discard(source)
            if end.startswith("h"):
                self.inside[seat].add(end)
        if self._home(seat):
            self.held[seat].clear()

    def _next(self) -> None:
        """All hands are empty: the dealer changes, and the next hand is dealt if the deck has one."""
        self.deal += 1
        if self.deal == len(HANDS) or self.rules not in DEALER_KEEPS_THE_DECK or self._home(self.dealer):
            for _ in range(self.seats):
                self.dealer = (self.dealer + 1) % self.seats
                if not self._home(self.dealer):
                    break
        if self.deal < len(HANDS):
            self._deal()


# ---- the record


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


class Beacon:
    """The public beacon of one game: the chain that the first row names, and the round that is fixed later."""

    def __init__(self, chain: dict[str, Any]) -> None:
        self.chain = chain
        self.round = self.by = 0
        self.signature = ""
        self.randomness = b""
        self.settled = self.early = False  # early: an outage let seats open shares after the round was published

    @property
    def published(self) -> int:
        return int(self.chain["genesis"] + (self.round - 1) * self.chain["period"]) * 1000

    def fix(self, until: int) -> None:
        """The first round that is published LEAD after `until` or later."""
        begin, step = self.chain["genesis"] * 1000, self.chain["period"] * 1000
        self.round = max(1, (until + LEAD - begin + step - 1) // step + 1)
        self.by = self.published + WAIT


def beacon_of(named: Any) -> Beacon | None:
    """Return the beacon that a commitment names, None for a game without one. Raises ValueError for anything else."""
    if named == "":
        return None
    if not isinstance(named, dict) or named.keys() != {"chain", "key", "genesis", "period", "scheme"}:
        raise ValueError("no chain")
    begin, step = named["genesis"], named["period"]
    whole = type(begin) is int and type(step) is int and 0 <= begin < 1 << 33 and 0 < step <= 3600
    if not whole or not is_hex(named["chain"]) or not PUBLIC_KEY.fullmatch(named["key"]) or named["scheme"] != SCHEME:
        raise ValueError("no chain")
    return Beacon(named)


class Check:
    """One record, row by row."""

    def __init__(self, head: dict[str, Any], rows: list[dict[str, Any]]) -> None:
        self.head, self.rows = head, rows
        self.game, self.seats = head["game"], head["seats"]
        self.unshuffled = pack(head["rules"], self.seats)
        self.commits: dict[int, str] = {}  # root by first deal
        self.by_seats = False
        self.ready: set[int] = set()
        self.out: set[int] = set()  # teams that never came
        self.promises: dict[int, str] = {}
        self.shares: dict[int, str] = {}
        self.until = 0
        self.closed = self.drawn = False
        self.begun = False  # at a position
        self.beacon: Beacon | None = None
        self.decks = self.blinds = 0
        self.ended = False
        self.hands = Hands(head) if head["rules"] != "tractor/1" else None
        self.past: list[tuple[Hands | None, int]] = [(None, 0)]  # hands and blind burns after each row
        self.keys: dict[int, bytes] = {}
        self.follow = {
            "commit": self._commit,
            "ready": self._ready,
            "sharing": self._sharing,
            "share": self._share,
            "shared": self._shared,
            "beacon": self._beacon,
            "draw": self._draw,
            "begin": self._begin,
            "play": self._play,
            "forfeit": self._forfeit,
            "credit": self._credit,
            "rewind": self._rewind,
            "open": self._open,
        }

    def run(self) -> None:
        opened = [row for row in self.rows if row["code"] == "open"]
        commits = [row for row in self.rows if row["code"] == "commit"]
        if not commits or commits[0]["seq"] != 1:
            self.bad(self.rows[0] if self.rows else None, "the first row commits to the deals")
        self.by_seats = commits[0]["body"].get("shares") != "zero"
        chain = digest(b"tock-record-v1|" + self.game.encode()).hex()
        if self.head["chain"] != chain:
            raise Bad("the head: its chain value is not that of the game")
        at = epoch = 0
        # The keys need the shares; they are computed when the draw for the first dealer comes.
        self.opened = opened[0]["body"].get("deals") if opened else None
        for number, row in enumerate(self.rows, start=1):
            line = {key: value for key, value in row.items() if key != "chain"}
            chain = digest(bytes.fromhex(chain), canonical(line)).hex()
            if row["chain"] != chain:
                self.bad(row, "it is not the row that the chain seals")
            epoch += row["code"] == "rewind"
            if row["seq"] != number or row["at"] < at or row["epoch"] != epoch:
                self.bad(row, "its number, its time or its epoch does not follow from the row before")
            at = row["at"]
            if (row["kind"] == "play") != (row["code"] == "play") or row["kind"] not in ("play", "act"):
                self.bad(row, "its kind and its code do not fit")
            if self.ended and row["code"] != "phrase":
                self.bad(row, "nothing but words follows the opening of the seeds")
            try:
                self.follow.get(row["code"], self._other)(row)
            except (KeyError, TypeError, ValueError, IndexError, StopIteration):
                self.bad(row, "it is not written as it must be")
            self.past.append((self.hands.copy() if self.hands else None, self.blinds))
        if self.drawn and not self.ended:
            raise Bad("the seeds are not opened: the game is not over, or its end is missing")

    def bad(self, row: dict[str, Any] | None, what: str) -> NoReturn:
        raise Bad(f"row {row['seq']} ({row['code']}): {what}" if row else what)

    def _other(self, row: dict[str, Any]) -> None:
        """A row that the deal does not depend on."""

    def _seat(self, row: dict[str, Any]) -> int:
        seat = row["body"].get("seat")
        if type(seat) is not int or not 0 <= seat < self.seats or row["actor"] != f"seat:{seat}":
            self.bad(row, "it is not written by its seat")
        return seat

    def _commit(self, row: dict[str, Any]) -> None:
        body, first = row["body"], row["seq"] == 1
        if first and self.by_seats:
            self.beacon = beacon_of(body["beacon"])
        want = {
            "scheme": "tock-deal-v1",
            "first": 0 if first else self.decks + 1,
            "deals": BLOCK,
            "root": body.get("root"),
            "shares": "seats" if self.by_seats else "zero",
            "beacon": self.beacon.chain if self.beacon else "",
        }
        if first and self.by_seats:
            table = {key: self.head.get(key, 0) for key in ("game", "rules", "seats", "teams", "rounds")}
            table |= {"cap": self.head["cap"]} if "cap" in self.head else {}
            table["full_ranking"] = bool(self.head.get("full_ranking"))
            want["setup"] = digest(canonical(table)).hex()
        if body != want or want["first"] % BLOCK or not is_hex(body["root"]) or row["actor"] != "system":
            self.bad(row, "it is no commitment to the deals of this game that follow")
        self.commits[want["first"]] = body["root"]

    def _ready(self, row: dict[str, Any]) -> None:
        seat, body = self._seat(row), row["body"]
        if seat in self.ready or self.until or self.drawn:
            self.bad(row, "a seat gets ready once, before shares are opened")
        self.ready.add(seat)
        if "share" in body:
            if not self.by_seats or not is_hex(body["share"]):
                self.bad(row, "it is no commitment to a share")
            self.promises[seat] = body["share"]

    def _forfeit(self, row: dict[str, Any]) -> None:
        if not self.drawn:
            self.out |= set(row["body"].get("teams", ()))

    def _all_there(self) -> bool:
        return all(seat in self.ready or seat % self.head["teams"] in self.out for seat in range(self.seats))

    def _sharing(self, row: dict[str, Any]) -> None:
        due = bool(self.promises) or self.beacon is not None
        if not due or not self._all_there() or self.until or self.drawn or row["actor"] != "system":
            self.bad(row, "shares are opened once, when all seats are ready")
        self.until = row["at"] + (TIME if self.promises else 0)
        want = {"until": self.until}
        if row["body"].get("until") != self.until:
            self.bad(row, "the seats have twenty seconds to open their shares")
        if self.beacon:
            self.beacon.fix(self.until)
            want["round"] = self.beacon.round
        if row["body"] != want:
            self.bad(row, "another round of the beacon follows from this time")

    def _credit(self, row: dict[str, Any]) -> None:
        ms, back = row["body"]["ms"], row["body"]["back"]
        if self.until and not self.closed:
            self.until = max(self.until + ms, back + TIME)
        if self.until and self.beacon and not self.beacon.settled:
            self.beacon.by = max(self.beacon.by + ms, back + WAIT)

    def _share(self, row: dict[str, Any]) -> None:
        seat, value = self._seat(row), row["body"].get("value")
        if not self.until or self.closed or seat in self.shares or seat not in self.promises or row["at"] > self.until:
            self.bad(row, "no share of this seat was to be opened here")
        if not is_hex(value) or promise(bytes.fromhex(value), self.game, seat).hex() != self.promises[seat]:
            self.bad(row, f"seat {seat} had committed to another share")
        if row["body"].keys() != {"seat", "value"}:
            self.bad(row, "it says more than a share")
        self.shares[seat] = value
        if self.beacon and row["at"] >= self.beacon.published:
            self.beacon.early = True

    @property
    def withheld(self) -> list[int]:
        return [seat for seat in sorted(self.promises) if seat not in self.shares]

    def _shared(self, row: dict[str, Any]) -> None:
        missing = self.withheld
        if not self.until or self.closed or (missing and row["at"] <= self.until):
            self.bad(row, "the shares are not settled yet")
        if row["body"] != {"withheld": missing} or row["actor"] != ("clock" if missing else "system"):
            self.bad(row, f"the seats that have not opened their shares are {missing}")
        self.closed = True
        if self.beacon and missing and row["at"] >= self.beacon.published:
            self.beacon.early = True

    def _beacon(self, row: dict[str, Any]) -> None:
        beacon, body = self.beacon, row["body"]
        if beacon is None or not self.closed or beacon.settled or row["at"] < beacon.published:
            self.bad(row, "no round of the beacon was waited for here")
        beacon.settled = True
        if row["at"] > beacon.by:
            if body != {"round": beacon.round, "absent": True} or row["actor"] != "clock":
                self.bad(row, "the table had stopped waiting for the beacon")
            return
        signature = body.get("signature")
        if not isinstance(signature, str) or not SIGNATURE.fullmatch(signature):
            self.bad(row, "it has no signature")
        beacon.signature, beacon.randomness = signature, digest(bytes.fromhex(signature))
        want = {"round": beacon.round, "signature": signature, "randomness": beacon.randomness.hex()}
        if body != want or row["actor"] != "system":
            self.bad(row, f"the beacon's round is {beacon.round}, and its bytes are H of the signature")

    def _draw(self, row: dict[str, Any]) -> None:
        settled = self.beacon.settled if self.beacon else self.closed or not self.promises
        if self.drawn or not self._all_there() or not settled or row["actor"] != "system":
            self.bad(row, "the first dealer is drawn once, when seats and shares are settled")
        self.drawn = True
        self._read_seeds()
        dealer, drawn = first_dealer(shuffled(self.keys[0], self.unshuffled), self.seats)
        if row["body"] != {"dealer": dealer, "cards": drawn}:
            self.bad(row, f"the seeds make seat {dealer} the first dealer")
        if self.hands:
            self.hands.dealer = dealer

    def _begin(self, row: dict[str, Any]) -> None:
        """A practice game that begins at a position of another one: its stock is shuffled by deal 0, without shares."""
        body = row["body"]
        position = body["position"]
        if self.drawn or self.by_seats or row["seq"] != 2 or row["actor"] != "system" or not self.hands:
            self.bad(row, "a game begins at a position at once, and no seat adds a share")
        if body.keys() != {"of", "seq", "position", "pile", "shown"} or type(position) is not dict:
            self.bad(row, "it is not written as it must be")
        if [position[key] for key in ("rules", "seats", "teams")] != [
            self.head[key] for key in ("rules", "seats", "teams")
        ]:
            self.bad(row, "the position is not one of this table")
        self.drawn = self.begun = True
        self._read_seeds()
        named = sorted(position["stock"], key=[*PLAIN, "JK"].index)
        if position["stock"] != shuffled(self.keys[0], named):
            self.bad(row, "the seed gives the stock another order")
        try:
            self.hands.begin(position)
        except Bad as error:
            self.bad(row, str(error))

    def _read_seeds(self) -> None:
        """Compute the key of each opened deal, proved under its root."""
        if not isinstance(self.opened, list):
            raise Bad("the seeds are not opened: the game is not over, or its end is missing")
        roots = {row["body"].get("first"): row["body"].get("root") for row in self.rows if row["code"] == "commit"}
        shares = [bytes.fromhex(self.shares[seat]) if seat in self.shares else NO_SHARE for seat in range(self.seats)]
        before: list[tuple[bytes, bytes]] = []
        for d, deal in enumerate(self.opened):
            where = f"the opened deal {d}"
            try:
                seed, salt = bytes.fromhex(deal["seed"]), bytes.fromhex(deal["salt"])
                path = [bytes.fromhex(node) for node in deal["path"]]
            except (KeyError, TypeError, ValueError):
                raise Bad(f"{where}: it has no seed, salt and path in hex") from None
            plain = {"d": d, "seed": seed.hex(), "salt": salt.hex(), "path": [node.hex() for node in path]}
            if deal != plain or type(deal["d"]) is not int or len(seed) != 32 or len(salt) != 16:
                raise Bad(f"{where}: it is not written as it must be")
            if root_of(leaf_of(seed, salt), d % BLOCK, BLOCK, path).hex() != roots.get(d - d % BLOCK):
                raise Bad(f"{where}: the server had not committed to this seed")
            if self.by_seats and d >= BLOCK and (seed, salt) != tuple(later(v, d) for v in before[d - BLOCK]):
                raise Bad(f"{where}: it does not follow from deal {d - BLOCK}")
            before.append((seed, salt))
            self.keys[d] = key_of(seed, self.game, d, shares, self.beacon.randomness if self.beacon else b"")

    def _play(self, row: dict[str, Any]) -> None:
        line, seat = row["body"].get("play"), row["body"].get("seat")
        if not isinstance(line, str) or not self.drawn:
            self.bad(row, "a play is a line, after the draw for the first dealer")
        word, _, rest = line.partition(" ")
        try:
            if word == "deck":
                self._deck(row, rest.split(" "))
            elif word == "blind":
                self._blind(row, rest)
            elif self.hands:
                if type(seat) is not int or not 0 <= seat < self.seats:
                    self.bad(row, "there is no such seat")
                self.hands.line(seat, line)
        except (Bad, IndexError) as error:
            self.bad(row, str(error))

    def _deck(self, row: dict[str, Any], cards: list[str]) -> None:
        self.decks, self.blinds = self.decks + 1, 0
        if self.decks % BLOCK == 0 and self.decks not in self.commits:
            raise Bad("there was no commitment to this deck")
        if self.decks not in self.keys:
            raise Bad("the seed of this deck is not opened")
        if cards != shuffled(self.keys[self.decks], self.unshuffled):
            raise Bad("seed and shares give another deck")
        if row["actor"] != "system" or row["body"].keys() != {"play", "chance"} or row["body"]["chance"] is not True:
            raise Bad("a deck is written by the table")
        if self.hands:
            self.hands.deck(cards)

    def _blind(self, row: dict[str, Any], card: str) -> None:
        seat = row["body"].get("seat")
        if not self.hands or type(seat) is not int or not 0 <= seat < self.seats or not self.hands.held[seat]:
            raise Bad("no card could be burned blind")
        want = blind(self.keys[self.decks], self.blinds, self.hands.held[seat])
        if card != want:
            raise Bad(f"seed and shares burn {want}")
        if (
            row["actor"] != "system"
            or row["body"].keys() != {"play", "chance", "seat"}
            or row["body"]["chance"] is not True
        ):
            raise Bad("a card is burned blind by the table")
        self.blinds += 1
        self.hands.line(seat, f"blind {card}")

    def _rewind(self, row: dict[str, Any]) -> None:
        """The cards of an earlier decision are held again; decks are never dealt twice."""
        to = row["body"].get("to")
        if type(to) is not int or not 0 < to < row["seq"]:
            self.bad(row, "there is no such row to go back to")
        hands, self.blinds = self.past[to]
        self.hands = hands.copy() if hands else None

    def _open(self, row: dict[str, Any]) -> None:
        if row["body"].keys() != {"deals"} or row["actor"] != "system" or not self.drawn:
            self.bad(row, "seeds are opened by the table, after the game")
        if len(self.keys) != self.decks + 1:
            self.bad(row, "every deal that was used is opened, and no other")
        self.ended = True


def is_hex(value: object) -> bool:
    return isinstance(value, str) and HEX.fullmatch(value) is not None


def read(lines: Iterable[str | bytes]) -> Iterator[dict[str, Any]]:
    """Yield the head and the rows. Raises Bad naming the first line that is none."""
    for number, line in enumerate(lines):
        try:
            value = json.loads(line, object_pairs_hook=_no_twins)
        except ValueError:
            raise Bad(f"line {number + 1}: it is no JSON") from None
        keys = ROW if number else HEAD
        if not isinstance(value, dict) or any(type(value.get(key)) is not kind for key, kind in keys.items()):
            raise Bad(f"line {number + 1}: it has not the parts of a {'row' if number else 'head'}")
        if number and value.keys() != ROW.keys():
            raise Bad(f"line {number + 1}: it has more than the parts of a row")
        if number and not is_hex(value["chain"]):
            raise Bad(f"line {number + 1}: its chain value is no hash")
        yield value


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name twice")
    return found


def verify(lines: Iterable[str | bytes]) -> Check:
    """Return the checked record. Raises Bad naming the first thing that is wrong."""
    found = list(read(lines))
    if not found:
        raise Bad("the file is empty")
    head, *rows = found
    sizes = {"tractor/1": (4,), "tock/1": (4, 6, 8)}.get(head["rules"], (4,))
    if head["record"] != "tock-record/1" or head["seats"] not in sizes or not 2 <= head["teams"] <= head["seats"]:
        raise Bad("the head: it is no record of a game that this program knows")
    if not re.fullmatch(r"[0-9A-Za-z]{1,40}", head["game"]):
        raise Bad("the head: the game has no proper id")
    check = Check(head, rows)
    check.run()
    return check


def told(check: Check) -> str:
    """Return what was found, as lines of text."""
    words = [f"game {check.game}, {check.head['rules']}: {check.decks} decks follow from the commitment"]
    if check.begun:
        words.append("the game begins at a position of another one: the stock, not the hands, follows from the seed")
    words.append(f"the server's first commitment: {check.commits[0]}")
    for seat in range(check.seats):
        share = check.shares.get(seat)
        state = "withheld: zeros count" if seat in check.withheld else "gave no share"
        words.append(f"seat {seat}: {f'share {share}' if share else state}")
    if not check.shares:
        alone = "the server and the beacon" if check.beacon and check.beacon.randomness else "the server alone"
        words.append(f"no seat took part in the shuffle: these deals rest on {alone}")
    words += beacon_told(check.beacon) if check.beacon and check.drawn else []
    return "\n".join(words)


def beacon_told(beacon: Beacon) -> list[str]:
    """Return what everybody can compare with the source of the beacon, as lines of text."""
    words = [f"the public beacon: round {beacon.round} of chain {beacon.chain['chain']}, key {beacon.chain['key']}"]
    if beacon.randomness:
        words.append(f"its signature, not checked here: {beacon.signature}")
        words.append(f"its random bytes: {beacon.randomness.hex()}")
    else:
        words.append(
            "BEACON ABSENT: the table waited in vain, and dealt without it; see whether the round was published"
        )
    if beacon.early:
        words.append("after an outage, the round was public before the last share was opened or withheld")
    return words


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check the deals of a finished game of Tock League.")
    parser.add_argument("file", help="the record, as the replay page offers it")
    parser.add_argument("--share", action="append", default=[], metavar="SEAT=HEX", help="a share that must be in it")
    parser.add_argument("--root", default="", help="the commitment that was seen before the game")
    parser.add_argument("--round", type=int, default=0, help="the beacon's round that was seen before the deal")
    asked = parser.parse_args(words)
    try:
        with open(asked.file, "rb") as file:
            check = verify(file.read().splitlines())
        for known in asked.share:
            seat, _, share = known.partition("=")
            if not seat.isdecimal() or check.shares.get(int(seat)) != share:
                raise Bad(f"the share of seat {seat} is not {share}")
        if asked.root and asked.root != check.commits[0]:
            raise Bad(f"the commitment is not {asked.root}")
        if asked.round and (check.beacon is None or check.beacon.round != asked.round):
            raise Bad(f"the beacon's round is not {asked.round}")
    except OSError as error:
        print(f"NOT READ: {error}", file=sys.stderr)
        return 2
    except Bad as error:
        print(f"BAD: {error}", file=sys.stderr)
        return 1
    print(told(check))
    return 0


if __name__ == "__main__":
    sys.exit(main())
