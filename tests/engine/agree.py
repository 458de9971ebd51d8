"""`python -m tests.engine.agree [positions] [seed] [tables]`: compare the engine with the reference, over random games
and constructed positions. `positions` are divided equally among all tables; `tables` selects those whose name begins so
(`"tock/1 8"`).

For each position: the list of plays (exactly), the position after every listed play, the result, and whether lines that
are not listed are refused (or, for other orders of a 7, lead to the same position). The engine is only used through its
wire format (rulebook section 13).
"""

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.engine import conformance
from games.engine.tock.game import GAME
from games.engine.tock.position import Position

from . import built, reference
from .configurations import ALL, Configuration
from .lines import strange
from .records import random_game
from .reference import sheets

EVERY = 20_000


class Difference(AssertionError):
    """The two implementations differ. The text has the position, the line and both answers."""


def differ(position: dict[str, Any], asked: str, engine: Any, book: Any) -> Difference:
    """Return the difference; for two positions only the keys that differ."""
    if isinstance(engine, dict) and isinstance(book, dict) and "position" in engine:
        told = level(engine["position"])
        keys = sorted(key for key in told.keys() | book.keys() if told.get(key) != book.get(key))
        engine, book = ({key: one.get(key) for key in keys} for one in (told, book))
    return Difference(f"{asked}\n  position  {json.dumps(position)}\n  engine    {engine}\n  reference {book}")


def level(position: dict[str, Any]) -> dict[str, Any]:
    """Return the position with unordered lists sorted."""
    flat = {key: sorted(position[key]) for key in ("fresh", "thrown") if key in position}
    return position | flat | {key: [sorted(each) for each in position[key]] for key in ("hands", "marbles")}


def ask(op: str, position: dict[str, Any], **more: object) -> dict[str, Any]:
    return conformance.answer({"op": op, "position": position, **more})


def compare(position: dict[str, Any], roll: random.Random, counts: Counter[str]) -> None:
    """Raise Difference if the two implementations differ at one position; count what was compared."""
    plays = reference.legal(position)
    if (listed := ask("legal", position)) != {"plays": plays}:
        raise differ(position, "legal", listed, plays)
    if (ranks := ask("result", position)) != {"ranks": reference.result(position)}:
        raise differ(position, "result", ranks, reference.result(position))
    reached = {}
    for play in plays:
        reached[play] = _same_position(position, play)
    if position["phase"] == "deck":
        _same_position(position, deck(position, roll))
        counts["decks"] += 1
    counts["positions"] += 1
    counts["listed"] += len(plays)
    counts[position["phase"]] += 1
    for line in strange(roll, position, plays):
        accepted = _same_answer(position, line)
        counts["accepted unlisted" if accepted else "refused"] += 1
        if accepted and not (line.startswith("7") and accepted in reached.values()):
            raise differ(position, line, "accepted", "a line that is not listed leads nowhere that is listed")


def deck(position: dict[str, Any], roll: random.Random) -> str:
    cards = sorted(sheets.deck(position["rules"], position["seats"]).elements())
    roll.shuffle(cards)
    return "deck " + " ".join(cards)


def _same_position(position: dict[str, Any], play: str) -> dict[str, Any]:
    engine = ask("apply", position, play=play)
    try:
        book = reference.apply(position, play)
    except reference.Refused as refusal:
        raise differ(position, play, engine, f"refused: {refusal}") from refusal
    if "error" in engine or level(engine["position"]) != book:
        raise differ(position, play, engine, book)
    return book


def _same_answer(position: dict[str, Any], line: str) -> dict[str, Any] | None:
    """Return the position that both reach, None if both refuse."""
    engine = ask("apply", position, play=line)
    try:
        book = reference.apply(position, line)
    except reference.Refused as refusal:
        if "error" not in engine:
            raise differ(position, line, engine, f"refused: {refusal}") from refusal
        return None
    if "error" in engine or level(engine["position"]) != book:
        raise differ(position, line, engine, book)
    return book


# --- positions -------------------------------------------------------------------------------------------------------


def played(table: Configuration, roll: random.Random) -> Iterator[dict[str, Any]]:
    """Yield positions of random games without end: about ten of each game, always including the last one."""
    while True:
        seen: list[dict[str, Any]] = []

        def look(p: Position, seen: list[dict[str, Any]] = seen) -> None:
            if p.phase == "over" or roll.random() < 0.02 or (p.phase in ("deck", "joker") and roll.random() < 0.05):
                seen.append(GAME.to_json(p))

        random_game(roll.randrange(1 << 30), look=look, penalties=True, table=table)
        yield from roll.sample(seen[:-1], min(len(seen) - 1, 10))
        yield seen[-1]


def on_purpose(table: Configuration, roll: random.Random) -> Iterator[dict[str, Any]]:
    """Yield constructed positions without end, every kind in turn."""
    while True:
        for kind in built.KINDS:
            yield built.built(roll, table, kind)


def agreement(table: Configuration, positions: int, seed: int) -> Counter[str]:
    """Compare that many positions of one configuration, half of them from games, half constructed; return the counts."""
    roll, counts = random.Random(f"{table} {seed}"), Counter[str]()
    ways = played(table, roll), on_purpose(table, roll)
    for number in range(positions):
        compare(next(ways[number % 2]), roll, counts)
    return counts


SHOWN = ("positions", "listed", "refused", "accepted unlisted", "give", "joker", "forced", "blind", "deck", "over")


def width(word: str) -> int:
    return max(8, len(word) + 2)


def main(words: list[str]) -> int:
    positions, seed, named = (words + [str(EVERY), "1", ""][len(words) :])[:3]
    tables = [table for table in ALL if str(table).startswith(named)]
    each, total, failed = -(-int(positions) // len(ALL)), Counter[str](), 0
    print(f"{'':16}" + "".join(f"{word:>{width(word)}}" for word in SHOWN) + f"{'seconds':>10}")
    for table in tables:
        began = time.process_time()
        try:
            counts = agreement(table, each, int(seed))
        except Difference as difference:
            failed += 1
            print(f"{table!s:16}DIFFER: {difference}", flush=True)
            continue
        total += counts
        row = "".join(f"{counts[word]:>{width(word)}}" for word in SHOWN)
        print(f"{table!s:16}{row}{time.process_time() - began:>10.1f}", flush=True)
    print(f"{'all':16}" + "".join(f"{total[word]:>{width(word)}}" for word in SHOWN))
    print(f"seed {seed}: {total['positions']} positions agree, {failed} of {len(tables)} configurations differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
