"""Checks a Swiss round from its certificate, with code that is independent of the pairing engine.

It reads the inputs again, derives scores, meetings and byes, recomputes who may meet and what each pair costs, and then
tries to do better: all rounds there are for up to twelve places, every exchange between three pairs up to 128 places, every
exchange between two pairs above. One improvement is a fault. Definitions: docs/formats/swiss.md.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from .facts import Fault

JSON = Mapping[str, Any]
CRITERIA = ("rematch", "bye", "discouraged", "club", "gap", "fold", "lot")
# With these facts the match was played; after any other result the two sides may be paired again.
SAT_DOWN = ("played", "adjudicated", "forfeit")
GIFTS = ("no_show", "walkover", "withdrawal", "disqualification")
EXHAUSTIVE_UP_TO = 12
TRIPLES_UP_TO = 128
NOBODY = 0  # the bye, as an opponent; entries are positive numbers


def check(
    certificate: JSON,
    *,
    pairs: Sequence[tuple[int, int]] | None = None,
    byes: Sequence[int] | None = None,
    inputs: JSON | None = None,
) -> tuple[Fault, ...]:
    """Return what is wrong with a round; () accepts it.

    `pairs` (home, away) and `byes`: the round as published, which the certificate must be about; `inputs`: the same data
    read again from the rows, in the form of the certificate's. Codes: "malformed", "inputs_hash", "inputs", "published",
    "partition", "bye_twice", "illegal", "weights", "paid", "cost", "home", "not_best", "alternative".
    """
    try:
        return tuple(_faults(certificate, pairs, byes, inputs))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        return (Fault("malformed", f"the certificate cannot be read: {error!r}"),)


def _faults(
    certificate: JSON, pairs: Sequence[tuple[int, int]] | None, byes: Sequence[int] | None, inputs: JSON | None
) -> Iterator[Fault]:
    told = certificate["inputs"]
    if _digest(told) != certificate["inputs_hash"]:
        yield Fault("inputs_hash", "the inputs are not those that were hashed")
    if inputs is not None and _digest(inputs) != certificate["inputs_hash"]:
        yield Fault("inputs", "the rows say something else than the certificate's inputs")
    if told["seed"] != certificate["seed"] or told["round"] != certificate["round"]:
        yield Fault("inputs", "the certificate is of another round or another seed")
    made = [(pair["home"], pair["away"]) for pair in certificate["pairs"]]
    resting = [bye["entry"] for bye in certificate["byes"]]
    if pairs is not None and sorted(map(tuple, pairs)) != sorted(made):
        yield Fault("published", "the published pairs are not those of the certificate")
    if byes is not None and sorted(byes) != sorted(resting):
        yield Fault("published", "the published bye is not that of the certificate")
    field = Field(told)
    seats = [entry for pair in made for entry in pair] + resting
    if sorted(seats) != sorted(told["present"]) or len(resting) != len(told["present"]) % 2:
        yield Fault("partition", "not everybody present stands in exactly one pair, with one bye for an odd field")
        return
    order = tuple(certificate["order"])
    if sorted(order) != sorted(CRITERIA) or order != tuple(told["options"]["order"]):
        yield Fault("weights", "the order of the costs is not the one that was set")
        return
    yield from _priced(certificate, field, order)
    matched = [*made, *((entry, NOBODY) for entry in resting)]
    if any(field.cost(one, other) is None for one, other in matched):
        return
    yield from _optimal(field, order, matched)
    for pair in certificate["pairs"]:
        if field.home(pair["home"], pair["away"]) != pair["home"]:
            yield Fault("home", f"{pair['away']} should be at home against {pair['home']}")
    yield from _alternatives(certificate, field, order, matched)


class Field:
    """Those present, and what the earlier rounds say of them."""

    def __init__(self, inputs: JSON) -> None:
        self.inputs = inputs
        self.seed = inputs["seed"]
        self.names = {entry: name for entry, name, _club in inputs["entries"]}
        self.clubs = {entry: club for entry, _name, club in inputs["entries"]}
        self.present: list[int] = list(inputs["present"])
        self.score: dict[int, int] = dict.fromkeys(self.names, 0)
        self.had_bye: set[int] = set()
        self.gifted: set[int] = set()
        self.met: set[frozenset[int]] = set()
        self.homes: dict[int, list[str]] = {entry: [] for entry in self.names}
        self.forbidden = {frozenset(pair) for pair in inputs["forbidden"]}
        self.discouraged = {frozenset(pair) for pair in inputs["discouraged"]}
        self.relaxed = {frozenset(pair) for pair in inputs["relaxed"]}
        self._read()
        rows = [entry for entry, _name, _club in inputs["entries"] if entry in set(self.present)]
        self.ranked = sorted(rows, key=lambda entry: -self.score[entry])  # stable: seeds stay in order
        self.level: dict[int, list[int]] = {}
        for entry in self.ranked:
            self.level.setdefault(self.score[entry], []).append(entry)
        self.known: dict[frozenset[int], dict[str, int] | None] = {}

    def _read(self) -> None:
        played: dict[tuple[int, frozenset[int]], str] = {}
        paid: set[tuple[int, int]] = set()
        for number, fact, sides in self.inputs["results"]:
            played[(number, frozenset(entry for entry, _half in sides))] = fact
            for entry, half in sides:
                self.score[entry] += half
                paid.add((number, entry))
                if fact in GIFTS and half == 2:
                    self.gifted.add(entry)
        for made in self.inputs["rounds"]:
            number = made["number"]
            for entry in made["byes"]:
                self.had_bye.add(entry)
                self.score[entry] += 0 if (number, entry) in paid else 2
            for home, away in made["pairs"]:
                fact = played.get((number, frozenset((home, away))))
                if fact is None or fact in SAT_DOWN:
                    self.met.add(frozenset((home, away)))
                    self.homes[home].append("H")
                    self.homes[away].append("A")

    def cost(self, one: int, other: int) -> dict[str, int] | None:
        """Return what a pair costs under each criterion, None when it may not be."""
        key = frozenset((one, other))
        if key not in self.known:
            self.known[key] = self._bye(max(one, other)) if NOBODY in key else self._pair(key)
        return self.known[key]

    def _bye(self, entry: int) -> dict[str, int] | None:
        if entry in self.had_bye:
            return None
        line = self.score[entry]
        if entry in self.gifted:
            line += 1 + max(self.score[other] for other in self.present)
        group = self.level[self.score[entry]]
        return self._told(bye=line, fold=len(group) - 1 - group.index(entry), lot=self._lot(self.names[entry], ""))

    def _pair(self, key: frozenset[int]) -> dict[str, int] | None:
        one, other = key
        club = self.clubs[one] is not None and self.clubs[one] == self.clubs[other]
        rule = self.inputs["options"]["clubs"]
        if key in self.forbidden or (key in self.met and key not in self.relaxed) or (club and rule == "hard"):
            return None
        apart = self.score[one] - self.score[other]
        group = self.level[self.score[one]]
        half = len(group) // 2
        return self._told(
            rematch=1 if key in self.met else 0,
            discouraged=1 if key in self.discouraged else 0,
            club=1 if club and rule == "soft" else 0,
            gap=apart * apart,
            fold=0 if apart else abs(abs(group.index(one) - group.index(other)) - half),
            lot=self._lot(self.names[one], self.names[other]),
        )

    @staticmethod
    def _told(**paid: int) -> dict[str, int]:
        return {criterion: paid.get(criterion, 0) for criterion in CRITERIA}

    def _lot(self, one: str, other: str) -> int:
        low, high = sorted((one, other))
        return int.from_bytes(hashlib.sha256(f"{self.seed}:{low} {high}".encode()).digest()[:5], "big")

    def home(self, one: int, other: int) -> int:
        """Return which of two plays at home: fewer homes so far, then who was away last, then the smaller lot."""

        def wish(entry: int) -> tuple[int, bool, str]:
            letters = self.homes[entry]
            lot = hashlib.sha256(f"{self.seed}:{self.names[entry]}".encode()).hexdigest()
            return (letters.count("H"), not (letters and letters[-1] == "A"), lot)

        return min(one, other, key=wish)


def _priced(certificate: JSON, field: Field, order: Sequence[str]) -> Iterator[Fault]:
    """Check what each pair is said to pay, the sum, and that the weights keep the order of the criteria."""
    total = [0] * len(order)
    rows = [((pair["home"], pair["away"]), pair["paid"]) for pair in certificate["pairs"]]
    rows += [((bye["entry"], NOBODY), bye["paid"]) for bye in certificate["byes"]]
    for (one, other), paid in rows:
        cost = field.cost(one, other)
        if cost is None:
            code = "bye_twice" if other == NOBODY else "illegal"
            yield Fault(code, f"{one} and {other or 'the bye'} may not stand together")
            continue
        mine = [cost[criterion] for criterion in order]
        if mine != list(paid):
            yield Fault("paid", f"{one} and {other or 'the bye'} pay {mine}, not {list(paid)}")
        total = [a + b for a, b in zip(total, mine, strict=True)]
    if total != list(certificate["cost"]):
        yield Fault("cost", f"the round costs {total}, not {certificate['cost']}")
    for pair in certificate["pairs"]:
        for entry, score, rank in zip((pair["home"], pair["away"]), pair["scores"], pair["ranks"], strict=True):
            if score != field.score[entry] or rank != field.ranked.index(entry) + 1:
                yield Fault("paid", f"{entry} has another score or rank than the certificate says")
    weights = [int(weight) for weight in certificate["weights"]]
    places = len(field.present) + len(field.present) % 2
    worst = _worst(field)
    for place in range(len(order) - 1):
        below = sum(weights[later] * worst[order[later]] for later in range(place + 1, len(order)))
        if weights[place] <= below * (places // 2) or weights[-1] != 1:
            yield Fault("weights", f"{order[place]} could be outweighed by what comes after it")
            return


def _worst(field: Field) -> dict[str, int]:
    """Return the greatest cost under each criterion among all legal pairs."""
    worst = dict.fromkeys(CRITERIA, 0)
    for one, other in combinations([*field.present, NOBODY] if len(field.present) % 2 else field.present, 2):
        for criterion, value in (field.cost(one, other) or {}).items():
            worst[criterion] = max(worst[criterion], value)
    return worst


def _vector(field: Field, order: Sequence[str], pair: tuple[int, int]) -> tuple[int, ...] | None:
    cost = field.cost(*pair)
    return None if cost is None else tuple(cost[criterion] for criterion in order)


def _sum(vectors: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*vectors, strict=True)))


def _optimal(field: Field, order: Sequence[str], matched: Sequence[tuple[int, int]]) -> Iterator[Fault]:
    """Try to pair some of the entries better. Each vector is written as one number with a digit for each criterion."""
    places = [entry for pair in matched for entry in pair]
    index = {entry: place for place, entry in enumerate(places)}
    worst = _worst(field)
    radix = 1
    digits: dict[str, int] = {}
    for criterion in reversed(order):
        digits[criterion] = radix
        radix *= worst[criterion] * len(places) + 1
    legal: list[list[int | None]] = [[None] * len(places) for _ in places]
    for one, other in combinations(places, 2):
        cost = field.cost(one, other)
        if cost is not None:
            value = sum(digits[criterion] * paid for criterion, paid in cost.items())
            legal[index[one]][index[other]] = legal[index[other]][index[one]] = value
    pairs = [(2 * number, 2 * number + 1) for number in range(len(matched))]
    if len(places) <= EXHAUSTIVE_UP_TO:
        parts = iter([tuple(pairs)])
    else:
        parts = combinations(pairs, 3 if len(places) <= TRIPLES_UP_TO else 2)
    for part in parts:
        now = sum(legal[one][other] or 0 for one, other in part)
        best = _cheapest([place for pair in part for place in pair], legal, now)
        if best < now:
            named = [(places[one], places[other]) for one, other in part]
            yield Fault("not_best", f"{named} could be paired at less cost")
            return


def _cheapest(places: Sequence[int], legal: Sequence[Sequence[int | None]], limit: int) -> int:
    """Return the least cost below `limit` of pairing `places` among themselves, by trying everything; else `limit`."""
    row = legal[places[0]]
    if len(places) == 2:
        only = row[places[1]]
        return limit if only is None or only > limit else only
    for index in range(1, len(places)):
        mine = row[places[index]]
        if mine is None or mine >= limit:
            continue
        left = _cheapest([*places[1:index], *places[index + 1 :]], legal, limit - mine)
        limit = min(limit, mine + left)
    return limit


def _alternatives(
    certificate: JSON, field: Field, order: Sequence[str], matched: Sequence[tuple[int, int]]
) -> Iterator[Fault]:
    """Check that each alternative is possible and costs what is said, more than the round as it stands."""
    partner = {entry: other for pair in matched for entry, other in (pair, pair[::-1])}
    for row in [*certificate["pairs"], *certificate["byes"]]:
        for told in row["alternatives"]:
            entry, against = told["entry"], told["against"] or NOBODY
            left = partner[entry], partner[against]
            new = [_vector(field, order, (entry, against)), _vector(field, order, left)]
            old = [_vector(field, order, (entry, left[0])), _vector(field, order, (against, left[1]))]
            if None in new or None in old:
                yield Fault("alternative", f"{entry} could not have met {against or 'the bye'}")
                continue
            more = tuple(a - b for a, b in zip(_sum([v for v in new if v]), _sum([v for v in old if v]), strict=True))
            if list(more) != list(told["costs"]) or more <= (0,) * len(order):
                yield Fault("alternative", f"{entry} against {against or 'the bye'} would have cost {list(more)} more")


def _digest(inputs: JSON) -> str:
    text = json.dumps(inputs, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
