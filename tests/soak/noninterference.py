"""Pairs of games that one viewer cannot tell apart: `python -m tests.soak.noninterference --pairs 10000 [--jobs 2]`.

Two games differ only in cards that a viewer may not know. Both are put through the site, and every byte that the viewer
gets must be the same; docs/decisions/0027 says what is compared. A seed plays one game and makes twelve pairs of it;
`--seed 7` compares those of one seed again. Fails if two bytes differ, or if something that must be tried never happened.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.soak import seeds

DRAW_MS = 600  # between two draws of Tractor, so that seats can show while cards are drawn
ENOUGH = 2000  # pairs after which everything that must be tried has happened


def set_up() -> None:
    """Set Django up, with a database of this process."""
    import django

    django.setup()
    from tests.secrecy import stage

    stage.set_up_database()


def compare(some: Sequence[int]) -> list[Any]:
    """Return the outcomes of these seeds."""
    from tests.secrecy import pairs, stage

    with stage.ready(TOCK_DRAW_MS=DRAW_MS) as on_stage:
        return [pairs.compare(on_stage, seed) for seed in some]


def many(wanted: int, first: int, jobs: int, minutes: float) -> int:
    """Compare so many pairs, or as many as the minutes allow, and print what was compared; return 0 if no byte differed."""
    from tests.secrecy import pairs

    begin, found, count = time.monotonic(), list[Any](), 0
    wanted_seeds = range(first, first + -(-wanted // pairs.PAIRS) * 2)  # some seeds give fewer pairs
    for share in seeds.outcomes(compare, wanted_seeds, set_up=set_up, jobs=jobs, minutes=minutes):
        found += share
        for outcome in share:
            count += outcome.pairs
            if outcome.faults:
                print(f"seed {outcome.seed}: {outcome.faults[0]}")
                print(f"  again: python -m tests.soak.noninterference --seed {outcome.seed}", flush=True)
        if len(found) % (40 * seeds.SHARE) == 0:
            print(f"{count} pairs after {time.monotonic() - begin:.0f} s", flush=True)
        if count >= wanted:
            break
    return summary(found, time.monotonic() - begin)


def summary(found: Sequence[Any], seconds: float) -> int:
    """Print what was compared; return 0 if no byte differed and everything was tried."""
    from tests.secrecy.pairs import WANTED

    covered = sum((outcome.covered for outcome in found), Counter())
    viewers = sum((outcome.viewers for outcome in found), Counter())
    tables = Counter(f"{kind.rules} {kind.seats}" for outcome in found if (kind := outcome.kind))
    count = sum(outcome.pairs for outcome in found)
    print(
        f"{count} pairs of games, {sum(outcome.compared for outcome in found)} viewers compared, "
        f"{sum(outcome.heard for outcome in found)} frames and answers, "
        f"{sum(outcome.size for outcome in found) / 1e6:.0f} MB each side, {seconds:.0f} s"
    )
    print("viewers: " + ", ".join(f"{name} {viewers[name]}" for name in sorted(viewers)))
    print("games: " + ", ".join(f"{name} seats {tables[name]}" for name in sorted(tables)))
    print("carried out through the doors: " + ", ".join(f"{name} {covered[name]}" for name in WANTED))
    wrong = [outcome for outcome in found if outcome.faults]
    never = [name for name in WANTED if not covered[name]] if count >= ENOUGH else []
    if never:
        print(f"never tried: {', '.join(never)}")
    print(f"{len(wrong)} seeds differ" if wrong else "no byte differed")
    return int(bool(wrong or never))


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.noninterference", description=__doc__)
    parser.add_argument("--pairs", type=int, default=200, help="how many pairs of games")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the seeds")
    parser.add_argument("--minutes", type=float, default=24 * 60.0, help="end after this time, with what was compared")
    parser.add_argument("--seed", type=int, help="compare the pairs of one seed")
    asked = parser.parse_args(words)
    with seeds.databases("tock-pairs-"):
        set_up()
        if asked.seed is None:
            return many(asked.pairs, asked.first, asked.jobs, asked.minutes)
        (outcome,) = compare([asked.seed])
        for fault in outcome.faults:
            print(fault)
        return summary([outcome], 0.0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
