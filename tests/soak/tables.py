"""The tables of the soak tests: people with sockets, in the same process."""

import random
import uuid
from collections.abc import Sequence

from games.live.threads import in_thread
from games.models import Table
from games.services import tables
from games.services.tables import ClockSettings, SeatPlan
from tests.live.sockets import Socket
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player
from tock_league.common.transactions import writing

# Slow enough for people who act every twenty seconds or later.
CLOCKS = ClockSettings(bank_s=7200, increment_s=60, bank_max_s=7200, cap_s=600, short_s=300, no_show_s=3600)


class Person(Socket):
    """A socket that keeps its view but no frames."""

    seat = 0
    patience = 300.0  # seconds; 200 tables act at once, maybe on a busy machine

    async def catch_up(self) -> None:
        """Read all frames that have arrived."""
        while not self.inner.output_queue.empty():
            await self.frame()
        self.frames.clear()
        self.texts.clear()

    async def act(self, roll: random.Random) -> bool:
        """Send a command if the table waits for this person; return whether one was acknowledged."""
        view = self.view
        if view["phase"] == "seating" and not view["ready"][self.seat]:
            kind, args = "ready", {}
        elif view.get("legal"):
            kind, args = "play", {"play": roll.choice(view["legal"])}
        else:
            return False
        return (await self.command(kind, **args))["t"] == "ack"


class Played:
    """A series of tables with the same people."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        self.people: list[Person] = []
        self.plays = self.games = 0

    async def open(self) -> None:
        """Open a table and connect its people."""
        table = await in_thread(self._open)
        for seat, player in enumerate(self.players):
            person = await Person.of(table.slug, player)
            person.seat = seat
            self.people.append(person)

    def _open(self) -> Table:
        if len(self.players) == 1:
            return tables.open_practice(player=self.players[0])
        plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(self.players)]
        return tables.open_match_table(
            rules="shawinigan/1", name="Soak", seat_plan=plan, clocks=CLOCKS, rated=False, team_names=["A", "B"]
        )

    async def step(self, roll: random.Random) -> None:
        """Update all views; about half of the people act if they must. Open a new table if the game is over."""
        for person in self.people:
            await person.catch_up()
            if person.view["phase"] == "over":
                self.games += 1
                await self.leave()
                await self.open()
                return
            if roll.random() < 0.5:
                self.plays += await person.act(roll)

    async def leave(self) -> None:
        """Close all sockets."""
        for person in self.people:
            await person.leave()
        self.people.clear()


async def open_tables(count: int) -> list[Played]:
    """Return so many series, each with an open table; every other one is a practice table."""
    found = [Played(await in_thread(_players, 4 if number % 2 else 1)) for number in range(count)]
    for each in found:
        await each.open()
    return found


def _players(count: int) -> list[Player]:
    with writing():
        return [create_player(display_name=f"Soak {uuid.uuid4().hex[:6]}") for _ in range(count)]
