"""The channel layer between the processes of a game: messages may be late, duplicated, reordered or lost."""

import asyncio
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .game import Simulation
    from .process import Process

LOSS, TWICE, DOWN = 0.2, 0.1, 0.01


class Layer:
    """One process's end of the layer, with the part of Channels' interface that the product uses."""

    def __init__(self, process: "Process", roll: random.Random) -> None:
        self.process, self.roll = process, roll
        self._waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    @property
    def _simulation(self) -> "Simulation":
        return self.process.simulation

    async def new_channel(self, prefix: str) -> str:
        return f"{prefix}.{self.process.name}"

    async def group_add(self, group: str, channel: str) -> None:
        """Do nothing: every process is in the only group."""

    async def receive(self, channel: str) -> dict[str, Any]:
        """Wait for the next message; sometimes the connection to the layer breaks."""
        message = await self._waiting.get()
        if self._simulation.network.trouble and self.roll.random() < DOWN:
            raise ConnectionError("the layer is away")
        return message

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send to every process, including this one."""
        if self._simulation.network.trouble and self.roll.random() < DOWN:
            raise ConnectionError("the layer is away")
        for process in self._simulation.processes:
            if self._simulation.network.trouble and self.roll.random() < LOSS:
                continue
            for _ in range(2 if self.roll.random() < TWICE else 1):
                self._simulation.network.later(self.roll.expovariate(20.0), self._arrive, process, dict(message))

    @staticmethod
    def _arrive(process: "Process", message: dict[str, Any]) -> None:
        if not process.dead and process.layer is not None:
            process.layer._waiting.put_nowait(message)
