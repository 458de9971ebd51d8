"""The seeds of a soak, shared by processes that each have a database of their own."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

SHARED_MEMORY = Path("/dev/shm")
SHARE = 2  # seeds that a process works on before it reports

Work = Callable[[Sequence[int]], list[Any]]


@contextmanager
def databases(prefix: str) -> Iterator[None]:
    """Keep the databases of this process and of its children in a temporary folder, in memory where that can be."""
    where = SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix=prefix, dir=where) as folder:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "tests.simulation.settings", "TOCK_SIMULATION": folder}
        os.environ.pop("TOCK_TEST_DATABASE_URL", None)
        yield


def outcomes(
    work: Work, seeds: Sequence[int], *, set_up: Callable[[], None], jobs: int, minutes: float
) -> Iterator[list[Any]]:
    """Yield what `work` returns for each SHARE of the seeds, in their order, until the minutes are over.

    `set_up` runs once in each process. What has not begun when the caller stops is not done.
    """
    begin = time.monotonic()
    shares = [seeds[place : place + SHARE] for place in range(0, len(seeds), SHARE)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=set_up) as pool:
        waiting = [pool.submit(work, share) for share in shares]
        try:
            for share in waiting:
                yield share.result()
                if time.monotonic() - begin > 60 * minutes:
                    return
        finally:
            for rest in waiting:
                rest.cancel()
