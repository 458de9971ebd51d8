"""Two web hosts and two workers: `python -m tests.soak.hosts [--runs 20] [--seed 1] [--minutes M] [--kind KIND]`.

Each host is a network namespace: one with PostgreSQL and Redis, two with a web process each and clocks a second apart, two with a
worker each and a beat in one of them, and the front with a proxy and the people. In each run people play at three tables,
everybody over any of the web hosts, while hosts are cut off as the run's seed says; then the checker of the simulation compares
what everybody was told with the rows. At the end everything is recomputed (`verify_all`).

Needs root on Linux. The command runs in a process namespace of its own, so that nothing is left of it however it ends.
"""

import argparse
import asyncio
import os
import shutil
import sys
import time
from collections import Counter
from typing import Any

INSIDE = "TOCK_SOAK_HOSTS"
OWN = ("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")


def one(running: Any, seed: int, kind: str) -> Any:
    """Run one seed; return the run."""
    from django.db import connections

    from tests.soak.faults.opening import guest_table, match_table
    from tests.soak.faults.witness import Witness

    from .run import HostRun

    connections.close_all()
    witness = Witness(str(running.database.folder), running.name)
    tables = [match_table(running, ends=True), match_table(running, ends=False), guest_table(running, witness)]
    run = HostRun(running, seed, tables, witness, kind)
    try:
        asyncio.run(run.play())
    finally:
        witness.close()
    return run


def several(asked: argparse.Namespace) -> bool:
    """Run the seeds and print a line for each; return whether all is well."""
    from tests.soak import hold
    from tests.soak.faults.__main__ import recomputed

    from .house import hosts, sweep

    begun, failed, counts, kinds = time.monotonic(), [], Counter[str](), Counter[str]()
    held, stalls = [0.0], [0.0]
    sweep()
    with hosts() as running:
        print(f"the hosts run after {time.monotonic() - begun:.0f} s", flush=True)
        ready = time.monotonic()
        for seed in range(asked.seed, asked.seed + asked.runs):
            if time.monotonic() - ready > asked.minutes * 60:
                break
            since = time.monotonic()
            run = one(running, seed, asked.kind)
            counts += run.counts
            kinds.update(run.kinds)
            held, stalls = held + run.held, stalls + run.stalls
            words = ", ".join(f"{name} {count}" for name, count in sorted(run.counts.items()))
            told = f"longest stall {max(run.stalls, default=0):.1f} s" + "".join(
                f", locked {s:.1f} s" for s in run.held
            )
            print(f"seed {seed}: {run.kinds[0]}, {words}, {told}, {time.monotonic() - since:.1f} s", flush=True)
            if run.faults:
                failed.append(seed)
                for line in run.faults[:10]:
                    print(f"  WRONG {line}")
                print(f"  again: python -m tests.soak.hosts --runs 1 --seed {seed} --kind {run.kinds[0]}", flush=True)
                if asked.log:
                    print("\n".join(run.notes), flush=True)
        running.asked(hold.REMOVE)
        different = recomputed()
    for line in different:
        print(f"WRONG {line}")
    done = sum(kinds.values())
    print("cuts: " + ", ".join(f"{name} {count}" for name, count in sorted(kinds.items())))
    print("commands: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    print(f"longest stall of a table {max(stalls):.1f} s, longest lock of a host that was cut off {max(held):.1f} s")
    print(f"{done} runs, {len(failed)} failed{f': {failed}' if failed else ''}, {time.monotonic() - begun:.0f} s")
    return bool(done) and not failed and not different


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.hosts", description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--minutes", type=float, default=24 * 60.0, help="end after this time")
    parser.add_argument("--kind", default="", help="only this kind of cut")
    parser.add_argument("--log", action="store_true", help="print the history of a run that fails")
    asked = parser.parse_args()
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("ip"):
        print("not here: needs Linux, root, and the programs ip (iproute2) and unshare (util-linux)")
        return 2
    if INSIDE not in os.environ:
        command = [*OWN, sys.executable, "-m", "tests.soak.hosts", *sys.argv[1:]]
        os.execvpe(OWN[0], command, os.environ | {INSIDE: "yes"})
    return 0 if several(asked) else 1


if __name__ == "__main__":
    sys.exit(main())
