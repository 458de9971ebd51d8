"""Run visits until enough frames were sent; a fault names the seed and the frames of its visit."""

import asyncio
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from games.live import limits

from .corpus import Corpus
from .driver import Driver, Wrong
from .grammar import Chance
from .world import World

ROOT = Path(__file__).resolve().parents[3]
# The files whose new lines make a visit worth keeping: they read and judge frames.
# Not the hub: which of its lines run depends on timing, and a seed must repeat the same run.
GUIDE = (
    "games/live/messages.py",
    "games/live/commands.py",
    "games/live/http.py",
    "games/services/play.py",
    "games/engine/*/notation.py",
    "games/engine/*/conduct.py",
)
FEWEST = 1000  # frames of a run whose memory is meaningful
GROWTH = 24 * 2**20  # bytes by which the second half of a run may grow


@dataclass
class Report:
    driver: Driver
    corpus: Corpus
    memory: list[int]  # resident bytes after each twentieth of the run

    @property
    def grown(self) -> int:
        """Return the bytes by which the second half grew: the mean of its last quarter minus that of its first."""
        half = self.memory[len(self.memory) // 2 :]
        few = max(1, len(half) // 4)
        return (sum(half[-few:]) - sum(half[:few])) // few if half else 0


def resident() -> int:
    """Return the process's resident bytes; 0 if unknown."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _many() -> limits.Rate:
    return limits.Rate(10**6, 10.0)


@contextmanager
def many_commands() -> Iterator[None]:
    """Let seats send without a limit: the rate limits have tests of their own and would hide the code behind them."""
    with (
        mock.patch.object(limits, "commands", _many),
        mock.patch.object(limits, "frames", limits.frames),
    ):
        limits.seat_rates._rates.clear()
        yield
    limits.seat_rates._rates.clear()


async def fuzz(
    world: World, seed: str, frames: int, *, lines: Callable[[], set[tuple[str, int]]] | None = None
) -> Report:
    """Send `frames` frames. `lines`: returns the lines reached so far, for guidance. Raises Wrong."""
    driver, corpus, memory = Driver(world, seed), Corpus(seed), []
    with many_commands():
        await driver.begin()
        try:
            while driver.sent < frames:
                chance = Chance(f"{seed}:{driver.visits}", corpus.next())
                try:
                    await driver.visit(chance)
                except AssertionError as error:
                    told = "\n".join(driver.history)
                    raise Wrong(f"seed {seed}, visit {driver.visits}: {error}\nsent in this visit:\n{told}") from error
                if lines is not None:
                    corpus.learn(chance.drawn, lines())
                if frames >= FEWEST and driver.sent * 20 // frames > len(memory):
                    gc.collect()
                    memory.append(resident())
        finally:
            await driver.end()
        driver.check_nothing_is_left()
        gc.collect()
        await asyncio.sleep(0)
    if driver.errors.lines:
        raise Wrong(driver.errors.lines[0])
    return Report(driver, corpus, memory)
