"""Hostile frames and requests: `python -m tests.soak.fuzz [COUNT=10000] [--seed S] [--production]`.

Starts a site (`serve` on SQLite; `--production`: web, worker and beat on a PostgreSQL and a Redis of their own), sends
what the grammars make of the seed to every address and to the tables' sockets, in the name of eighteen people, and judges every
answer, the log, the memory and a game at another table. At the end everything is recomputed (`verify_all`). A seed makes the
same choices again; the names of things are drawn anew.
"""

import argparse
import secrets
import statistics
import sys
import time


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.fuzz", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=10_000)
    parser.add_argument("--seed", default="")
    parser.add_argument("--production", action="store_true", help="on PostgreSQL and Redis, with production settings")
    asked = parser.parse_args()
    seed = asked.seed or secrets.token_hex(4)
    print(f"seed {seed}", flush=True)
    from . import places

    with (places.on_servers if asked.production else places.embedded)() as (house, cast):
        from .run import Run

        run = Run(house, cast, seed, asked.count)
        begun = time.monotonic()
        beside = run.play()
        seconds = time.monotonic() - begun
        house.stop()
        different = recomputed()
    tell(run, beside, seconds)
    wrong = [*run.judge.wrong, *different]
    for line in wrong:
        print(f"WRONG {line[:4000]}")
    print(
        f"{len(wrong)} faults; again: python -m tests.soak.fuzz {asked.count} --seed {seed}"
        + " --production" * asked.production
    )
    return 1 if wrong else 0


def recomputed() -> list[str]:
    """Return what `verify_all` finds wrong."""
    from django.db import connections

    from tock_league.upkeep.verification import verify

    connections.close_all()
    found = []
    for outcome in verify():
        print(outcome.line, flush=True)
        found += [f"{outcome.name}: {each}" for each in outcome.first]
    return found


def tell(run: "Run", beside: "Beside", seconds: float) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Print the figures of a run."""
    from .addresses import routes

    visits = run.visits
    print(f"{run.sent} sent in {seconds:.0f} s: {run.sent_frames} frames, {run.sent - run.sent_frames} requests")
    print("statuses: " + ", ".join(f"{status} {count}" for status, count in sorted(run.judge.statuses.items())))
    print("sockets: " + ", ".join(f"{what} {count}" for what, count in sorted(run.frames.answers.items())))
    print(f"{len(visits.visited)} of {len(routes())} routes, {visits.accepted} forms accepted, {visits.compared} refusals"
          f" compared, {visits.twins} double clicks, {run.judge.busy} busy")  # fmt: skip
    took = sorted(beside.seconds) or [0.0]
    print(f"beside: {len(took)} plays acknowledged, {beside.games} games ended, median {1000 * statistics.median(took):.0f} ms,"
          f" p95 {1000 * took[int(0.95 * (len(took) - 1))]:.0f} ms, slowest {1000 * took[-1]:.0f} ms")  # fmt: skip
    print(
        "memory (MiB): "
        + ", ".join(f"{size / 2**20:.0f}" for _, size in run.memory)
        + f"; grown by {run.grown / 2**20:.1f}"
    )
    for address, what in sorted(visits.unmarked.items()):
        print(f"shown again without a mark: {address} {what}")


if __name__ == "__main__":
    sys.exit(main())
