"""Random plies a CPU second, the engine against python-chess in one run: `python -m benchmarks.engine [seconds]`.

One ply is what a playout does: list the plays, take one at random, make it. Both sides take turns in slices of one second,
so that a slow moment of the machine hits both. The bar for shawinigan/1 is 4 times python-chess, the goal 5 times.
"""

import random
import sys
import time
from collections.abc import Iterator

import chess

from games.engine import registry
from games.engine.tock.plays import Kind, Play

BAR = 4.0
CHUNK = 256


def tock_plies(rule_set: str, seed: int) -> Iterator[None]:
    """Play random games for ever, CHUNK plies a step; shuffling decks is on our time."""
    roll = random.Random(seed)
    game, rules = registry.game(rule_set), registry.rules(rule_set)
    cards = list(rules.deck())  # type: ignore[attr-defined]
    legal, apply_in_place, number = game.legal, game.apply_in_place, roll.random
    left = CHUNK
    while True:
        p = game.new(rules, seats=4, teams=2, dealer=0)
        while p.phase != "over":
            if p.phase == "deck":
                roll.shuffle(cards)
                apply_in_place(p, Play("deck", -1, Kind.DECK, tuple(cards)))
                continue
            plays = legal(p)
            apply_in_place(p, plays[int(number() * len(plays))])
            left -= 1
            if not left:
                yield
                left = CHUNK


def chess_plies(seed: int) -> Iterator[None]:
    """Play random games of chess for ever, CHUNK plies a step, 200 at most a game."""
    roll = random.Random(seed)
    number = roll.random
    left = CHUNK
    while True:
        board = chess.Board()
        for _ in range(200):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(moves[int(number() * len(moves))])
            left -= 1
            if not left:
                yield
                left = CHUNK


def slice_of(plies: Iterator[None], seconds: float) -> tuple[int, float]:
    """Answer plies made and CPU seconds used."""
    begun, count = time.process_time(), 0
    while time.process_time() - begun < seconds:
        next(plies)
        count += CHUNK
    return count, time.process_time() - begun


def measure(seconds: float = 10.0, rule_set: str = "shawinigan/1") -> tuple[float, float]:
    """Answer plies a CPU second of the engine and of python-chess, in slices of one second each."""
    ours, theirs = tock_plies(rule_set, 1), chess_plies(1)
    totals = [[0, 0.0], [0, 0.0]]
    for plies in (ours, theirs):
        slice_of(plies, 0.2)
    for _ in range(max(1, round(seconds))):
        for plies, total in ((ours, totals[0]), (theirs, totals[1])):
            count, used = slice_of(plies, 1.0)
            total[0] += count
            total[1] += used
    return totals[0][0] / totals[0][1], totals[1][0] / totals[1][1]


if __name__ == "__main__":
    tock, chess_ = measure(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
    print(
        f"shawinigan/1 {tock:,.0f} plies/s, python-chess {chess_:,.0f} plies/s, ratio {tock / chess_:.2f} (bar {BAR})"
    )
    sys.exit(tock < BAR * chess_)
