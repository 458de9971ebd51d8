"""Bots against each other in duplicate rounds: the same deck and the same starter twice, with the sides exchanged.

In the first round of a duplicate A declares and B collects points, in the second B declares and A collects. The side
that collected more has won the duplicate. The luck of the cards is the same for both.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from typing import Any

from games.bots.tractor.choice import choose
from games.engine import registry, shuffle
from games.engine.tractor.game import GAME
from games.engine.tractor.plays import DRAW, deck
from games.engine.tractor.round import DRAW as DRAWING
from games.engine.tractor.round import SHOW, Position
from games.engine.tractor.rules import RANKS, SEATS, TractorRules

NORMAL_95 = 1.959964
Roll = Callable[[int], int]
# A bot as a function: its seat's view, its candidates, random source -> a line.
Player = Callable[[Mapping[str, Any], Sequence[str], Roll], str]


@dataclass(frozen=True, slots=True)
class Rate:
    """How often A won."""

    played: int  # duplicates
    won: int  # by A
    level: int  # ties, which count half
    low: float  # of the 95 % interval (Wilson)
    high: float  # of the 95 % interval
    margin: float  # points per duplicate that A collected more than B

    @property
    def share(self) -> float:
        """Return the share of duplicates won, 0 to 1."""
        return (self.won + self.level / 2) / self.played


def player(level: str) -> Player:
    """Return a built-in bot as a player."""
    return lambda view, legal, roll: choose(view, legal, level=level, roll=roll)


def duel(first: Player, second: Player, *, duplicates: int, seed: int = 1, rules: str = "tractor/1") -> Rate:
    """Play this many duplicates of `first` against `second` and return how often the first won."""
    won = level = margin = 0
    for number in range(duplicates):
        against_first = collected(rules, first, second, seed=seed, number=number, half=0)
        against_second = collected(rules, second, first, seed=seed, number=number, half=1)
        won += against_second > against_first
        level += against_second == against_first
        margin += against_second - against_first
    low, high = interval(won + level / 2, duplicates)
    return Rate(duplicates, won, level, low, high, margin / duplicates)


def interval(won: float, played: int) -> tuple[float, float]:
    """Return the 95 % interval of a share. Source: Wilson, "Probable inference" (1927)."""
    share, z = won / played, NORMAL_95
    centre = (share + z * z / (2 * played)) / (1 + z * z / played)
    half = z * sqrt(share * (1 - share) / played + z * z / (4 * played * played)) / (1 + z * z / played)
    return centre - half, centre + half


def collected(rules: str, defends: Player, collects: Player, *, seed: int, number: int, half: int) -> int:
    """Play one round and return the opponents' points, P of rulebook T7. Deck, rank and starter depend on seed and
    number.
    """
    data = registry.rules(rules)
    assert isinstance(data, TractorRules)
    key = sha256(f"tractor|{seed}|{number}".encode("ascii")).digest()
    chance = shuffle.stream(key, b"round")
    p = GAME.new(data, dealer=chance(SEATS))
    p.round, p.starter, p.declarers = 2, p.drawer, p.drawer % 2
    p.ranks = [chance(len(RANKS))] * 2
    cards = data.deck()
    roll = shuffle.stream(key, b"roll %d" % half)
    players = [defends if team == p.declarers else collects for team in range(2)]
    GAME.apply_in_place(p, deck([cards[i] for i in shuffle.order(key, len(cards))]))
    while p.round == 2 and p.phase != "over":
        if p.phase in (DRAWING, SHOW):
            _window(p, players, roll)
        else:
            _make(p, p.turn, players, roll)
    assert p.previous is not None
    return p.previous.total


def _window(p: Position, players: Sequence[Player], roll: Roll) -> None:
    """Let every seat show or pass once, from the seat that draws first, and then draw the next cards."""
    if p.phase == DRAWING:
        GAME.apply_in_place(p, DRAW)
    for i in range(SEATS):
        if p.phase in (DRAWING, SHOW):
            _make(p, (p.drawer + i) % SEATS, players, roll)


def _make(p: Position, seat: int, players: Sequence[Player], roll: Roll) -> None:
    legal = [play.text for play in GAME.legal_plays(p, seat)]
    if not legal or (p.phase == DRAWING and len(legal) == 1 and legal[0].startswith("pass")):
        return
    text = players[seat % 2](GAME.view(p, seat), legal, roll)
    if text:
        play = GAME.parse_play(p, text, seat)
        GAME.check(p, play, seat)
        GAME.apply_in_place(p, play)
