"""CPU time and queries of the API's lists: `python benchmarks/api.py [--database ..] [--times 10] [--repeats 60]`.

Loads the demo into its own database, grows it to `--times` its size (see benchmarks/page_load/grow.py) and requests each
list of `/api/v1/` in-process, as a visitor and as the organiser. Prints the rows of the answer with `limit=10` and with
`limit=100`, the queries of both, and the CPU time of the request's thread with `limit=100`: the median and the 95th
percentile. Exits with an error if more rows need more queries, or if an answer is a failure of the server.
The goal for a list of 100 matches is 60 ms at the 95th percentile.
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

HEAD = ["list", "as", "rows", "queries", "rows", "queries", "CPU ms, median", "CPU ms, 95th", ""]


def main() -> bool:
    """Measure, print, and return whether no list's queries grow and none failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--times", type=int, default=10, help="how many times the demo the measured size is")
    parser.add_argument("--repeats", type=int, default=60, help="requests of each list with limit=100")
    given = parser.parse_args()
    print(f"`python benchmarks/api.py {' '.join(sys.argv[1:])}`, {time.strftime('%Y-%m-%d %H:%M')}, ", end="")
    load = f"load {os.getloadavg()[0]:.1f}"
    print(f"{given.database}, Python {platform.python_version()}, {load}\n", flush=True)
    with place(given.database) as made:
        told = json.loads(made.run("benchmarks.page_load.lists", str(given.times), str(given.repeats)).splitlines()[-1])
    print(f"| {' | '.join(HEAD)} |\n{'| --- ' * len(HEAD)}|")
    fine = True
    for row in told:
        note = "" if row["status"] < 500 else str(row["status"])
        note = "GROWS" if row["many_queries"] > row["few_queries"] else note
        counts = [str(row[name]) for name in ("few", "few_queries", "many", "many_queries")]
        cells = [row["path"], row["role"], *counts, f"{row['median']:.1f}", f"{row['p95']:.1f}", note]
        print(f"| {' | '.join(cells)} |")
        fine &= not note
    return fine


if __name__ == "__main__":
    sys.exit(not main())
