"""One game of the simulation: from a seed to a history and a verdict."""

import asyncio
import contextlib
import contextvars
import gc
import hashlib
import json
import logging
import random
import uuid
import warnings
from collections.abc import Callable
from typing import Any

from django.contrib.sessions.models import Session

from games.models import Seating
from tock_league.common.transactions import writing

from . import checker, seams
from .client import Client
from .database import Hooks, Killed, Witness
from .layer import Layer
from .loop import OF, Stuck, VirtualLoop
from .network import Link, Network
from .people import World
from .process import SIMULATED, Fate, Process
from .record import Stored
from .scenario import Scenario
from .threads import OUTSIDE, VirtualThread

LIMIT_S = 150.0  # virtual seconds under faults, at most
HEAL_S = 45.0  # virtual seconds after the faults in which everybody must be live again
LOOK_S = 0.5
DOWN_S = (0.2, 6.0)  # how long a killed process is down


class Simulation:
    """The pieces of one game and what they tell each other. `notes`: the history, one line each; `faults`: what was wrong."""

    def __init__(self, world: World, scenario: Scenario) -> None:
        self.world, self.scenario = world, scenario
        self.loop = VirtualLoop()
        self.loop.run_handle = self._run_handle
        self.loop.executor = self._in_thread
        self.loop.set_exception_handler(self._raised)
        self.outside = contextvars.copy_context()
        self.roll = self.stream("game")
        self.network = Network(self, self.stream("network"), scenario.trouble)
        self.notes: list[str] = []
        self.faults: list[str] = []
        self.processes: list[Process] = []
        self.clients: list[Client] = []
        self.lost: dict[Client, float] = {}  # clients whose seat or session has gone, and when
        self.arrivals: dict[str, list[float]] = {}  # when each command reached a server, by id
        self.lives = 0
        self.kills = 0
        self.games: list[Stored] = []  # as they are stored in the end
        self.over = False  # no more commands are sent
        self._current: Process | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self._dead: list[Process] = []
        self._links = 0
        self._addresses = 0

    def stream(self, name: str) -> random.Random:
        """Return a stream of chance of its own, so that what one part draws does not move the others."""
        return random.Random(f"{self.scenario.seed}:{name}")

    # --- telling

    def note(self, line: str) -> None:
        """Add a line to the history."""
        self.notes.append(f"{self.loop.time():.6f} {line}")

    def wrong(self, line: str) -> None:
        """Note something that must not happen."""
        self.note(f"WRONG {line}")
        self.faults.append(line)

    def _raised(self, loop: Any, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, Killed):
            self.wrong(f"{context.get('message')}: {error!r}")

    # --- numbers

    def next_link(self) -> int:
        self._links += 1
        return self._links

    def next_address(self) -> int:
        self._addresses += 1
        return self._addresses

    @staticmethod
    def new_id(roll: random.Random) -> uuid.UUID:
        return uuid.UUID(int=roll.getrandbits(128), version=4)

    # --- running

    def keep(self, task: "asyncio.Task[Any]") -> "asyncio.Task[Any]":
        """Keep a task until the end, so that nothing of a dead process is cleaned up before."""
        self._tasks.append(task)  # the loop itself holds tasks weakly
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
        """Let the module state be that of `process`."""
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
        """End a process here and now; it starts again after a while."""
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
        """Return the process that the load balancer chooses; it may be down."""
        return self.network.roll.choice(self.processes)

    # --- what passes

    def arrived(self, process: Process, text: str) -> None:
        """A frame of a client reaches a process."""
        if text.startswith('{"t": "cmd"'):
            self.posted(json.loads(text)["id"])

    def posted(self, id: str) -> None:
        self.arrivals.setdefault(id, []).append(self.loop.time())

    def sent_down(self, link: Link, text: str) -> None:
        """A process sends a frame: what it tells must be committed by now."""
        if text.startswith(('{"t":"ack"', '{"t":"ev"', '{"t":"snap"')):
            checker.committed(self, link, json.loads(text))

    # --- the people

    def is_out(self, client: Client) -> bool:
        """Return whether the client has lost its seat or its session."""
        return client in self.lost

    def resigns(self, client: Client) -> bool:
        """Return whether the client gives up now: as soon as enough was played, until the game is over."""
        return self.scenario.ending == "resign" and self._played_enough()

    def _played_enough(self) -> bool:
        return checker.rows_stored(self) >= self.scenario.rows

    # --- one game

    def play(self) -> None:
        """Play the game to its end and judge it."""
        log = Errors(self)
        logging.getLogger().addHandler(log)
        try:
            with seams.patched(now=self.loop.time, roll=self.stream("chance"), layer=self._layer):
                self._prepare()
                Hooks.before, Hooks.after = self._statement(False), self._statement(True)
                Hooks.rolled_back = self._rolled_back
                try:
                    self._run()
                finally:
                    self._clean_up()
                    Hooks.before = Hooks.after = Hooks.rolled_back = None
                checker.judge(self)
                self.witness.close()
        finally:
            logging.getLogger().removeHandler(log)

    def _prepare(self) -> None:
        self.world.restore()
        self.table = self.world.open_table(self.scenario)
        self.table_slug = self.table.slug
        self.witness = Witness()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        for place in range(self.scenario.processes):
            self.start(place)
        self._seat_everybody()
        try:
            self.loop.run_until_complete(self.keep(self.loop.create_task(self._direct(), context=self.outside.copy())))
        except Stuck:
            self.wrong("nothing happens any more")
        finally:
            asyncio.set_event_loop(None)

    def _seat_everybody(self) -> None:
        scenario = self.scenario
        for seat in range(scenario.seats):
            user, key = self.world.users[seat], self.world.keys[seat]
            polls = seat < scenario.pollers
            self._client(f"seat{seat}", seat=seat, user=user, key=key, polls=polls)
        for number in range(scenario.spectators):
            self._client(f"spectator{number}", seat=None, user=None, key="", polls=False)

    def _client(self, name: str, **more: Any) -> Client:
        client = Client(self, name=name, seed=f"{self.scenario.seed}:{name}", **more)
        self.clients.append(client)
        return client

    async def _direct(self) -> None:
        """Let people play under faults, end the faults, and wait until everybody is live again."""
        kills = sorted(self.roll.randint(1, self.scenario.rows) for _ in range(self.scenario.kills))
        loss_at = self.roll.randrange(4, max(5, self.scenario.rows)) if self.scenario.loss else None
        while self.loop.time() < LIMIT_S and not self._finished():
            await asyncio.sleep(LOOK_S)
            if kills and checker.rows_stored(self) >= kills[0]:
                kills.pop(0)
                self._doom()
            if loss_at is not None and checker.rows_stored(self) >= loss_at:
                loss_at = None
                self._lose_a_seat()
        if not self._finished():
            self.wrong("the game does not come to its end")
        self.note("faults end")
        self.network.trouble = 0.0
        self.over = True
        for process in self.processes:
            process.fate = None
        end = self.loop.time() + HEAL_S
        while self.loop.time() < end and not self._healed():
            await asyncio.sleep(LOOK_S)
        checker.healed(self)

    def _finished(self) -> bool:
        if not self._played_enough():
            return False
        return self.scenario.ending == "stop" or checker.games_over(self) > 0

    def _healed(self) -> bool:
        return all(not process.dead for process in self.processes) and not checker.behind(self)

    def _doom(self) -> None:
        """Choose how a process will die, or fail, within its next few statements or steps."""
        process = self.roll.choice(self.processes)
        what = self.roll.choice(("statement", "statement", "commit", "commit", "step"))
        count = self.roll.randint(1, {"statement": 14, "commit": 2, "step": 60}[what])
        fails = what != "step" and self.roll.random() < 0.3
        process.fate = Fate(what, count, what == "step" or self.roll.random() < 0.5, fails)

    def _lose_a_seat(self) -> None:
        """Take a seat from somebody: another player gets it, or the session ends. It happens in one of the processes."""
        sockets = [client for client in self.clients if client.seat is not None and not client.out]
        client = self.roll.choice(sockets)
        process = self.roll.choice(self.processes)
        if process.dead:
            return
        process.fate = None  # it tells what it did

        def substitute() -> None:
            with writing():
                seating = Seating.objects.get(table=self.table, seat=client.seat)
                seating.player = self.world.players[self.scenario.seats]
                seating.save()

        def sign_out() -> None:
            Session.objects.get(session_key=client.key).delete()

        async def work() -> None:
            await process.thread(substitute if self.scenario.loss == "substituted" else sign_out)
            self.note(f"{client.name} {self.scenario.loss}")
            self.lost[client] = self.loop.time()
            self.network.later(self.roll.uniform(0.1, 3.0), self._come_in_its_place, client)

        process.run(work)

    def _come_in_its_place(self, client: Client) -> None:
        """Let the substitute sit down, or the same person sign in again."""
        place = self.scenario.seats if self.scenario.loss == "substituted" else client.seat
        assert place is not None
        key = self.world.keys[-1] if self.scenario.loss == "signed_out" else self.world.keys[place]
        self._client(f"{client.name}b", seat=client.seat, user=self.world.users[place], key=key, polls=False)

    def _clean_up(self) -> None:
        """Forget what still waits, quietly: it ends with the game."""
        self.note(f"end after {self.kills} kills")
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
        self.loop.set_exception_handler(lambda loop, context: None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # what a task begins while it is closed is never awaited
            for task in asyncio.all_tasks(self.loop):
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                with contextlib.suppress(RuntimeError, Killed):  # it may wait again while it is closed
                    task.get_coro().close()  # type: ignore[union-attr]
            gc.collect()
        self.loop.close()
        OUTSIDE.drop()

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the history, hex."""
        return hashlib.sha256("\n".join(self.notes).encode()).hexdigest()


class Errors(logging.Handler):
    """Whatever the product logs as an error is a fault, unless the simulation itself broke the database."""

    def __init__(self, simulation: Simulation) -> None:
        super().__init__(logging.ERROR)
        self.simulation = simulation

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if SIMULATED not in str(error):
            self.simulation.wrong(f"logged: {record.getMessage()} {error!r}")
