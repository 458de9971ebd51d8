"""Speed of the Tock engine beside python-chess in one run: `python benchmarks/engine.py [seconds] [positions]`.

Per rule set and number of seats, teams of two: random plies a CPU second (list the plays, take one at random, make it),
`legal_plays` over positions of random play, the copy of a position, its memory; then the CPU time of all engine calls
of a live table for one play. Prints the tables of results.md and exits with an error when a limit is missed. `seconds`
(8) is the time of each competitor, `positions` (100,000) the number of timed calls of `legal_plays`.

The machine may be busy with other things, so time is CPU time of this process, and the comparison runs in rounds: every
rule set and python-chess play one slice each, the rates are medians over rounds, a ratio is the median of the ratios
within a round. The garbage collector stays on: its pauses fall into slices and calls as they do in production. A
warm-up computes every table of plays before the clock starts, and the existing objects are then excluded from
collection (`gc.freeze`), as in a server that starts its workers. The time of a full collection of these objects is
printed below the table.
"""

import gc
import random
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from platform import python_version
from statistics import median
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import chess

from benchmarks.peer import SLICE, chess_plies, rate
from games.engine import registry
from games.engine.cards import TEXTS
from games.engine.game import SPECTATOR
from games.engine.tock.game import GAME
from games.engine.tock.plays import Kind, Play
from games.engine.tock.position import Position
from games.engine.tock.rules import TockRules

CHUNK = 256  # plies between two readings of the clock
TABLE_CHUNK = 32  # plays of a live table
# Limit and goal in times python-chess, for four seats; larger tables are reported without a limit.
FIRST, OTHERS = (4.0, 5.0), (3.0, 4.0)
LIMITS = {"p99 ms": 1.0, "worst ms": 5.0, "copy µs": 3.0}


class Table(NamedTuple):
    """A configuration that is measured: a rule set at a number of seats, two teams."""

    rules: TockRules
    seats: int

    @property
    def bars(self) -> tuple[float, float] | None:
        """Return limit and goal, or None where there are none."""
        if self.seats != 4:
            return None
        return FIRST if self.rules.id == "shawinigan/1" else OTHERS


def tables() -> list[Table]:
    """Return every rule set of the family at every number of seats, smaller tables first."""
    offered = [entry.rules for entry in registry.entries().values() if isinstance(entry.rules, TockRules)]
    return sorted((Table(rules, seats) for rules in offered for seats in rules.teams), key=lambda t: t.seats)


def playout(table: Table, seed: int, every: int) -> Iterator[Position]:
    """Play random games without end; yield the position before every `every` plies. Shuffling of decks is included."""
    roll = random.Random(seed)
    cards = list(table.rules.deck(table.seats))
    legal, apply_in_place, number = GAME.legal_plays, GAME.apply_in_place, roll.random
    left = every
    while True:
        p = GAME.new(table.rules, seats=table.seats, teams=2, dealer=0)
        while p.phase != "over":
            if p.phase == "deck":
                cards.sort(key=lambda _: number())
                apply_in_place(p, Play("deck", -1, Kind.DECK, tuple(cards)))
                continue
            left -= 1
            if not left:
                yield p
                left = every
            plays = legal(p)
            apply_in_place(p, plays[int(number() * len(plays))])


def at_the_table(table: Table, seed: int, chunk: int) -> Iterator[None]:
    """Play random games through the safe interface as a live table does, for ever, `chunk` plays a step.

    For each play: the line is parsed, validated and applied, the facts are computed, every seat and a spectator get
    their view, and each seat that must act gets its lines.
    """
    roll = random.Random(seed)
    deck = [TEXTS[card] for card in table.rules.deck(table.seats)]
    viewers = (*range(table.seats), SPECTATOR)
    lines: dict[int, list[str]] = {}
    left = chunk
    while True:
        p = GAME.new(table.rules, seats=table.seats, teams=2, dealer=0)
        while p.phase != "over":
            seat: int | None = None
            if p.phase == "deck":
                roll.shuffle(deck)
                text = " ".join(("deck", *deck))
            else:
                seat = p.turn
                text = roll.choice(lines[seat])
            play = GAME.parse_play(p, text, seat)
            GAME.check(p, play, seat)
            after = GAME.apply(p, play, seat)
            GAME.fx(p, play, seat)
            for viewer in viewers:
                GAME.view(after, viewer)
            due = GAME.to_act(after)
            for chooser in due if isinstance(due, frozenset) else ():
                lines[chooser] = [GAME.play_text(one) for one in GAME.narrow(after, seat=chooser)]
            p = after
            left -= 1
            if not left:
                yield
                left = chunk


