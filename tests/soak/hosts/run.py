"""A run on several hosts: as a run of faults, and during a cut the tables must go on over the hosts that are left."""

import asyncio
import re
import time
from collections.abc import Sequence
from typing import Any

from tests.soak.faults.opening import Opened
from tests.soak.faults.run import Run
from tests.soak.faults.witness import Witness

from .house import AHEAD_S, Hosts
from .kinds import KINDS, meet

# A page gives its socket up after eleven seconds of silence, connects through the proxy, and sends its command again after two.
STALLED_S = 17.0
OUTAGES = "SELECT COUNT(*) FROM games_outage"
CREDITS = "SELECT COUNT(*) FROM games_gameevent WHERE code = 'credit' AND body->>'why' = 'outage'"
# A host that is cut off logs what it could not reach; the others log the statements that waited too long for its locks.
OF_A_CUT = re.compile(r"OperationalError|QueryCanceled|ConnectionError|TimeoutError|InterfaceError")


class HostRun(Run):
    """A run of one seed. `held`: how long rows of a host that was cut off were locked, in seconds."""

    house: Hosts
    skew_s = max(AHEAD_S.values()) + 0.3

    def __init__(self, house: Hosts, seed: int, tables: Sequence[Opened], witness: Witness, kind: str = "") -> None:
        super().__init__(house, seed, tables, witness, kind or list(KINDS)[seed % len(KINDS)])
        self.held: list[float] = []
        self.stalls: list[float] = []
        self.outage = False  # whether nobody served for a while
        self.known = self._counted()

    def _counted(self) -> tuple[int, int]:
        return self.witness.ask(OUTAGES)[0][0], self.witness.ask(CREDITS)[0][0]

    def _possible(self) -> list[str]:
        return list(KINDS)

    async def _meet(self, kind: str) -> None:
        watching = asyncio.ensure_future(self._watch())
        try:
            await meet(self, kind)
        finally:
            watching.cancel()

    async def _watch(self) -> None:
        """Note the longest time for which a table that is not over got no row."""
        seen: dict[int, tuple[int, float]] = {}
        longest: dict[int, float] = {}
        try:
            while True:
                await asyncio.sleep(0.25)
                now = time.monotonic()
                for pk, rows in await self.aio.run_in_executor(None, self._rows):
                    if seen.get(pk, (-1, now))[0] != rows:
                        seen[pk] = (rows, now)
                    longest[pk] = max(longest.get(pk, 0.0), now - seen[pk][1])
        finally:
            self.stalls += longest.values()
            for pk, seconds in longest.items():
                if seconds > STALLED_S and not self.outage:
                    self.wrong(f"nothing happened at table {pk} for {seconds:.1f} s of the cut")

    def _rows(self) -> list[Any]:
        running = "SELECT table_id, last_seq FROM games_game WHERE state = 'playing' AND table_id = ANY(%s)"
        return self.house.asked(running, [table.pk for table in self.tables])

    def judge(self) -> None:
        """Compare as ever; and clocks are credited exactly if nobody served."""
        outages, credits = (now - before for now, before in zip(self._counted(), self.known, strict=True))
        if self.outage and not outages:
            self.wrong("nobody served for a while, and no outage is stored")
        if not self.outage and (outages or credits):
            self.wrong(f"{outages} outages and {credits} credits are stored, though a web process always served")
        super().judge()

    def expected(self, line: str) -> bool:
        """Return whether a traceback is what a cut must cause."""
        return super().expected(line) or bool(OF_A_CUT.search(line))
