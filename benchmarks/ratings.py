"""Speed of the rating core on one core: `python benchmarks/ratings.py [games]`.

Measures the closed form against the reference package on the same games, and a replay of a whole log (players and
pairs, with idle growth and counts of opponents), in CPU seconds. Prints the table of results.md.
"""

import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from platform import python_version
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ratings.core import reference, two_teams
from ratings.core.engines import ClosedForm
from ratings.core.gaussian import Estimate
from ratings.core.params import DEFAULT
from ratings.core.recompute import Entry, digest, replay

START = datetime(2026, 1, 1, tzinfo=UTC)
Side = list[Estimate]


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of the faster of two runs."""
    best = float("inf")
    for _ in range(2):
        begin = process_time()
        work()
        best = min(best, process_time() - begin)
    return best


def games(count: int, dice: random.Random) -> list[tuple[Side, Side]]:
    """Return `count` games of two against two, with skills and uncertainties as in the middle of a season."""

    def side() -> Side:
        return [Estimate(dice.gauss(25, 5), dice.uniform(1, 6)) for _ in range(2)]

    return [(side(), side()) for _ in range(count)]


def log(count: int, people: int, dice: random.Random) -> list[Entry]:
    """Return a log of `count` games among `people` players, half of them in fixed pairs."""
    entries = []
    for number in range(count):
        if number % 2:
            four = dice.sample(range(people), 4)
        else:
            a, b = dice.sample(range(people // 2), 2)
            four = [2 * a, 2 * a + 1, 2 * b, 2 * b + 1]
        at = START + timedelta(minutes=4 * number)
        ranks = dice.choice([(0, 1), (1, 0)])
        entries.append(Entry(f"g{number:07d}", at, (tuple(four[:2]), tuple(four[2:])), ranks))
    return entries


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    dice = random.Random(1)
    beta2, tau2 = DEFAULT.beta**2, DEFAULT.tau**2
    many, few = games(50_000, dice), games(2_000, dice)
    ours = seconds(lambda: [two_teams.update(a, b, beta2=beta2, tau2=tau2) for a, b in many]) / len(many)
    theirs = seconds(lambda: [reference.update([a, b], (0, 1), params=DEFAULT) for a, b in few]) / len(few)
    entries = log(count, 5_000, dice)
    begin = process_time()
    states = replay(entries, ClosedForm(DEFAULT))
    spent = process_time() - begin
    print(f"Python {python_version()}, one core, CPU time.\n")
    print("| what | measured |")
    print("| --- | --- |")
    print(f"| closed form, 2 v 2 | {1 / ours:,.0f} games/s |")
    print(f"| reference package {reference.VERSION}, 2 v 2 | {1 / theirs:,.0f} games/s |")
    print(f"| ratio | {theirs / ours:,.0f} times |")
    print(f"| replay of {count:,} games, players and pairs | {spent:.1f} s |")
    print(f"| subjects; digest | {len(states):,}; {digest(states)[:16]} |")


if __name__ == "__main__":
    main()
