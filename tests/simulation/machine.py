"""The machine of a game: the loop, the server processes on it, and the history of what happens."""

import asyncio
import contextvars
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .database import Killed
from .layer import Layer
from .loop import OF, VirtualLoop
from .process import Process
from .scenario import Scenario
from .threads import VirtualThread

if TYPE_CHECKING:
    from .network import Network

DOWN_S = (0.2, 6.0)  # seconds until a killed process starts again


class Machine:
    """The loop and the processes.

    `notes`: the history, one line per event. `faults`: the violations found. `processes`: by place behind the load
    balancer.
    """

    network: "Network"

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.loop = VirtualLoop()
        self.loop.run_handle = self._run_handle
        self.loop.executor = self._in_thread
        self.loop.set_exception_handler(self._raised)
        self.outside = contextvars.copy_context()
        self.roll = self.stream("game")
        self.notes: list[str] = []
        self.faults: list[str] = []
        self.processes: list[Process] = []
        self.lives = 0
        self.kills = 0
        self._current: Process | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self._dead: list[Process] = []

    def stream(self, name: str) -> random.Random:
        """Return a random generator for one part, so that the draws of other parts do not change its own."""
        return random.Random(f"{self.scenario.seed}:{name}")

    # --- the history

    def note(self, line: str) -> None:
        """Add a line to the history."""
        self.notes.append(f"{self.loop.time():.6f} {line}")

    def wrong(self, line: str) -> None:
        """Report a violation."""
        self.note(f"WRONG {line}")
        self.faults.append(line)

    def _raised(self, loop: Any, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, Killed):
            self.wrong(f"{context.get('message')}: {error!r}")

    # --- running

    def keep(self, task: "asyncio.Task[Any]") -> "asyncio.Task[Any]":
        """Keep a reference to a task, so that tasks of a dead process are not collected before the end."""
        self._tasks.append(task)  # the loop itself has only weak references
        return task

    def _run_handle(self, handle: Any) -> None:
        process = handle._context.get(OF)
        if process is None:
            handle._run()
            return
        if process.dead:
            return
        self.enter(process)
        handle._run()
        process.step()

    def enter(self, process: Process) -> None:
        """Switch the module state to that of `process`."""
        if self._current is process:
            return
        if self._current is not None:
            self._current.memory.leave()
        process.memory.enter()
        self._current = process

    def _in_thread(self, work: Callable[[], Any]) -> "asyncio.Future[Any]":
        process = OF.get()
        assert process is not None, "only a process has threads"
        return process.thread(work)

    def _statement(self, after: bool) -> Callable[[str], None]:
        def hook(sql: str) -> None:
            process = OF.get()
            if process is not None:
                process.statement(sql, after=after)

        return hook

    @staticmethod
    def _rolled_back() -> None:
        if VirtualThread.current is not None:
            VirtualThread.current.release()

    # --- processes

    def start(self, place: int) -> None:
        """Start a process at its place behind the load balancer."""
        self.lives += 1
        name = f"p{place}.{self.lives}"
        self.note(f"{name} starts")
        if self._current is not None:
            self._current.memory.leave()
            self._current = None
        process = Process(self, name, self.stream(name))
        self.processes[place : place + 1] = [process]

    def kill(self, process: Process) -> None:
        """Kill a process at once; it starts again later."""
        if process.dead:
            return
        process.dead = True
        self.kills += 1
        process.lose_everything()
        self._dead.append(process)
        self.note(f"{process.name} is dead")
        for link in process.links:
            link.server_died()
        place = self.processes.index(process)
        self.network.later(self.roll.uniform(*DOWN_S), self.start, place)

    @staticmethod
    def _layer() -> Layer | None:
        process = OF.get()
        return process.layer if process is not None else None

    def some_process(self) -> Process:
        """Return the process chosen by the load balancer; it may be down."""
        return self.network.roll.choice(self.processes)

    def stop(self) -> None:
        """End all processes, and the interrupted threads of dead ones."""
        for process in self.processes:
            if not process.dead:
                process.dead = True
                process.lose_everything()
                self._dead.append(process)
        for process in self._dead:
            for thread in process.threads:
                thread.end()
        if self._current is not None:
            self._current.memory.leave()
