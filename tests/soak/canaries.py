"""Whole games in which each card has a random name: `python -m tests.soak.canaries --games 1000 [--jobs 2]`.

Everything that the site sends or writes is searched for names that nobody may know at that time, or may write at all;
docs/decisions/0027 says where it looks. `--seed 7` plays one game again; `--leaks` plants leaks, each of which must be
found. Fails at the first kind of hit, and prints the command for each game that has one.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.soak import seeds

SEED_OF_NAMES = 20261125


def set_up() -> None:
    """Name the cards, and set Django up with a database of this process."""
    from tests.secrecy import names

    names.use(SEED_OF_NAMES)
    import django

    django.setup()
    from tests.secrecy import stage

    stage.set_up_database()


def play(some: Sequence[int]) -> list[Any]:
    """Return the outcomes of the games of these seeds."""
    from tests.secrecy import canaries, stage

    with (
        tempfile.TemporaryDirectory(prefix="canary-") as folder,
        stage.ready(TOCK_DRAW_MS=600, TOCK_SLOW_COMMAND_MS=0) as on_stage,
        canaries.watched(Path(folder)) as sinks,
    ):
        return [canaries.play(on_stage, sinks, seed) for seed in some]


def many(wanted: int, first: int, jobs: int, minutes: float) -> int:
    """Play so many games, or as many as the minutes allow; return 0 if no name was where it must not be."""
    begin, found = time.monotonic(), list[Any]()
    wanted_seeds = range(first, first + wanted)
    for share in seeds.outcomes(play, wanted_seeds, set_up=set_up, jobs=jobs, minutes=minutes):
        found += share
        for outcome in share:
            for fault in outcome.faults[:1]:
                print(f"seed {outcome.seed}: {fault}\n  again: python -m tests.soak.canaries --seed {outcome.seed}")
        if len(found) % (20 * seeds.SHARE) == 0:
            print(f"{len(found)} games after {time.monotonic() - begin:.0f} s", flush=True)
    return summary(found, time.monotonic() - begin)


def summary(found: Sequence[Any], seconds: float) -> int:
    """Print what was searched; return 0 if no name was where it must not be."""
    places = sum((outcome.places for outcome in found), Counter())
    tables = sum(size for place, size in places.items() if place.startswith("table "))
    rest = ", ".join(
        f"{place} {size / 1e6:.1f} MB" for place, size in sorted(places.items()) if not place.startswith("table ")
    )
    print(
        f"{len(found)} games, {sum(outcome.rows for outcome in found)} rows, "
        f"{sum(outcome.texts for outcome in found)} frames, answers and pages of "
        f"{sum(outcome.size for outcome in found) / 1e6:.0f} MB, with {sum(outcome.names for outcome in found)} lawful names, "
        f"{seconds:.0f} s"
    )
    print(f"also searched: {rest}, other tables {tables / 1e6:.1f} MB")
    wrong = sum(bool(outcome.faults) for outcome in found)
    print(f"{wrong} games have a card where it must not be" if wrong else "no card was where it must not be")
    return int(bool(wrong))


def leaks() -> int:
    """Plant each leak in a short game; return 0 if the same game without one is clean and all were found."""
    from tests.secrecy import canaries, planted, stage

    missed = 0
    with (
        tempfile.TemporaryDirectory(prefix="canary-") as folder,
        stage.ready(TOCK_DRAW_MS=600, TOCK_SLOW_COMMAND_MS=0) as on_stage,
        canaries.watched(Path(folder)) as sinks,
    ):
        for name, kind, rows, places, leak in planted.ALL:
            with leak():
                outcome = canaries.play(on_stage, sinks, 1, kind=kind, rows=rows)
            planted.clean(Path(folder))
            lost = [place for place in places if not any(fault.startswith(place) for fault in outcome.faults)]
            fine = not lost and bool(outcome.faults) == bool(places)
            missed += not fine
            said = "as it must be" if fine else f"WRONG, not found in {lost}: {outcome.faults[:2]}"
            print(f"{name}: {said}, {len(outcome.faults)} hits", flush=True)
    return int(bool(missed))


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.canaries", description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="how many games")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the games")
    parser.add_argument("--minutes", type=float, default=24 * 60.0, help="end after this time, with what was played")
    parser.add_argument("--seed", type=int, help="play the game of one seed")
    parser.add_argument("--leaks", action="store_true", help="plant leaks, and look whether they are found")
    asked = parser.parse_args(words)
    with seeds.databases("tock-canaries-"):
        set_up()
        if asked.leaks:
            return leaks()
        if asked.seed is None:
            return many(asked.games, asked.first, asked.jobs, asked.minutes)
        (outcome,) = play([asked.seed])
        for fault in outcome.faults:
            print(fault)
        return summary([outcome], 0.0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
