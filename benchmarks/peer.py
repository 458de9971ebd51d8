"""python-chess, the peer with which engines are compared, and how a side's speed is measured. Time is CPU time of this
process."""

import random
import time
from collections.abc import Iterator

import chess

SLICE = 0.5  # CPU seconds


def chess_plies(seed: int, chunk: int) -> Iterator[None]:
    """Play random games of chess for ever, `chunk` plies a step, at most 200 plies a game."""
    roll = random.Random(seed)
    number = roll.random
    left = chunk
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
                left = chunk


def rate(steps: Iterator[object], chunk: int) -> float:
    """Return tricks or plies a CPU second over one slice; a step is `chunk` of them."""
    begun, count = time.process_time(), 0
    while (used := time.process_time() - begun) < SLICE:
        next(steps)
        count += chunk
    return count / used
