"""Python's search for reference cycles, made seldom while many objects are made that have none."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# New objects before a search, and searches before one of older objects: the arguments of gc.set_threshold.
SELDOM = (200_000, 20, 50)

_lock = threading.Lock()
_inside = 0  # blocks that run now, in all threads
_before = (0, 0, 0)


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Run the block with few searches for cycles in this process: they take a third of the time of a recomputation.

    For work that keeps many plain objects. Blocks may overlap in several threads; the last one restores the thresholds.
    """
    global _inside, _before
    with _lock:
        _inside += 1
        if _inside == 1:
            _before = gc.get_threshold()
            gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                gc.set_threshold(*_before)
