"""Constructed positions as JSON: crowds, marbles near home, fresh marbles in the way, full sevens, the centre, replays,
exchanges, penalties, last cards. Random games reach most of these rarely.
"""

import random
from collections.abc import Callable
from typing import Any

from .configurations import Configuration
from .reference import sheets

Places = list[list[str]]
HOME = ["h1", "h2", "h3", "h4"]


def built(roll: random.Random, table: Configuration, kind: str) -> dict[str, Any]:
    """Return a position of this kind (a key of KINDS) that the rulebook accepts."""
    n = table.seats
    turn = roll.randrange(n)
    finished = _finished(roll, table, turn)
    p: dict[str, Any] = {
        "rules": table.rules, "seats": n, "teams": table.teams, "dealer": roll.randrange(n), "deal": roll.randrange(3),
        "turn": turn, "phase": "play", "fresh": [],
    }  # fmt: skip
    if table.full:
        p |= {"full_ranking": True, "finished": finished}
    p["marbles"] = _marbles(roll, table, turn, finished, KINDS[kind])
    # A marble on its own start has usually just come out.
    for seat in range(n):
        if f"t{18 * seat}" in p["marbles"][seat] and roll.random() < 0.7:
            p["fresh"].append(seat)
    _cards(roll, table, p, finished, WANTED.get(kind, ()))
    if roll.random() < 0.35:
        _phase(roll, table, p)
    return p


# --- marbles ---------------------------------------------------------------------------------------------------------


def _finished(roll: random.Random, table: Configuration, turn: int) -> list[int]:
    """Return seats that have finished already, in an individual game with full ranking."""
    if not table.full or roll.random() < 0.3:
        return []
    others = [seat for seat in range(table.seats) if seat != turn]
    return roll.sample(others, roll.randrange(table.seats - 1))


