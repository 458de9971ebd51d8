"""Write the missing golden files: `python -m tests.engine.goldens`. It never overwrites one: to change a golden file,
delete it first and say why in the changelog. (shawinigan-1.txt was played by the bots of its time.)
"""

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from games.engine import shuffle
from games.engine.tock.game import GAME
from games.engine.tock.position import Position
from tests.boards import marbles
from tests.engine import built
from tests.engine.configurations import ALL, Configuration
from tests.engine.records import random_game

GOLDEN = Path(__file__).parents[1] / "golden"
# Chosen for short games that still have sevens over four marbles, swaps of own marbles, throwing in, the centre,
# penalties.
SEEDS = {
    "tock-air/1 4/2": 2, "toc/1 4/2": 3, "toc/1 4/4": 1, "toc/1 4/4 full": 1, "tock/1 4/2": 6, "tock/1 4/4": 4,
    "tock/1 4/4 full": 3, "tock/1 6/2": 3, "tock/1 6/3": 3, "tock/1 6/6": 4, "tock/1 6/6 full": 6, "tock/1 8/2": 5,
    "tock/1 8/4": 4, "tock/1 8/8": 3, "tock/1 8/8 full": 2,
}  # fmt: skip
MOST_NODES = 12_000


def stem(table: Configuration) -> str:
    """Return the name of a table's golden files: `tock-1-8-4`, `toc-1-4-4-full`, and `shawinigan-1`, which has only one
    table.
    """
    name = table.rules.replace("/", "-")
    alone = [other for other in ALL if other.rules == table.rules] == [table]
    return name if alone else f"{name}-{table.seats}-{table.teams}{'-full' if table.full else ''}"


def described(p: Position, text: str, fx: list[list[object]]) -> str:
    """Return one line of a playthrough: the play | its effects | whose turn, number of plays | the board after it."""
    effects = " ".join(json.dumps(fact, separators=(",", ":")) for fact in fx)
    return f"{text} | {effects} | {p.phase} {p.turn}, {len(GAME.legal_plays(p))} | {marbles(p)}"


def brisk(lines: list[str], roll: random.Random) -> str:
    """Return a line, usually one that brings a marble home or out: otherwise random games hardly ever end."""
    for sign in ("-h", " out", "x"):
        if (wished := [line for line in lines if sign in line]) and roll.random() < 0.6:
            return roll.choice(wished)
    return roll.choice(lines)


def playthrough(table: Configuration, seed: int) -> list[str]:
    """Play one game with three talking penalties from the start; blind burns and decks come from the committed deal."""
    roll = random.Random(f"{table} {seed}")
    p = table.new(dealer=table.seats - 1)
    for seat in (1, 1, 2):
        p = GAME.penalise(p, seat)
    told, deal = [json.dumps(GAME.to_json(p))], 0
    while p.phase != "over":
        if p.phase == "deck":
            key = shuffle.deal_key(bytes([seed]) * 32, "golden", deal, [bytes(32)] * table.seats)
            deal += 1
            text = "deck " + " ".join(shuffle.deck(key, len(p.rules.deck(table.seats))))
        elif p.phase == "blind":
            text = "blind " + shuffle.blind_card(key, 0, GAME.view(p, p.turn)["hand"])
        else:
            text = brisk([play.text for play in GAME.legal_plays(p)], roll)
        play = GAME.parse_play(p, text)
        fx = GAME.fx(p, play)
        p = GAME.apply(p, play)
        told.append(described(p, text, fx))
    outcome = GAME.outcome(p)
    assert outcome is not None
    return [*told, f"ranks {list(outcome.ranks)}"]


def counted(position: dict[str, Any]) -> str:
    """Return one line of a perft file: depths 1 to 3, as long as the count is cheap."""
    p = GAME.from_json(position)
    nodes = [GAME.perft(p, 1)]
    while len(nodes) < 3 and nodes[-1] * max(nodes[0], 4) <= MOST_NODES:
        nodes.append(GAME.perft(p, len(nodes) + 1))
    return json.dumps({"position": GAME.to_json(p), "nodes": nodes})


def perfts(table: Configuration) -> list[str]:
    """Count from positions of one random game, a few of every phase, and from one constructed position of every kind."""
    seen: list[Position] = []
    roll = random.Random(f"perft {table}")
    random_game(3 * roll.randrange(20), look=lambda p: seen.append(p.copy()), penalties=True, table=table)
    positions = []
    for phase, most in (("give", 2), ("play", 4), ("joker", 2), ("forced", 2), ("blind", 2)):
        there = [p for p in seen if p.phase == phase]
        positions += [GAME.to_json(p) for p in roll.sample(there, min(len(there), most))]
    return [counted(position) for position in [*positions, *(built.built(roll, table, kind) for kind in built.KINDS)]]


def write(path: Path, content: Iterable[str]) -> None:
    path.write_text("\n".join(content) + "\n", encoding="utf-8")
    print(path.relative_to(GOLDEN), f"{path.stat().st_size // 1024} kB")


def main() -> None:
    for table in ALL:
        if not (path := GOLDEN / f"playthroughs/{stem(table)}.txt").exists():
            write(path, playthrough(table, SEEDS.get(str(table), 1)))
        if not (path := GOLDEN / f"perft/{stem(table)}.jsonl").exists():
            write(path, perfts(table))


if __name__ == "__main__":
    main()
