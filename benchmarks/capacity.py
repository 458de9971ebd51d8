"""What one of each thing costs, and what 10,000 tables would need: `python benchmarks/capacity.py [--quick]`.

On PostgreSQL and Redis with production settings: CPU of the web process, of PostgreSQL and of Redis, statements, commits, WAL
and bytes of a play, a heartbeat, a bot's move, a page, a task; memory of a socket; bytes of a stored row. CPU is read from
/proc (Linux) and does not depend on what else the machine does, except for its caches; the CPU of a bare echo of the same
frames is measured in the same run and the ratio to it is given. docs/capacity.md reads these figures.

The last part is arithmetic from the figures above it and from the assumptions in ASSUMED, which it prints.
"""

import argparse
import asyncio
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.test")

from benchmarks.table_load import commits, statements
from benchmarks.table_load.costs import Costs
from benchmarks.table_load.places import Place, place
from benchmarks.table_load.scaling import ASSUMED, arithmetic
from tests.servers.programs import NotHere
from tock_league.embedded.server import config


def say(line: str) -> None:
    """Print the progress to standard error; the report goes to standard output."""
    print(f"  {time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)


def measure(made: Place, seconds: float) -> tuple[Costs, dict[str, Any], dict[str, Any]]:
    """Return the costs, the statements of a play, and the rest: tasks and commits."""
    made.environment["MFA_REQUIRED_ROLES"] = ""  # the demo's staff have no second factor
    made.run("django", "migrate", "--verbosity", "0")
    skipped = (word for name in ("admin", "*sidecar*", "rest_framework") for word in ("--ignore", name))
    made.run("django", "collectstatic", "--noinput", "--verbosity", "0", *skipped)
    made.run("django", "load_demo")
    pages = json.loads(made.run("benchmarks.table_load", "pages"))
    furnished = json.loads(made.run("benchmarks.table_load", "furnish", "71", "0", "600"))
    say("demo and 71 tables are there")
    rest = {"tasks": json.loads(made.run("benchmarks.table_load", "tasks", "20"))}
    rest["commits"] = {count: commits.rate(made, count) for count in (1, 8)}
    costs = Costs(made, furnished, seconds)
    with asyncio.Runner(loop_factory=config().get_loop_factory()) as runner:
        counted = runner.run(statements.count(made, furnished["tables"].pop(), costs.door, 40))
        statements.silence(made)
        say("tasks, commits and statements counted")
        runner.run(costs.everything(pages))
    costs.stored()
    return costs, counted, rest


def report(costs: Costs, counted: dict[str, Any], rest: dict[str, Any]) -> None:
    """Print the measured figures."""
    bare = costs.facts["CPU ms of a bare play, 50/s"]
    print("\n| what | count | CPU of web, ms | times a bare play | CPU of PostgreSQL, ms | CPU of Redis, ms | commits | "
          "WAL, bytes | its page images | Redis commands |")  # fmt: skip
    print("| --- " * 10 + "|")
    for cost in costs.found:
        print(f"| {cost.what} | {cost.count} | {cost.each('web'):.2f} | {cost.each('web') / bare:.2f} | "
              f"{cost.each('postgresql'):.2f} | {cost.each('redis'):.3f} | {cost.each('commits'):.2f} | "
              f"{cost.each('wal'):,.0f} | {cost.each('images'):.2f} | {cost.each('commands'):.2f} |")  # fmt: skip
        for name, value in cost.more.items():
            costs.facts[f"{cost.what}: {name}"] = value
    print(f"\nstatements of a play: {counted['statements']:.1f}, and {counted['control']:.1f} of transaction control\n")
    print(
        "| page, as visitor | CPU of web, ms | times a bare play | CPU of PostgreSQL, ms | bytes |\n"
        + "| --- " * 5
        + "|"
    )
    for page in costs.pages:
        print(f"| {page.what} | {page.each('web'):.1f} | {page.each('web') / bare:.0f} | {page.each('postgresql'):.1f} | "
              f"{page.more['bytes']:,.0f} |")  # fmt: skip
    print("\n| task | CPU of the worker, ms | queries |\n| --- | --- | --- |")
    for name, spent in rest["tasks"].items():
        print(f"| {name} | {spent['ms']:.1f} | {spent['queries']:.1f} |")
    print("\n| connections | commits/s (of this disk, now) | CPU of PostgreSQL for one, ms |\n| --- | --- | --- |")
    for count, told in rest["commits"].items():
        print(f"| {count} | {told['rate']:,.0f} | {told['ms']:.2f} |")
    print("\n| fact | |\n| --- | --- |")
    for name, value in costs.facts.items():
        print(f"| {name} | {value:,.2f} |")


def main() -> bool:
    """Measure and print; return whether everything could be measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="short loads")
    given = parser.parse_args()
    print(f"`python benchmarks/capacity.py {' '.join(sys.argv[1:])}`, {time.strftime('%Y-%m-%d %H:%M')}, ", end="")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    try:
        with place("postgresql") as made:
            found = measure(made, 6.0 if given.quick else 20.0)
    except NotHere as missing:
        print(f"\nnot measured: {missing}")
        return False
    report(*found)
    costs = found[0]
    print("\n### Arithmetic\n\n| assumed | |\n| --- | --- |")
    for name, value in ASSUMED.items():
        print(f"| {name} | {value:g} |")
    print("\n| computed | 100 tables | 1,000 tables | 10,000 tables |\n| --- | --- | --- | --- |")
    columns = [arithmetic(costs, tables) for tables in (100, 1_000, 10_000)]
    for name in columns[0]:
        print(f"| {name} | {' | '.join(f'{column[name]:,.1f}' for column in columns)} |")
    return True


if __name__ == "__main__":
    sys.exit(not main())