def _marbles(
    roll: random.Random, table: Configuration, turn: int, finished: list[int], near: Callable[..., list[int]]
) -> Places:
    n, length = table.seats, 18 * table.seats
    hub = roll.randrange(length)
    taken: set[int] = set()
    marbles: Places = [[] for _ in range(n)]
    home = set(finished)
    if not table.individual and roll.random() < 0.35:
        home |= {(turn + table.teams * step) % n for step in range(n // table.teams - 1)} - {turn}
        if roll.random() < 0.5 and n // table.teams == 2:
            home = {turn}
    busy = {turn} | {seat for seat in range(n) if roll.random() < 0.6}
    for seat in sorted(range(n), key=lambda seat: seat != turn):
        if seat in home:
            marbles[seat] = list(HOME)
            continue
        inside = roll.sample(HOME, roll.choice((0, 0, 1, 2, 3)))
        count = roll.randint(1, 4 - len(inside)) if seat in busy else roll.randrange(2)
        spaces = [space % length for space in near(roll, n, seat, hub) if space % length not in taken]
        spaces = roll.sample(sorted(set(spaces)), min(count, len(set(spaces))))
        taken |= set(spaces)
        marbles[seat] = [*inside, *(f"t{space}" for space in spaces)]
        if n == 8 and table.rules == "tock/1" and roll.random() < 0.3:
            marbles[seat] += [f"x{18 * roll.randrange(n) + 7}" for _ in range(roll.randint(1, 2))]
        marbles[seat] = (marbles[seat] + ["r"] * 4)[:4]
    return marbles


def _anywhere(roll: random.Random, n: int, seat: int, hub: int) -> list[int]:
    return list(range(18 * n))


def _crowd(roll: random.Random, n: int, seat: int, hub: int) -> list[int]:
    """Return one stretch of the track, and the opposite stretch, where jumps lead."""
    return [*range(hub, hub + 15), *range(hub + 9 * n, hub + 9 * n + 6)]


def _homeward(roll: random.Random, n: int, seat: int, hub: int) -> list[int]:
    return list(range(18 * seat - 12, 18 * seat + 2))


def _starts(roll: random.Random, n: int, seat: int, hub: int) -> list[int]:
    """Return the own start, other starts, and the spaces before the own start, the next and the previous one."""
    return [18 * seat] * 2 + [18 * one + by for one in (seat, seat + 1, seat - 1) for by in range(-13, 3)]


def _cases_7_and_8(roll: random.Random, n: int, seat: int, hub: int) -> list[int]:
    return [18 * one + by for one in range(n) for by in (7, 8, 7, 8, 2, 4, 11)]


KINDS: dict[str, Callable[..., list[int]]] = {
    "anywhere": _anywhere,
    "crowd": _crowd,
    "sevens": _crowd,
    "sevens at home": _homeward,
    "homeward": _homeward,
    "fresh": _starts,
    "cases 7 and 8": _cases_7_and_8,
    "jacks": _starts,
    "tens": _anywhere,
}
WANTED = {
    "sevens": ("7",), "sevens at home": ("7",), "homeward": ("A", "2", "3", "5", "6", "7", "JK"),
    "fresh": ("5", "4", "K", "A", "JK", "9"), "cases 7 and 8": ("K", "5", "JK", "4", "3"), "jacks": ("J",),
    "tens": ("10",),
}  # fmt: skip


# --- cards and phases ------------------------------------------------------------------------------------------------


def _cards(
    roll: random.Random, table: Configuration, p: dict[str, Any], finished: list[int], wanted: tuple[str, ...]
) -> None:
    deck = sorted(sheets.deck(table.rules, table.seats).elements())
    roll.shuffle(deck)
    if wanted:
        deck.sort(key=lambda card: sheets.rank_of(card) not in wanted and roll.random() < 0.8)
    most = sheets.HANDS[p["deal"]]
    mine = roll.randint(1, most)
    hands: list[list[str]] = [[] for _ in range(table.seats)]
    hands[p["turn"]] = [deck.pop(0) for _ in range(mine)]
    roll.shuffle(deck)
    empty = roll.random() < 0.2
    for seat in range(table.seats):
        if seat != p["turn"] and seat not in finished and not (empty and roll.random() < 0.8):
            hands[seat] = [deck.pop() for _ in range(roll.choice((mine, mine - 1, roll.randint(0, most))))]
    p |= {"hands": hands, "stock": deck}


def _phase(roll: random.Random, table: Configuration, p: dict[str, Any]) -> None:
    n, turn = table.seats, p["turn"]
    choices = ["forced", "blind", "debts", "thrown", *(["joker"] * 6 if table.rules in sheets.REPLAYS_JOKERS else [])]
    phase = roll.choice(choices if table.individual else [*choices, "give", "give", "give"])
    if phase == "give":
        _exchange(roll, table, p)
    elif phase == "joker":
        # Any seat's marble may be named; mostly it is one that may move.
        owner = turn if roll.random() < 0.8 else roll.randrange(n)
        there = [place for place in p["marbles"][owner] if place != "r"]
        if there:
            place = roll.choice(there)
            p |= {"phase": "joker", "joker": place if place[0] == "t" else f"{owner}{place}"}
    elif phase == "forced":
        p["phase"] = "forced"
    elif phase in ("blind", "debts"):
        p["penalties"] = [roll.choice((0, 0, 1, 2)) for _ in range(n)]
        if p["penalties"][turn]:
            p["phase"] = "blind"
    elif phase == "thrown" and table.rules in sheets.THROWS_IN:
        p["thrown"] = [seat for seat in range(n) if not p["hands"][seat]]


def _exchange(roll: random.Random, table: Configuration, p: dict[str, Any]) -> None:
    """Make it the exchange after a deal: some seats have laid a card aside."""
    n = table.seats
    if sheets.EXCHANGE[table.rules] == "game" or roll.random() < 0.3:
        p |= {"deal": 0, "first": True}
    each = sheets.HANDS[p["deal"]]
    whole = [card for hand in p["hands"] for card in hand] + p["stock"]
    roll.shuffle(whole)
    p["hands"] = [[whole.pop() for _ in range(each)] for _ in range(n)]
    gone = roll.choice((n - 1, n - 1, roll.randrange(n)))
    given = [hand.pop() if seat < gone else None for seat, hand in enumerate(p["hands"])]
    p |= {"phase": "give", "turn": gone, "given": given, "stock": whole}
