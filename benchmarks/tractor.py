"""Speed of the Tractor engine beside python-chess in one run: `python benchmarks/tractor.py [seconds]`.

Random full rounds with all checks on: every play, including drawn cards and shows, is validated by `check` before it is
applied, and is chosen at random from the candidates of `legal_plays`; one lead in eight is a random set of cards of one
suit instead, so that throws succeed and fail. The time to shuffle decks is included. The limit: as many tricks a CPU
second as python-chess makes random plies. `seconds` (8) is the time of each of the two.

The machine may be busy with other things, so time is CPU time of this process, and the comparison runs in rounds of
slices; the rates are medians over rounds, the ratio is the median of the ratios within a round. The garbage collector
stays on.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import chess

from benchmarks.peer import SLICE, chess_plies, rate
from games.engine import registry
from games.engine.tractor import plays
from games.engine.tractor.game import GAME
from games.engine.tractor.plays import Kind, Play
from games.engine.tractor.round import Position

CHUNK = 128  # tricks, or plies, between two readings of the clock
BAR = 1.0
THROWN = 1 / 8


def tricks(seed: int) -> Iterator[None]:
    """Play random games for ever, CHUNK tricks a step."""
    roll = random.Random(seed)
    rules = registry.rules("tractor/1")
    deck = list(rules.deck())  # type: ignore[attr-defined]
    legal, check, apply_in_place, number = GAME.legal_plays, GAME.check, GAME.apply_in_place, roll.random
    left = CHUNK
    while True:
        p = GAME.new(rules, dealer=roll.randrange(4))  # type: ignore[arg-type]
        while p.phase != "over":
            if p.phase == "play":
                leads = not p.trick
                if leads and number() < THROWN:
                    play = any_lead(p, roll)
                else:
                    candidates = legal(p)
                    play = candidates[int(number() * len(candidates))]
                check(p, play)
                apply_in_place(p, play)
                if leads:
                    left -= 1
                    if not left:
                        yield
                        left = CHUNK
                continue
            if p.phase == "draw":
                play = plays.DRAW
            elif p.phase == "deck":
                deck.sort(key=lambda _: number())
                play = Play("deck", Kind.DECK, cards=tuple(deck))
            else:
                candidates = legal(p)
                play = candidates[int(number() * len(candidates))]
            check(p, play)
            apply_in_place(p, play)


def any_lead(p: Position, roll: random.Random) -> Play:
    """Return some cards of one effective suit of the hand to lead."""
    assert p.order is not None
    one, two = p.one[p.turn], p.two[p.turn]
    mask = p.order.masks[p.order.suits[roll.choice(plays.kinds(one))]]
    cards = plays.numbers(one & mask, two & mask)
    return plays.play(*plays.masks(roll.sample(cards, roll.randint(1, min(6, len(cards))))))


def report(seconds: float) -> bool:
    """Print the table; return whether the limit is met."""
    ours, theirs = tricks(1), chess_plies(1, CHUNK)
    for steps in (ours, theirs):
        for _ in range(8):
            next(steps)
    rounds = []
    for _ in range(max(3, round(seconds / SLICE))):
        # python-chess runs first and last in the round, so that a machine that slows down meanwhile affects both sides.
        before, made = rate(theirs, CHUNK), rate(ours, CHUNK)
        rounds.append((made, (before + rate(theirs, CHUNK)) / 2))
    speed, chess_ = median(made for made, _ in rounds), median(plies for _, plies in rounds)
    ratio = median(made / plies for made, plies in rounds)
    told = "met" if ratio >= BAR else "MISSED"
    print("| what | a CPU second |\n| --- | --- |")
    print(f"| `tractor/1`: tricks of random full rounds, all checks on | {speed:,.0f} |")
    print(f"| python-chess {chess.__version__}: random plies | {chess_:,.0f} |")
    print(f"| ratio (bar {BAR:g}: {told}) | {ratio:.2f} |")
    return ratio >= BAR


if __name__ == "__main__":
    sys.exit(0 if report(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0) else 1)
