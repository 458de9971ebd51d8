"""Lines that are not listed: near misses, other cards, other orders of a 7, plays of other phases."""

import random
from typing import Any

from .reference import sheets

STEPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 18, -4)


def strange(roll: random.Random, position: dict[str, Any], plays: list[str], count: int = 8) -> list[str]:
    """Return about `count` lines that are not among `plays`; most of them are illegal."""
    hand = position["hands"][position["turn"]] or ["9C"]
    makers = (_walk, _walk, _swap, _word, _other_card, _moved, _sevens, _sevens, _sevens)
    lines = {roll.choice(makers)(roll, position, hand, plays) for _ in range(count)}
    sevens = [play for play in plays if play.count("-") > 1]
    for play in roll.sample(sevens, min(3, len(sevens))):
        card, *legs = play.split(" ")
        roll.shuffle(legs)
        lines.add(" ".join([card, *legs]))
    return sorted(lines - set(plays))


def _places(roll: random.Random, position: dict[str, Any]) -> list[str]:
    places = [place for places in position["marbles"] for place in places if place != "r"]
    return places or [f"t{roll.randrange(18 * position['seats'])}"]


def _end(roll: random.Random, position: dict[str, Any], place: str, steps: int) -> str:
    """Return the place that many steps further: along the track, or in a heaven on the way."""
    length = 18 * position["seats"]
    if place[0] == "h":
        return f"h{int(place[1:]) + steps}"
    space = int(place[1:])
    inside = [n for seat in range(position["seats"]) if 0 < (n := steps - (18 * seat - 2 - space) % length) <= 4]
    if inside and roll.random() < 0.5:
        return f"h{inside[0]}"
    end = (space + steps) % length
    if end % 18 == 7 and roll.random() < 0.5:
        end = (end + length // 2) % length
    return f"{roll.choice('tttttx') if end % 18 == 7 else 't'}{end}"


def _walk(roll: random.Random, position: dict[str, Any], hand: list[str], plays: list[str]) -> str:
    place = roll.choice(_places(roll, position))
    card = roll.choice(hand)
    named = {"A": (1, 11), "4": (-4,), "J": (1,), "Q": (12,), "K": (13,), "JK": (18,)}
    rank = sheets.rank_of(card)
    steps = roll.choice(named.get(rank) or (int(rank),)) if roll.random() < 0.7 else roll.choice(STEPS)
    return f"{card} {place}-{_end(roll, position, place, steps)}"


def _swap(roll: random.Random, position: dict[str, Any], hand: list[str], plays: list[str]) -> str:
    places = _places(roll, position)
    jacks = [card for card in hand if card[0] == "J"] or hand
    return f"{roll.choice(jacks)} {roll.choice(places)}x{roll.choice(places)}"


def _word(roll: random.Random, position: dict[str, Any], hand: list[str], plays: list[str]) -> str:
    card = roll.choice(hand)
    words = (
        "burn {}",
        "blind {}",
        "give {}",
        "throw",
        "{} out",
        "{} skip",
        "deck {}",
        "{}",
        "burn",
        "{} throw",
        "throw {}",
    )
    return roll.choice(words).format(card)


def _other_card(roll: random.Random, position: dict[str, Any], hand: list[str], plays: list[str]) -> str:
    """Return a listed play with another card, from the hand or not."""
    if not plays:
        return "burn 2S"
    first, space, rest = roll.choice(plays).partition(" ")
    deck = sorted(sheets.deck(position["rules"], position["seats"]))
    card = roll.choice(hand if roll.random() < 0.6 else deck)
    return f"{first} {card}" if first in ("burn", "give", "blind") else f"{card}{space}{rest}"


def _moved(roll: random.Random, position: dict[str, Any], hand: list[str], plays: list[str]) -> str:
    """Return a listed play with one place changed, or its two places exchanged."""
    moves = [play for play in plays if "-" in play or "x" in play]
    if not moves:
        return "burn 2S"
    card, *legs = roll.choice(moves).split(" ")
    at = roll.randrange(len(legs))
    sign = "-" if "-" in legs[at] else "x"
    one, _, other = legs[at].partition(sign)
    if roll.random() < 0.4:
        legs[at] = f"{other}{sign}{one}"
    else:
        kind, number = other[0], int(other[1:])
        by = roll.choice((-1, 1, 18, 9 * position["seats"]))
        legs[at] = f"{one}{sign}{kind}{abs(number + by) % (18 * position['seats'])}"
    return " ".join([card, *legs])


def _sevens(roll: random.Random, position: dict[str, Any], hand: list[str], plays: list[str]) -> str:
    """Return a 7 over one to five marbles of the side, or of any seat, with random ways."""
    card = next((card for card in hand if card[0] == "7"), "7C")
    seat = position["turn"] if roll.random() < 0.8 else roll.randrange(position["seats"])
    places = [place for place in position["marbles"][seat] if place[0] in "th"] or _places(roll, position)
    movers = roll.sample(places, roll.randint(1, min(5, len(places))))
    cuts = sorted(roll.sample(range(1, 7), len(movers) - 1))
    steps = [b - a for a, b in zip([0, *cuts], [*cuts, 7], strict=True)]
    legs = [f"{place}-{_end(roll, position, place, n)}" for place, n in zip(movers, steps, strict=True)]
    return " ".join([card, *legs])
