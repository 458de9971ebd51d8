"""Write Tractor's golden playthrough if it is missing: `python -m tests.engine.tractor.goldens`. It never overwrites
it: to change it, delete the file first and say why in the changelog.
"""

import json
import random
from pathlib import Path

from games.engine import shuffle
from games.engine.tractor.game import GAME
from games.engine.tractor.plays import Play
from games.engine.tractor.round import Position

from .records import choose
from .tables import new

FILE = Path(__file__).parents[2] / "golden/playthroughs/tractor-1.txt"
# Chosen for a game of four rounds with every kind of event: see test_playthrough.py.
SEED, ROUNDS = 5, 4


def described(p: Position, text: str, fx: list[list[object]]) -> str:
    """Return one line: the play | its effects | phase and turn, candidates | cards per hand, points and penalties by
    team.
    """
    effects = " ".join(json.dumps(fact, separators=(",", ":")) for fact in fx)
    counts = " ".join(str(p.count(seat)) for seat in range(4))
    here = f"{p.phase} {p.turn}, {len(list(GAME.legal_plays(p)))}"
    return f"{text} | {effects} | {here} | {counts}; {p.captured[0]} {p.captured[1]}; {p.paid[0]} {p.paid[1]}"


def shy(p: Position, roll: random.Random) -> Play:
    """Return a random play; shows are rare, so that talons are turned over and rounds dealt again too."""
    play = choose(p, roll)
    if p.phase in ("draw", "show") and play.text.startswith("show") and roll.random() < 0.7:
        return GAME.parse_play(p, "draw 4") if p.phase == "draw" else GAME.parse_play(p, f"pass {p.turn}")
    return play


def playthrough(seed: int, rounds: int) -> list[str]:
    """Play one game; decks come from the committed deal."""
    roll = random.Random(f"tractor {seed}")
    p = new(dealer=3, rounds=rounds)
    told, deal = [json.dumps(GAME.to_json(p))], 0
    while p.phase != "over":
        if p.phase == "deck":
            key = shuffle.deal_key(bytes([seed]) * 32, "golden", deal, [bytes(32)] * 4)
            play, deal = GAME.parse_play(p, "deck " + " ".join(shuffle.deck(key, 108, "tractor"))), deal + 1
        else:
            play = shy(p, roll)
        fx = GAME.fx(p, play)
        p = GAME.apply(p, play)
        told.append(described(p, play.text, fx))
    outcome = GAME.outcome(p)
    assert outcome is not None
    return [*told, f"ranks {list(outcome.ranks)}"]


if __name__ == "__main__":
    if FILE.exists():
        raise SystemExit(f"{FILE.name} is there; delete it first")
    FILE.write_text("\n".join(playthrough(SEED, ROUNDS)) + "\n", encoding="utf-8")