def race(sides: list[Iterator[Any]], chunk: int, seconds: float) -> tuple[float, list[tuple[float, float]]]:
    """Return python-chess's plies a CPU second, and for each configuration its own with the ratio."""
    theirs = chess_plies(1, CHUNK)
    rounds = []
    for _ in range(max(3, round(seconds / SLICE))):
        # python-chess runs first and last in the round, so that a machine that slows down meanwhile affects both sides.
        before, rates = rate(theirs, CHUNK), [rate(plies, chunk) for plies in sides]
        rounds.append(((before + rate(theirs, CHUNK)) / 2, rates))
    rates = [median(rates[i] for _, rates in rounds) for i in range(len(sides))]
    ratios = [median(rates[i] / chess_ for chess_, rates in rounds) for i in range(len(sides))]
    return median(chess_ for chess_, _ in rounds), list(zip(rates, ratios, strict=True))


def latency(table: Table, positions: int) -> tuple[float, float, float]:
    """Return the median, the 99th percentile and the worst CPU time of `legal_plays`, in milliseconds."""
    clock, legal, taken = time.thread_time_ns, GAME.legal_plays, []
    play = playout(table, 2, 1)
    for _ in range(positions):
        p = next(play)
        begun = clock()
        legal(p)
        taken.append(clock() - begun)
    taken.sort()
    return taken[len(taken) // 2] / 1e6, taken[len(taken) * 99 // 100] / 1e6, taken[-1] / 1e6


def copies(table: Table) -> tuple[float, float]:
    """Return the CPU time of a copy in microseconds (median of 50 runs) and the bytes it takes."""
    play = playout(table, 3, 1)
    some = [next(play).copy() for _ in range(1_000)]
    taken = []
    for _ in range(50):
        begun = time.process_time()
        for p in some:
            p.copy()
        taken.append((time.process_time() - begun) / len(some) * 1e6)
    gc.collect()
    tracemalloc.start()
    kept: list[Any] = [p.copy() for p in some]
    held = tracemalloc.get_traced_memory()[0] / len(kept)
    tracemalloc.stop()
    return median(taken), held


def warm_up(measured: list[Table]) -> float:
    """Let every side play, then freeze the existing objects; return the milliseconds of the full collection before."""
    for plies in (*(playout(table, 4, CHUNK) for table in measured), chess_plies(4, CHUNK)):
        for _ in range(60):
            next(plies)
    begun = time.process_time()
    gc.collect()
    used = time.process_time() - begun
    gc.freeze()
    return used * 1e3


def report(seconds: float, positions: int) -> bool:
    """Print the table; return whether every limit is met."""
    measured = tables()
    collection = warm_up(measured)
    chess_, speeds = race([playout(table, 1, CHUNK) for table in measured], CHUNK, seconds)
    smallest: dict[str, float] = {}
    heads = (
        "rule set",
        "seats",
        "plies/s",
        "× chess",
        "bar",
        "goal",
        *LIMITS,
        "p50 ms",
        "bytes",
        "ply time × smallest",
    )
    print(f"| {' | '.join(heads)} |\n{'| --- ' * len(heads)}|")
    print(f"| python-chess {chess.__version__} | | {chess_:,.0f} | 1.00 {'| ' * (len(heads) - 4)}|")
    fine = True
    for table, (plies, ratio) in zip(measured, speeds, strict=True):
        p50, p99, worst = latency(table, positions)
        copy, held = copies(table)
        bars = table.bars
        fine &= (bars is None or ratio >= bars[0]) and p99 <= LIMITS["p99 ms"] and worst <= LIMITS["worst ms"]
        fine &= copy <= LIMITS["copy µs"] or table.seats != 4
        told = [f"{bar:g} {'met' if ratio >= bar else 'MISSED'}" for bar in bars or ()] or ["", ""]
        growth = smallest.setdefault(table.rules.id, plies) / plies
        cells = (
            f"`{table.rules.id}`", str(table.seats), f"{plies:,.0f}", f"{ratio:.2f}", *told, f"{p99:.3f}", f"{worst:.2f}",
            f"{copy:.2f}", f"{p50:.3f}", f"{held:,.0f}", f"{growth:.2f}",
        )  # fmt: skip
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\nLimits: {', '.join(f'{name} {limit:g}' for name, limit in LIMITS.items())}. ", end="")
    print(
        f"{positions:,} calls of `legal_plays` a row. Python {python_version()}. Full collection {collection:.0f} ms."
    )
    report_tables(measured, seconds)
    return fine


def report_tables(measured: list[Table], seconds: float) -> None:
    """Print the cost of a play of a live table: microseconds of CPU, and the equivalent plies of python-chess."""
    chess_, speeds = race([at_the_table(table, 1, TABLE_CHUNK) for table in measured], TABLE_CHUNK, seconds)
    print(
        f"\n| a live table's play | seats | µs | plies of chess ({1e6 / chess_:.0f} µs each) |\n| --- | --- | --- | --- |"
    )
    for table, (plays, ratio) in zip(measured, speeds, strict=True):
        print(f"| `{table.rules.id}` | {table.seats} | {1e6 / plays:.0f} | {1 / ratio:.2f} |")


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:3]]
    sys.exit(not report(given[0] if given else 8.0, int(given[1]) if len(given) > 1 else 100_000))
