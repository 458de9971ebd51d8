"""The data before each game: players with logins and sessions. Built once per process, restored before each game."""

import gc
import random
import shutil
from datetime import UTC, datetime

from django.contrib.sessions.models import Session

from games.models import Table
from games.services import referee, tables
from games.services.tables import SeatPlan
from tests import migrated
from tock_league.accounts.models import Player, User
from tock_league.accounts.services import create_player
from tock_league.common.transactions import writing

from . import database, seams, threads
from .database import Template
from .scenario import Scenario

PLACES = 7  # people per table: up to six seats and a substitute
TABLES = 3
PEOPLE = TABLES * PLACES + 1  # the last one is the referee
NEVER = datetime(2100, 1, 1, tzinfo=UTC)


class World:
    """The people: `players`, `users` and `keys` of sessions, by number. `keys` has one more, for a second sign-in."""

    def __init__(self) -> None:
        database.install()
        threads.install()
        shutil.copyfile(migrated._file(), database.name())
        with seams.patched(now=lambda: 0.0, roll=random.Random("world")):
            self._build()
        self._template = Template()
        self._template.keep()
        gc.freeze()  # these objects stay, so garbage collection after each game can skip them

    def _build(self) -> None:
        self.players: list[Player] = []
        self.users: list[User] = []
        self.keys = [f"{number:032d}" for number in range(PEOPLE + 1)]
        with writing():
            for number in range(PEOPLE):
                user = User.objects.create(username=f"user{number}", email=f"user{number}@example.org")
                player = create_player(display_name=f"Player {number}", user=user, slug=f"player{number}")
                self.players.append(player)
                self.users.append(User.objects.select_related("player").get(pk=user.pk))
            for key in self.keys:
                Session.objects.create(session_key=key, session_data="", expire_date=NEVER)

    def restore(self) -> None:
        """Restore the database."""
        self._template.restore()

    def open_table(self, scenario: Scenario, place: int) -> Table:
        """Open a table as the scenario says. `place`: from 0; table 0 has the first seven people."""
        people = self.players[place * PLACES :]
        plan = [SeatPlan(seat, player_id=people[seat].pk) for seat in range(scenario.seats)]
        table = tables.open_match_table(
            rules=scenario.rules,
            name="Simulation",
            seat_plan=plan,
            teams=scenario.teams,
            clocks=scenario.clocks,
            touch=scenario.touch,
            best_of=scenario.best_of,
            rated=False,
            referee_wait_s=10,
        )
        if scenario.release != table.release:
            with writing():
                table.release = scenario.release
                table.save()
        if scenario.referee:
            referee.appoint(table_id=table.pk, roles=[(self.players[-1].pk, "referee")])
        return table
