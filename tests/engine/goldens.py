"""Writes the golden texts: `python -m tests.engine.goldens` prints where. Nobody rewrites one without a changelog entry."""

import json
import random
from pathlib import Path

from games import bots
from games.engine import registry, shuffle
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.boards import marbles
from tests.engine.records import random_game

GOLDEN = Path(__file__).parents[1] / "golden"
PLAYTHROUGH = GOLDEN / "playthroughs/shawinigan-1.txt"
PERFT = GOLDEN / "perft/shawinigan-1.jsonl"
RULES = registry.rules("shawinigan/1")


def described(p: Position, text: str, fx: list[list[object]]) -> str:
    """Answer one line of a playthrough: the play | its effects | whose turn, how many plays are open | the board after."""
    effects = " ".join(json.dumps(fact, separators=(",", ":")) for fact in fx)
    return f"{text} | {effects} | {p.phase} {p.turn}, {len(GAME.legal(p))} | {marbles(p)}"


def playthrough(seed: int) -> list[str]:
    """Play one game of bots, with two talking penalties owed from the start."""
    roll = random.Random(seed)
    p = GAME.penalise(GAME.new(RULES, seats=4, teams=2, dealer=3), 1)
    p = GAME.penalise(p, 1)
    told, deal = [json.dumps(GAME.to_json(p))], 0
    while p.phase != "over":
        if p.phase == "deck":
            key = shuffle.deal_key(bytes([seed]) * 32, "golden", deal, [bytes(32)] * 4)
            deal += 1
            text = "deck " + " ".join(shuffle.deck(key, 54))
        elif p.phase == "blind":
            text = "blind " + shuffle.blind_card(key, 0, GAME.view(p, p.turn)["hand"])
        else:
            # Seats 0 and 2 play as the club does, the others at random: so everything happens some time.
            legal = [play.text for play in GAME.legal(p)]
            level = "club" if p.turn % 2 == 0 else "novice"
            text = bots.choose(GAME.view(p, p.turn), legal, level=level, roll=roll.randrange)
        play = GAME.parse_play(p, text)
        fx = GAME.fx(p, play)
        p = GAME.apply(p, play)
        told.append(described(p, text, fx))
    outcome = GAME.outcome(p)
    assert outcome is not None
    return [*told, f"ranks {list(outcome.ranks)}"]


def perfts() -> list[str]:
    """Count from positions of random games, a few of every phase."""
    written: list[str] = []
    for seed in (11, 12, 15):
        seen: list[Position] = []
        random_game(seed, look=lambda p, seen=seen: seen.append(p.copy()), penalties=True)  # type: ignore[misc]
        pick = random.Random(seed)
        for phase in ("give", "play", "joker", "forced", "blind"):
            there = [p for p in seen if p.phase == phase]
            for p in pick.sample(there, min(len(there), 3)):
                nodes = [GAME.perft(p, depth) for depth in (1, 2, 3)]
                written.append(json.dumps({"position": GAME.to_json(p), "nodes": nodes}))
    return written


if __name__ == "__main__":
    for path, content in ((PLAYTHROUGH, playthrough(5)), (PERFT, perfts())):
        path.write_text("\n".join(content) + "\n", encoding="utf-8")
        print(path, len(content), "lines")
