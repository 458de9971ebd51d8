"""Speed of the pairing and ranking cores on one core: `python benchmarks/pairings.py [largest]`.

Measures a Swiss round in the middle of an event (95th percentile of its rounds), its check by the verifier, and
standings of 128 entries after 9 rounds under all tie-breaks, in CPU seconds, against the targets in TARGETS. Prints the
table of results.md; the ratio is the measured time divided by the target, so a ratio below 1 meets it.
"""

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from platform import python_version
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tock_league.competitions.core import registry
from tock_league.competitions.core.format import History, RoundPlan
from tock_league.competitions.core.scoring import MatchResult, PointsRule, SideResult
from tock_league.competitions.core.standings import standings
from tock_league.competitions.core.tiebreaks import SUPPORTED, record
from tock_league.competitions.verifier import swiss

SWISS = registry.format_of("swiss/1")
TARGETS = {64: 0.2, 128: 1.0, 256: 1.5}  # seconds, by number of entries
ROUNDS = 9


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one run."""
    begin = process_time()
    work()
    return process_time() - begin


def event(size: int) -> tuple[History, list[float], float]:
    """Return an event of `size` after its rounds, the seconds of each pairing, and of the last one's check."""
    dice = random.Random(size)
    history = History(tuple(range(1, size + 1)), registry.options_of("swiss/1", {"rounds": ROUNDS}))
    spent = []
    for number in range(1, ROUNDS + 1):
        begin = process_time()
        made = SWISS.next_round(history, f"seed {number}")
        spent.append(process_time() - begin)
        assert isinstance(made, RoundPlan)
        results = []
        for pairing in made.pairings:
            won = dice.choice(pairing.sides)
            sides = tuple(SideResult(entry, "win" if entry == won else "loss") for entry in pairing.sides)
            results.append(MatchResult(number, number, "played", sides))
        history = replace(history, rounds=(*history.rounds, made), results=(*history.results, *results))
    certificate = history.rounds[-1].certificate
    assert certificate is not None
    return history, spent, seconds(lambda: swiss.check(certificate))


def main() -> None:
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 256
    print(f"Python {python_version()}, one core, CPU time.\n")
    print("| what | measured | target | ratio |")
    print("| --- | --- | --- | --- |")
    ranked = None
    for size, target in TARGETS.items():
        if size > largest:
            continue
        history, spent, checked = event(size)
        p95 = sorted(spent)[int(0.95 * (len(spent) - 1) + 0.999)]
        print(f"| Swiss round of {size}, p95 of {ROUNDS} | {p95:.2f} s | {target} s | {p95 / target:.2f} |")
        print(f"| the verifier's check of one | {checked:.2f} s | | |")
        ranked = history if size == 128 else ranked
    if ranked is not None:
        made = record(ranked.entries, ranked.results, PointsRule(), lots_seed="s")
        criteria = ("points", *(key for key in SUPPORTED if key != "points"))
        spent_on_table = min(seconds(lambda: standings(made, criteria)) for _ in range(3))
        what = f"standings of 128 after {ROUNDS} rounds, all tie-breaks"
        print(f"| {what} | {spent_on_table * 1000:.0f} ms | 50 ms | {spent_on_table / 0.05:.2f} |")


if __name__ == "__main__":
    main()
