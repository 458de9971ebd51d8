"""Real faults: `python -m tests.soak.faults [--runs 200] [--seed 1] [--minutes M] [--kind KIND]`.

Two web processes, a worker and a beat with production settings on a PostgreSQL and a Redis of their own; in each run
people play at three tables while the fault of the run's seed happens, and then the checker of the simulation compares what
everybody was told with the rows. At the end everything is recomputed (`verify_all`). Fails when one run finds something
wrong, and prints the command that runs its seed again.
"""

import argparse
import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

DISK_MB = 192


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """Give a small disk in memory, or None where this account may not mount one."""
    folder.mkdir()
    asked = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=0777", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(asked, capture_output=True).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


@contextlib.contextmanager
def house(workers: Sequence[str] = ("worker",), *, front: bool = False) -> Iterator[Any]:
    """Give the running processes, and set up Django in this process with their settings. Raises NotHere.

    `front`: with a proxy before the web processes, through which people come.
    """
    import psycopg

    from tests.servers import postgres, redis
    from tests.soak.faults.stepped import STEP_FILE, set_step

    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tock-faults-", dir="/tmp")))
        folder.chmod(0o755)
        database = stack.enter_context(postgres.cluster(synchronous_commit="on"))
        disk = stack.enter_context(small_disk(database.folder / "disk"))
        with psycopg.connect(host=str(database.folder), user="tock", dbname="postgres", autocommit=True) as admin:
            if disk is not None:
                place = disk / "tables"
                place.mkdir()
                if os.geteuid() == 0:
                    owner = (database.folder / "data").stat()
                    os.chown(place, owner.st_uid, owner.st_gid)
                admin.execute(f"CREATE TABLESPACE small LOCATION '{place}'".encode())
            admin.execute("CREATE DATABASE tock TABLESPACE small" if disk else "CREATE DATABASE tock")
        server = stack.enter_context(redis.own_server())
        url = f"{database.url.rsplit('/', 1)[0]}/tock"
        step = folder / "step"
        set_step(step, 0.0)
        from tests.plant.production import environment

        os.environ |= environment(url, server.url, folder) | {STEP_FILE: str(step)}
        import django

        django.setup()
        from tests.plant.production import commands, free_port, production

        from .house import House, swapped

        made = stack.enter_context(production(url, server.url, folder))
        made.environment[STEP_FILE] = str(step)
        webs = {"web": made.port, "web2": free_port()}
        words = commands()
        started = {"beat": ["tests.soak.faults.stepped", *words["beat"]]}
        for name in workers:
            started[name] = ["tests.soak.faults.stepped", *words["worker"], "--hostname", f"celery@{name}"]
        for name, port in webs.items():
            started[name] = ["tests.soak.faults.stepped", *swapped(words["web"][2:], "127.0.0.1", port)]
        ballast = disk / "ballast" if disk is not None else None
        running = House(made, database, server, webs, started, "tock", step, ballast)
        if front:
            running.front = ("127.0.0.1", free_port())
            listen, *upstreams = (f"127.0.0.1:{port}" for port in (running.front[1], *webs.values()))
            started["balancer"] = ["tests.soak.balancer", listen, *upstreams]
        for name in started:
            running.start(name)
        running.wait_until_up()
        yield running


def one(running: Any, seed: int, kind: str) -> Any:
    """Run one seed; return the run."""
    from django.db import connections

    from .opening import guest_table, match_table
    from .run import Run
    from .witness import Witness

    connections.close_all()  # the server may have been stopped since the last run
    witness = Witness(str(running.database.folder), running.name)
    tables = [match_table(running, ends=True), match_table(running, ends=False), guest_table(running, witness)]
    run = Run(running, seed, tables, witness, kind)
    try:
        asyncio.run(run.play())
    finally:
        witness.close()
    return run


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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.faults", description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--minutes", type=float, default=24 * 60.0, help="end after this time")
    parser.add_argument("--kind", default="", help="only this kind of fault")
    parser.add_argument("--log", action="store_true", help="print the history of a run that fails")
    asked = parser.parse_args()
    begun, failed, counts, kinds = time.monotonic(), [], Counter[str](), Counter[str]()
    with house() as running:
        print(f"the processes run after {time.monotonic() - begun:.0f} s", flush=True)
        done, ready = 0, time.monotonic()
        for seed in range(asked.seed, asked.seed + asked.runs):
            if time.monotonic() - ready > asked.minutes * 60:
                break
            since = time.monotonic()
            run = one(running, seed, asked.kind)
            done += 1
            counts += run.counts
            kinds.update(run.kinds)
            words = ", ".join(f"{name} {count}" for name, count in sorted(run.counts.items()))
            print(f"seed {seed}: {' + '.join(run.kinds)}, {words}, {time.monotonic() - since:.1f} s", flush=True)
            if run.faults:
                failed.append(seed)
                for line in run.faults[:10]:
                    print(f"  WRONG {line}")
                print(f"  again: python -m tests.soak.faults --runs 1 --seed {seed}", flush=True)
                if asked.log:
                    print("\n".join(run.notes), flush=True)
        different = recomputed()
    for line in different:
        print(f"WRONG {line}")
    print("faults: " + ", ".join(f"{name} {count}" for name, count in sorted(kinds.items())))
    print("commands: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    print(f"{done} runs, {len(failed)} failed{f': {failed}' if failed else ''}, {time.monotonic() - begun:.0f} s")
    return 1 if failed or different or not done else 0


if __name__ == "__main__":
    sys.exit(main())
