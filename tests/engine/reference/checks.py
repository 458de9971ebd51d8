"""The last paragraph of section 14: impossible positions. `checked` reads a position; `doubtful` says where the
rulebook leaves it open.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from . import sheets

NEEDED = ("rules", "seats", "teams", "dealer", "deal", "turn", "phase", "hands", "stock", "marbles", "fresh")
FURTHER = ("first", "given", "joker", "thrown", "penalties", "finished", "full_ranking")
PHASES = ("deck", "give", "play", "joker", "forced", "blind", "over")
PLACE = re.compile(r"r|h[1-4]|[tx](0|[1-9][0-9]{0,2})")
FOLLOWED = re.compile(r"(t(?:0|[1-9][0-9]{0,2}))|([0-7])(h[1-4])")


class Refused(Exception):
    """A position, a play or a request that the rulebook refuses; the text begins with the key."""


def teammates(p: dict[str, Any], seat: int) -> list[int]:
    """Return the other seats of the team, clockwise from `seat` (section 10)."""
    return [(seat + step) % p["seats"] for step in range(p["teams"], p["seats"], p["teams"])]


def _need(good: object, key: str, why: str) -> None:
    if not good:
        raise Refused(f"{key}: {why}")


def _whole(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _seats(value: object, seats: int) -> bool:
    return isinstance(value, list) and all(_whole(one, 0, seats - 1) for one in value) and len(set(value)) == len(value)


def checked(position: object) -> dict[str, Any]:
    """Return a copy with every optional key at its value or default; raises Refused."""
    _need(isinstance(position, dict), "position", "an object")
    assert isinstance(position, dict)
    for key in NEEDED:
        _need(key in position, key, "missing")
    for key in position:
        _need(key in NEEDED + FURTHER, str(key), "no such key")
    p: dict[str, Any] = json.loads(json.dumps(position))
    _table(p)
    n = p["seats"]
    for key, resting in (
        ("first", False), ("given", None), ("joker", None), ("thrown", []), ("penalties", [0] * n), ("finished", []),
        ("full_ranking", False),
    ):  # fmt: skip
        p.setdefault(key, resting)
    _further(p)
    _marbles(p)
    _cards(p)
    _phase(p)
    return p


def _table(p: dict[str, Any]) -> None:
    _need(isinstance(p["rules"], str) and p["rules"] in sheets.TABLES, "rules", "unknown")
    tables = sheets.TABLES[p["rules"]]
    _need(_whole(p["seats"], 4, 8) and p["seats"] in tables, "seats", "no such table")
    _need(_whole(p["teams"], 1, 8) and p["teams"] in tables[p["seats"]], "teams", "no such table")
    for key, most in (("dealer", p["seats"] - 1), ("turn", p["seats"] - 1), ("deal", 2)):
        _need(_whole(p[key], 0, most), key, f"0 to {most}")
    _need(isinstance(p["phase"], str) and p["phase"] in PHASES, "phase", "no such phase")


def _further(p: dict[str, Any]) -> None:
    n = p["seats"]
    for key in ("first", "full_ranking"):
        _need(type(p[key]) is bool, key, "true or false")
    for key in ("fresh", "thrown", "finished"):
        _need(_seats(p[key], n), key, "different seats")
    owed = p["penalties"]
    _need(isinstance(owed, list) and len(owed) == n, "penalties", "one per seat")
    _need(all(type(one) is int and one >= 0 for one in owed), "penalties", "whole numbers")


def _marbles(p: dict[str, Any]) -> None:
    n, length = p["seats"], 18 * p["seats"]
    _need(isinstance(p["marbles"], list) and len(p["marbles"]) == n, "marbles", "one list per seat")
    track: Counter[str] = Counter()
    for places in p["marbles"]:
        _need(isinstance(places, list) and len(places) == 4, "marbles", "four places")
        for place in places:
            _need(isinstance(place, str) and PLACE.fullmatch(place), "marbles", "no such place")
            if place[0] in "tx":
                _need(int(place[1:]) < length, "marbles", "no such space")
            if place[0] == "x":
                _need(p["rules"] == "tock/1" and n == 8, "marbles", "no centre here")
                _need(int(place[1:]) % 18 == 7, "marbles", "the centre is left and entered by cases 7")
        track.update(place for place in places if place[0] == "t")
        inside = [place for place in places if place[0] == "h"]
        _need(len(set(inside)) == len(inside), "marbles", "two marbles on one space")
    _need(all(count == 1 for count in track.values()), "marbles", "two marbles on one space")
    for seat in p["fresh"]:
        _need(f"t{18 * seat}" in p["marbles"][seat], "fresh", "no marble on that start")
    if (joker := p["joker"]) is not None:
        found = FOLLOWED.fullmatch(joker) if isinstance(joker, str) else None
        _need(found, "joker", "no such place")
        assert found is not None
        _need(int(joker[1:]) < length if found[1] else int(found[2]) < n, "joker", "no such place")
        there = track[joker] if found[1] else p["marbles"][int(found[2])].count(found[3])
        # Accepted where it has no use; the rulebook does not say that it must name a marble there too.
        _need(there or p["phase"] != "joker", "joker", "names no marble")


def _cards(p: dict[str, Any]) -> None:
    n = p["seats"]
    _need(isinstance(p["hands"], list) and len(p["hands"]) == n, "hands", "one list per seat")
    _need(isinstance(p["stock"], list), "stock", "a list")
    if p["given"] is not None:
        _need(isinstance(p["given"], list) and len(p["given"]) == n, "given", "one per seat")
    deck = sheets.deck(p["rules"], n)
    held: Counter[str] = Counter()
    lists = [("hands", hand) for hand in p["hands"]] + [("stock", p["stock"])]
    lists += [("given", [card for card in p["given"] or [] if card is not None])]
    for key, cards in lists:
        _need(isinstance(cards, list), key, "a list of cards")
        for card in cards:
            _need(isinstance(card, str) and card in deck, key, "no such card")
            held[card] += 1
            _need(held[card] <= deck[card] or key == "given" != p["phase"], key, f"more {card} than the deck holds")


def _phase(p: dict[str, Any]) -> None:
    turn, phase = p["turn"], p["phase"]
    if phase == "give":
        _need(not p["given"] or p["given"][turn] is None, "turn", "has already given")
    if phase not in ("deck", "over"):
        _need(p["hands"][turn], "turn", "no cards to act with")
    _need(phase != "blind" or p["penalties"][turn], "phase", "no penalty is owed")
    _need(phase != "joker" or p["joker"] is not None, "phase", "no joker to replay")
    if phase not in ("deck", "over"):
        _need(len(p["stock"]) >= due(p), "stock", "too short for the deals to come")


def due(p: dict[str, Any]) -> int:
    """Return how many cards the coming deals need."""
    return sum(sheets.HANDS[p["deal"] + 1 :]) * (p["seats"] - len(p["finished"]))


def silent(p: dict[str, Any]) -> bool:
    """Return whether the rulebook leaves this position open: it does not refuse it (`checked` accepted it), but does
    not describe it either. Comparisons leave such positions out.
    """
    phase, individual = p["phase"], p["teams"] == p["seats"]
    home = [set(places) == {"h1", "h2", "h3", "h4"} for places in p["marbles"]]
    jokers = sum(cards.count("JK") for cards in [*p["hands"], p["stock"]] if p["rules"] == "shawinigan/1")
    jokers += (p["given"] or []).count("JK")
    return any(
        (
            # Section 9: a seat whose marbles are all home has finished, and a game that this ends is over.
            individual and [seat for seat in range(p["seats"]) if home[seat]] != sorted(p["finished"]),
            not individual and (p["finished"] or p["full_ranking"]),
            not individual
            and any(all(home[team :: p["teams"]]) for team in range(p["teams"])) is not (phase == "over"),
            individual and phase != "over" and p["finished"] and not p["full_ranking"],
            individual and p["full_ranking"] and (len(p["finished"]) == p["seats"] - 1) is not (phase == "over"),
            phase == "over" and individual and not p["finished"],
            any(p["hands"][seat] for seat in [*p["finished"], *p["thrown"]]),
            # Section 14.5 and 14.7: what a deck and an exchange look like.
            phase == "deck" and (any(p["hands"]) or p["stock"] or p["deal"] or p["first"] is None),
            phase == "give" and (individual or any(not hand for hand in p["hands"])),
            p["first"] and individual,
            p["thrown"] and p["rules"] != "tock-air/1",
            # "Too short for what is due": a joker that may still be played draws a card.
            phase not in ("deck", "over") and len(p["stock"]) < due(p) + jokers,
            # Accepted where they have no use; the rulebook does not say how far they are checked there.
            phase != "give" and p["given"] is not None,
            phase != "joker" and p["joker"] is not None,
        )
    )
