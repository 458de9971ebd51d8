"""One game of the simulation: from a scenario to a history and a verdict."""

import asyncio
import contextlib
import gc
import hashlib
import json
import logging
import random
import uuid
import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any
from unittest import mock

from games.services import play as commands

from . import checker, seams
from .client import Client
from .database import Hooks, Killed, Witness
from .director import Director
from .loop import Stuck
from .machine import Machine
from .network import Link, Network
from .people import World
from .process import SIMULATED
from .record import Stored
from .scenario import Scenario
from .threads import OUTSIDE

submit_group = commands.submit_group


class Simulation(Machine):
    """One game with all its parts."""

    def __init__(self, world: World, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.world = world
        self.network = Network(self, self.stream("network"), scenario.trouble)
        self.clients: list[Client] = []
        self.losing: dict[Client, float] = {}  # clients whose seat or session is being taken, and since when
        self.lost: dict[Client, float] = {}  # clients whose seat or session has gone, and when
        self.games: list[Stored] = []  # as stored at the end
        self.over = False  # no more commands are sent
        self.over_at = 0.0  # when the faults ended
        self.director = Director(self)
        self._links = 0
        self._addresses = 0

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

    # --- frames

    def sent_down(self, link: Link, text: str) -> None:
        """Check a frame that a process sends: its rows must be committed."""
        if text.startswith(('{"t":"ack"', '{"t":"ev"', '{"t":"snap"')):
            checker.committed(self, link, json.loads(text))

    # --- the people

    def is_out(self, client: Client) -> bool:
        """Return whether the client has lost its seat or its session."""
        return client in self.lost

    def resigns(self, client: Client) -> bool:
        """Return whether the client resigns now: in a scenario that ends so, once enough rows are played."""
        return self.scenario.ending == "resign" and self.director.played_enough(client.table_id)

    # --- one game

    def play(self) -> None:
        """Play the game to its end and judge it."""
        log = Errors(self)
        logging.getLogger().addHandler(log)
        try:
            with seams.patched(now=self.loop.time, roll=self.stream("chance"), layer=self._layer), ExitStack() as noted:
                self._prepare()
                noted.enter_context(mock.patch.object(commands, "submit_group", self._in_group))
                Hooks.before, Hooks.after = self._statement(False), self._statement(True)
                Hooks.rolled_back = self._rolled_back
                try:
                    self._run()
                finally:
                    logging.getLogger().removeHandler(log)  # tasks that are closed may log errors
                    self._clean_up()
                    Hooks.before = Hooks.after = Hooks.rolled_back = None
                checker.judge(self)
                self.witness.close()
        finally:
            logging.getLogger().removeHandler(log)

    def _in_group(self, requests: Sequence[commands.Request], **more: Any) -> list[commands.Answer | None]:
        """Carry out a group of commands, and note its size."""
        if len(requests) > 1:
            self.note(f"{len(requests)} commands in a group")
        return submit_group(requests, **more)

    def _prepare(self) -> None:
        self.world.restore()
        self.tables = [self.world.open_table(self.scenario, place) for place in range(self.scenario.tables)]
        self.witness = Witness()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        for place in range(self.scenario.processes):
            self.start(place)
        self.director.seat_everybody()
        try:
            self.loop.run_until_complete(
                self.keep(self.loop.create_task(self.director.direct(), context=self.outside.copy()))
            )
        except Stuck:
            self.wrong("nothing happens any more")
        finally:
            asyncio.set_event_loop(None)

    def _clean_up(self) -> None:
        """Close all tasks that still wait, without warnings."""
        self.note(f"end after {self.kills} kills")
        self.stop()
        self.loop.set_exception_handler(lambda loop, context: None)
        with warnings.catch_warnings():
            # Coroutines that are created while a task is closed are never awaited.
            warnings.simplefilter("ignore", RuntimeWarning)
            for task in asyncio.all_tasks(self.loop):
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                with contextlib.suppress(RuntimeError, Killed):  # the task may await again while it is closed
                    task.get_coro().close()  # type: ignore[union-attr]
            gc.collect()
        self.loop.close()
        OUTSIDE.drop()

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the history, hex."""
        return hashlib.sha256("\n".join(self.notes).encode()).hexdigest()


class Errors(logging.Handler):
    """Reports everything that the product logs as an error, except database errors caused by the simulation."""

    def __init__(self, simulation: Simulation) -> None:
        super().__init__(logging.ERROR)
        self.simulation = simulation

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if SIMULATED not in str(error):
            self.simulation.wrong(f"logged: {record.getMessage()} {error!r}")
