"""Server time and queries of every page: `python benchmarks/pages.py [--database ..] [--times 10] [--repeats 3]`.

Loads the demo into its own database, requests every page of the site as visitor, player, organiser and referee, grows
the demo to `--times` its size (see benchmarks/page_load/grow.py) and requests the same addresses again. Prints queries,
CPU and wall time of both sizes, the minimum of several requests; roles with the same answer share a row. A page whose
queries grow with the rows is marked, and the command then exits with an error.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")

from benchmarks.table_load.places import place

HEAD = ["page", "as", "queries", "at ten times", "CPU ms", "at ten times", "wall ms", "at ten times", ""]


def rows(told: list[dict[str, Any]]) -> Iterator[tuple[list[str], bool]]:
    """Yield the cells of each page that was shown, and whether its queries grow."""
    shown = [row for row in told if row["small"]["status"] == row["large"]["status"] == 200]
    for _, of_page in groupby(shown, key=lambda row: (row["name"], row["path"])):
        by_count: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for row in of_page:
            by_count.setdefault((row["small"]["queries"], row["large"]["queries"]), []).append(row)
        for (few, many), alike in by_count.items():
            row = alike[0]
            times = [f"{row[size][what]:.1f}" for what in ("cpu", "wall") for size in ("small", "large")]
            grows = many > few
            roles = "all" if len(alike) == 4 else ", ".join(each["role"] for each in alike)
            yield [row["name"], roles, str(few), str(many), *times, "GROWS" if grows else ""], grows


def main() -> bool:
    """Measure, print, and return whether no page's queries grow."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--times", type=int, default=10, help="how many times the demo the second size is")
    parser.add_argument("--repeats", type=int, default=3, help="requests of each page, the first one cold")
    given = parser.parse_args()
    print(
        f"`python benchmarks/pages.py {' '.join(sys.argv[1:])}`, {time.strftime('%Y-%m-%d %H:%M')}, {given.database}, ",
        end="",
    )
    print(f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n", flush=True)
    with place(given.database) as made:
        told = json.loads(made.run("benchmarks.page_load", str(given.times), str(given.repeats)).splitlines()[-1])
    print(f"| {' | '.join(HEAD)} |\n{'| --- ' * len(HEAD)}|")
    fine = True
    for cells, grows in rows(told):
        print(f"| {' | '.join(cells)} |")
        fine &= not grows
    failed = {(row["name"], row["role"], row[size]["status"]) for row in told for size in ("small", "large")
              if row[size]["status"] >= 500}  # fmt: skip
    for name, role, status in sorted(failed):
        print(f"\n{name} as {role}: {status}")
    changed = [row for row in told if row["small"]["status"] != row["large"]["status"]]
    for row in changed:
        print(f"\n{row['name']} as {row['role']}: {row['small']['status']}, then {row['large']['status']}")
    return fine and not failed


if __name__ == "__main__":
    sys.exit(not main())
