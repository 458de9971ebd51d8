"""Read one value of a position in JSON; a wrong value is refused with its key."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.cards import JOKER, NUMBER
from games.engine.errors import BadPosition, shown
from games.engine.numbers import is_whole
from games.engine.tractor.plays import Cards, masks
from games.engine.tractor.rules import RANKS, SEATS, SUITS, WON, WON_TEXT


def require(fine: bool, key: str, rule: str) -> None:
    """Raise BadPosition with the key and the rule unless `kept`."""
    if not fine:
        raise BadPosition("bad_position", f"{key}: {rule}")


def keys(data: object, needed: frozenset[str], others: frozenset[str] = frozenset()) -> None:
    """Refuse an object with missing or unknown keys."""
    if not isinstance(data, Mapping):
        raise BadPosition("bad_position", "an object is needed")
    for key in sorted(needed - data.keys()):
        raise BadPosition("bad_position", f"{key}: missing")
    for key in sorted(map(str, data.keys() - needed - others)):
        raise BadPosition("bad_position", f"{shown(key)}: no such key")


def number(data: Mapping[str, Any], key: str, start: int, end: int) -> int:
    """Return an integer from `start` to `end`, both included."""
    value = data[key]
    require(is_whole(value) and start <= value <= end, key, f"a whole number from {start} to {end}")
    return int(value)


def seat(data: Mapping[str, Any], key: str) -> int:
    """Return a seat."""
    return number(data, key, 0, SEATS - 1)


def counts(data: Mapping[str, Any], key: str, least: int = 0, unit: int = 5) -> tuple[int, int]:
    """Return two integers, one per team: multiples of `unit`, at least `least`."""
    value = data[key]
    fine = isinstance(value, list) and len(value) == 2 and all(map(is_whole, value))
    require(
        fine and all(least <= n < 10**6 and not n % unit for n in value), key, f"two multiples of {unit}, one a team"
    )
    return value[0], value[1]


def cards(value: object, key: str) -> list[int]:
    """Return card numbers in the given order."""
    require(isinstance(value, list), key, "a list of cards")
    assert isinstance(value, list)
    found = []
    for text in value:
        card = NUMBER.get(text) if isinstance(text, str) and text != JOKER else None
        if card is None:
            raise BadPosition("bad_position", f"{key}: no card {shown(text)}")
        found.append(card)
    return found


def laid(value: object, key: str) -> Cards:
    """Return cards as masks; no card more than twice."""
    try:
        return masks(cards(value, key))
    except ValueError as error:
        if isinstance(error, BadPosition):
            raise
        raise BadPosition("bad_position", f"{key}: {error} a third time") from None


def each_seat(value: object, key: str) -> list[Any]:
    """Return a list of four values."""
    require(isinstance(value, list) and len(value) == SEATS, key, f"a list of {SEATS}, one a seat")
    assert isinstance(value, list)
    return value


def seats(value: object, key: str) -> list[int]:
    """Return a list of seats, each once."""
    fine = isinstance(value, list) and all(is_whole(s) and 0 <= s < SEATS for s in value)
    require(fine, key, "a list of seats")
    assert isinstance(value, list)
    require(len(set(value)) == len(value), key, "a seat named twice")
    return value


def rank(value: object, key: str, *, beyond: bool = False) -> int:
    """Return a rank as an index in RANKS; with `beyond`, `won` is allowed too."""
    if beyond and value == WON_TEXT:
        return WON
    if not isinstance(value, str) or value not in RANKS:
        raise BadPosition("bad_position", f"{key}: no rank {shown(value)}")
    return RANKS.index(value)


def ranks(data: Mapping[str, Any], key: str) -> list[int]:
    """Return a rank for each team."""
    value = data[key]
    require(isinstance(value, list) and len(value) == 2, key, "a list of two, one a team")
    return [rank(one, key, beyond=True) for one in value]


def trump(data: object, key: str) -> tuple[int, int]:
    """Return rank and suit as indices, suit -1 for no trump."""
    require(
        isinstance(data, Mapping) and {"rank"} <= data.keys() <= {"rank", "suit"},
        key,
        "rank, and suit where there is one",
    )
    assert isinstance(data, Mapping)
    suit = data.get("suit")
    require(suit is None or (isinstance(suit, str) and len(suit) == 1 and suit in SUITS), key, "suit: C, D, H or S")
    return rank(data["rank"], key), -1 if suit is None else SUITS.index(suit)


def same_size(plays: Sequence[Cards], key: str) -> None:
    """Refuse plays of a trick that differ in size."""
    sizes = {one.bit_count() + two.bit_count() for one, two in plays}
    require(len(sizes) <= 1 and 0 not in sizes, key, "every play has as many cards as the lead")
