"""What happens from outside: who comes, when a process dies, when a seat is lost, when the faults end."""

import asyncio
from typing import TYPE_CHECKING, Any

from django.contrib.sessions.models import Session

from games.models import Seating
from tock_league.common.transactions import writing

from . import checker
from .client import Client
from .process import Fate

if TYPE_CHECKING:
    from .game import Simulation

LIMIT_S = 150.0  # virtual seconds under faults, at most
HEAL_S = 45.0  # virtual seconds after the faults in which everybody must be live again
LOOK_S = 0.5


class Director:
    """Directs one game by what its scenario says."""

    def __init__(self, simulation: "Simulation") -> None:
        self.simulation, self.scenario = simulation, simulation.scenario
        self.roll = simulation.stream("director")

    def seat_everybody(self) -> None:
        scenario = self.scenario
        for seat in range(scenario.seats):
            user, key = self.simulation.world.users[seat], self.simulation.world.keys[seat]
            polls = seat < scenario.pollers
            self._client(f"seat{seat}", seat=seat, user=user, key=key, polls=polls)
        for number in range(scenario.spectators):
            self._client(f"spectator{number}", seat=None, user=None, key="", polls=False)

    def _client(self, name: str, **more: Any) -> Client:
        client = Client(self.simulation, name=name, seed=f"{self.scenario.seed}:{name}", **more)
        self.simulation.clients.append(client)
        return client

    async def direct(self) -> None:
        """Let people play under faults, end the faults, and wait until everybody is live again."""
        kills = sorted(self.roll.randint(1, self.scenario.rows) for _ in range(self.scenario.kills))
        loss_at = self.roll.randrange(4, max(5, self.scenario.rows)) if self.scenario.loss else None
        while self.simulation.loop.time() < LIMIT_S and not self._finished():
            await asyncio.sleep(LOOK_S)
            if kills and checker.rows_stored(self.simulation) >= kills[0]:
                kills.pop(0)
                self._doom()
            if loss_at is not None and checker.rows_stored(self.simulation) >= loss_at:
                loss_at = None
                self._lose_a_seat()
        if not self._finished():
            self.simulation.wrong("the game does not come to its end")
        self.simulation.note("faults end")
        self.simulation.network.trouble = 0.0
        self.simulation.over = True
        for process in self.simulation.processes:
            process.fate = None
        end = self.simulation.loop.time() + HEAL_S
        while self.simulation.loop.time() < end and not self._healed():
            await asyncio.sleep(LOOK_S)
        checker.healed(self.simulation)

    def played_enough(self) -> bool:
        """Return whether so many rows are stored as the scenario wants under faults."""
        return checker.rows_stored(self.simulation) >= self.scenario.rows

    def _finished(self) -> bool:
        if not self.played_enough():
            return False
        return self.scenario.ending == "stop" or checker.games_over(self.simulation) > 0

    def _healed(self) -> bool:
        return all(not process.dead for process in self.simulation.processes) and not checker.behind(self.simulation)

    def _doom(self) -> None:
        """Choose how a process will die, or fail, within its next few statements or steps."""
        process = self.roll.choice(self.simulation.processes)
        what = self.roll.choice(("statement", "statement", "commit", "commit", "step"))
        count = self.roll.randint(1, {"statement": 14, "commit": 2, "step": 60}[what])
        fails = what != "step" and self.roll.random() < 0.3
        process.fate = Fate(what, count, what == "step" or self.roll.random() < 0.5, fails)

    def _lose_a_seat(self) -> None:
        """Take a seat from somebody: another player gets it, or the session ends. It happens in one of the processes."""
        sockets = [client for client in self.simulation.clients if client.seat is not None and not client.out]
        client = self.roll.choice(sockets)
        process = self.roll.choice(self.simulation.processes)
        if process.dead:
            return
        process.fate = None  # it tells what it did

        def substitute() -> None:
            with writing():
                seating = Seating.objects.get(table=self.simulation.table, seat=client.seat)
                seating.player = self.simulation.world.players[self.scenario.seats]
                seating.save()

        def sign_out() -> None:
            Session.objects.get(session_key=client.key).delete()

        async def work() -> None:
            await process.thread(substitute if self.scenario.loss == "substituted" else sign_out)
            self.simulation.note(f"{client.name} {self.scenario.loss}")
            self.simulation.lost[client] = self.simulation.loop.time()
            self.simulation.network.later(self.roll.uniform(0.1, 3.0), self._come_in_its_place, client)

        process.run(work)

    def _come_in_its_place(self, client: Client) -> None:
        """Let the substitute sit down, or the same person sign in again."""
        place = self.scenario.seats if self.scenario.loss == "substituted" else client.seat
        assert place is not None
        key = (
            self.simulation.world.keys[-1] if self.scenario.loss == "signed_out" else self.simulation.world.keys[place]
        )
        self._client(f"{client.name}b", seat=client.seat, user=self.simulation.world.users[place], key=key, polls=False)
