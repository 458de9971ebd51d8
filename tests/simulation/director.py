"""The events from outside: clients arrive, processes are killed, a seat is lost, the faults end."""

import asyncio
from typing import TYPE_CHECKING

from django.contrib.sessions.models import Session

from games.models import Seating, Table
from tock_league.common.transactions import writing

from . import checker
from .client import Client
from .people import PLACES
from .process import Fate

if TYPE_CHECKING:
    from .game import Simulation

LIMIT_S = 150.0  # virtual seconds under faults, at most
HEAL_S = 45.0  # virtual seconds after the faults within which every client must be up to date
LOOK_S = 0.5


class Director:
    """Directs one game as its scenario says."""

    def __init__(self, simulation: "Simulation") -> None:
        self.simulation, self.scenario = simulation, simulation.scenario
        self.roll = simulation.stream("director")

    def seat_everybody(self) -> None:
        """Create the players and spectators of every table."""
        scenario = self.scenario
        for place, table in enumerate(self.simulation.tables):
            for seat in range(scenario.seats):
                name, polls = f"t{place}.seat{seat}", seat < scenario.pollers
                self._client(name, table, seat=seat, person=place * PLACES + seat, polls=polls)
            for number in range(scenario.spectators):
                self._client(f"t{place}.spectator{number}", table)

    def _client(
        self,
        name: str,
        table: Table,
        *,
        seat: int | None = None,
        person: int | None = None,
        key: int | None = None,
        polls: bool = False,
    ) -> None:
        """Create a client. `person`: its number, None for a visitor; `key`: the number of its session, if different."""
        world = self.simulation.world
        session = world.keys[person if key is None else key] if person is not None else ""
        user = world.users[person] if person is not None else None
        self.simulation.clients.append(
            Client(self.simulation, name=name, table=table, seat=seat, user=user, key=session, polls=polls)
        )

    async def direct(self) -> None:
        """Let clients play under faults, end the faults, and wait until every client is up to date."""
        kills = sorted(self.roll.randint(1, self.scenario.rows) for _ in range(self.scenario.kills))
        loss_at = self.roll.randrange(4, max(5, self.scenario.rows)) if self.scenario.loss else None
        while self.simulation.loop.time() < LIMIT_S and not self._finished():
            await asyncio.sleep(LOOK_S)
            if kills and self._rows() >= kills[0]:
                kills.pop(0)
                self._doom()
            if loss_at is not None and self._rows() >= loss_at:
                loss_at = None
                self._lose_a_seat()
        if not self._finished():
            self.simulation.wrong("the game does not come to its end")
        self.simulation.note("faults end")
        self.simulation.network.trouble = 0.0
        self.simulation.over, self.simulation.over_at = True, self.simulation.loop.time()
        for process in self.simulation.processes:
            process.fate = None
        end = self.simulation.loop.time() + HEAL_S
        while self.simulation.loop.time() < end and not self._healed():
            await asyncio.sleep(LOOK_S)
        checker.healed(self.simulation)

    def played_enough(self, table_id: int) -> bool:
        """Return whether the table has as many rows as the scenario requires under faults."""
        return checker.rows_stored(self.simulation, table_id) >= self.scenario.rows

    def _rows(self) -> int:
        """Return the largest number of rows of a table."""
        return max(checker.rows_stored(self.simulation, table.pk) for table in self.simulation.tables)

    def _finished(self) -> bool:
        return all(self._table_finished(table.pk) for table in self.simulation.tables)

    def _table_finished(self, table_id: int) -> bool:
        if not self.played_enough(table_id):
            return False
        return self.scenario.ending == "stop" or checker.games_over(self.simulation, table_id) > 0

    def _healed(self) -> bool:
        return all(not process.dead for process in self.simulation.processes) and not checker.behind(self.simulation)

    def _doom(self) -> None:
        """Choose a process to be killed, or to get a database error, within its next few statements or steps."""
        process = self.roll.choice(self.simulation.processes)
        what = self.roll.choice(("statement", "statement", "commit", "commit", "step"))
        count = self.roll.randint(1, {"statement": 14, "commit": 2, "step": 60}[what])
        fails = what != "step" and self.roll.random() < 0.3
        process.fate = Fate(what, count, what == "step" or self.roll.random() < 0.5, fails)

    def _lose_a_seat(self) -> None:
        """Take a seat away: another player gets it, or the session ends. This runs in one of the processes."""
        sockets = [client for client in self.simulation.clients if client.seat is not None and not client.out]
        client = self.roll.choice(sockets)
        process = self.roll.choice(self.simulation.processes)
        if process.dead:
            return
        process.fate = None  # it must not be killed before the loss is recorded

        def substitute() -> None:
            with writing():
                seating = Seating.objects.get(table=client.table_id, seat=client.seat)
                seating.player = self.simulation.world.players[self._substitute(client)]
                seating.save()

        def sign_out() -> None:
            Session.objects.get(session_key=client.key).delete()

        async def work() -> None:
            self.simulation.losing[client] = self.simulation.loop.time()
            await process.thread(substitute if self.scenario.loss == "substituted" else sign_out)
            self.simulation.note(f"{client.name} {self.scenario.loss}")
            self.simulation.lost[client] = self.simulation.loop.time()
            self.simulation.network.later(self.roll.uniform(0.1, 3.0), self._come_in_its_place, client)

        process.run(work)

    def _substitute(self, client: Client) -> int:
        """Return the number of the substitute of the client's table."""
        places = [table.pk for table in self.simulation.tables]
        return places.index(client.table_id) * PLACES + self.scenario.seats

    def _come_in_its_place(self, client: Client) -> None:
        """Create a client for the substitute, or for the same person with a new session."""
        table = next(table for table in self.simulation.tables if table.pk == client.table_id)
        assert client.seat is not None
        if self.scenario.loss == "substituted":
            self._client(f"{client.name}b", table, seat=client.seat, person=self._substitute(client))
        else:
            person = self._substitute(client) - self.scenario.seats + client.seat
            self._client(f"{client.name}b", table, seat=client.seat, person=person, key=-1)
