"""Speed of the leaderboards: `python benchmarks/boards.py [--database postgresql] [--ratings N] [--small]`.

Fills an empty database of its own (1,000,000 ratings of 20 ladders and 2,000 clubs on PostgreSQL, 100,000 on SQLite),
recomputes a ladder of 100,000 games, and requests every kind of board as a visitor. Prints statements, the 95th
percentile of the time in the database, of CPU and of the whole request, and the size. `--small` does the same with a
thousand ratings: the statements must be as many.
"""

import argparse
import json
import os
import platform
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")

from benchmarks.table_load.places import place

SIZES = {"postgresql": 1_000_000, "sqlite": 100_000}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=list(SIZES), default="postgresql")
    parser.add_argument("--ratings", type=int)
    parser.add_argument("--games", type=int, default=100_000, help="in the log of the first ladder")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--small", action="store_true")
    given = parser.parse_args()
    ratings = given.ratings or (1_000 if given.small else SIZES[given.database])
    games = 500 if given.small else given.games
    print(f"`python benchmarks/boards.py {' '.join(sys.argv[1:])}`, {time.strftime('%Y-%m-%d %H:%M')}, ", end="")
    print(f"{given.database}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n", flush=True)
    clubs = max(2, ratings // 500)
    with place(given.database) as made:
        words = [str(number) for number in (ratings, clubs, 20, games, given.repeats)]
        told = json.loads(made.run("benchmarks.board_load", *words).splitlines()[-1])
    rebuilt = told["rebuild"]
    print(
        f"{told['ratings']:,} ratings, {told['changes']:,} changes. Recomputation of {rebuilt['games']:,} games: ",
        end="",
    )
    print(f"{rebuilt['wall']:.1f} s, {rebuilt['cpu']:.1f} s of it CPU of the worker, {rebuilt['MB']:.0f} MB.\n")
    print("| page | statements | database ms | CPU ms | whole ms | kB |\n| --- | --- | --- | --- | --- | --- |")
    for row in told["pages"]:
        figures = " | ".join(f"{row[name]:.1f}" for name in ("database", "cpu", "wall", "kB"))
        print(f"| {row['page']} | {row['statements']} | {figures} |")


if __name__ == "__main__":
    main()
