"""The command: a run on a database of its own, guided by coverage, and the figures that it prints."""

import argparse
import asyncio
import secrets
import shutil
import time
from pathlib import Path

import coverage
from django.db import connection, connections

from games.live import threads
from tests import migrated

from .driver import Wrong
from .run import GROWTH, GUIDE, ROOT, Report, fuzz
from .world import World


def main(words: list[str]) -> int:
    """Run; return 0 if nothing was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.live.fuzz")
    parser.add_argument("frames", type=int, nargs="?", default=10_000)
    parser.add_argument("seed", nargs="?", default="")
    parser.add_argument("--unguided", action="store_true", help="without coverage: quicker, and new code leads nowhere")
    asked = parser.parse_args(words)
    seed = asked.seed or secrets.token_hex(4)
    print(f"seed {seed}", flush=True)
    name = str(connection.settings_dict["NAME"])
    shutil.copyfile(migrated._file(), name)
    try:
        return run(seed, asked.frames, guided=not asked.unguided)
    finally:
        threads.close()
        connections.close_all()
        for end in ("", "-wal", "-shm"):
            Path(name + end).unlink(missing_ok=True)


def run(seed: str, frames: int, *, guided: bool) -> int:
    watch = coverage.Coverage(data_file=None, config_file=False, include=[str(ROOT / part) for part in GUIDE])

    def lines() -> set[tuple[str, int]]:
        data = watch.get_data()
        return {(file, line) for file in data.measured_files() for line in data.lines(file) or ()}

    begin = time.monotonic()
    if guided:
        watch.start()
    try:
        report = asyncio.run(fuzz(World.build(), seed, frames, lines=lines if guided else None))
    except Wrong as wrong:
        print(wrong)
        return 1
    finally:
        if guided:
            watch.stop()
    tell(report, time.monotonic() - begin)
    return int(report.grown > GROWTH)


def tell(report: Report, seconds: float) -> None:
    driver, corpus = report.driver, report.corpus
    print(
        f"{driver.sent} frames in {driver.visits} visits, {seconds:.0f} s; SHA-256 of what was sent {driver.digest.hexdigest()}"
    )
    for answer, count in sorted(driver.answers.items()):
        print(f"  {answer}: {count}")
    print(f"{len(corpus.lines)} lines reached, {len(corpus)} visits kept for them")
    print(
        f"beside them {driver.beside.plays} plays acknowledged, every view the fold; at most {driver.beside.waited} frames"
        " were sent while one waited"
    )
    marks = ", ".join(f"{size / 2**20:.0f}" for size in report.memory)
    print(f"memory (MiB): {marks}; the second half grew by {report.grown / 2**20:.1f}")
