"""The tables of the fuzz, people with logins, and a function that lets the games go on."""

import random
import secrets
import threading
from collections import Counter
from dataclasses import dataclass, field
from unittest import mock

from games import store
from games.bots import at_table
from games.fold import TableState, Viewer, view
from games.models import Game, Table
from games.permissions import Person
from games.services import clocks, play, referee, tables
from games.services.tables import SeatPlan
from tock_league.accounts.models import Player, User
from tock_league.accounts.services import create_player
from tock_league.common.transactions import writing

KINDS = ("tock", "touch", "tractor")
_opening = threading.Lock()
LONGEST = 250  # rows after which a table is replaced by a new one


def choose(state: TableState, seat: int, roll: random.Random) -> str:
    """Return a novice's line for the seat, empty if it has nothing to say."""
    seen = view(state, Viewer(seat))
    if "legal" not in seen:
        return ""
    laid = state.setup.family.laid(state)
    return at_table.answer(seen, seen["legal"], level="novice", roll=roll.randrange, seat=seat, seen=laid)


@dataclass
class World:
    """The people and tables of a run."""

    players: list[Player]  # 0 to 3 sit at every table, 4 is a referee, 5 has no seat
    users: list[User]  # in the order of `players`
    tables: dict[str, Table] = field(default_factory=dict)  # the current table of each kind
    opened: Counter[str] = field(default_factory=Counter)  # tables opened so far, by seed and kind
    seed: str = ""

    @classmethod
    def build(cls) -> "World":
        players, users = [], []
        with writing():
            for number in range(6):
                user = User.objects.create(username=f"fuzz{number}", email=f"fuzz{number}@example.org")
                players.append(create_player(display_name=f"Player {number}", user=user, slug=f"fuzz{number}"))
                users.append(User.objects.select_related("player").get(pk=user.pk))
        return cls(players, users)

    def open(self, kind: str, seed: str = "") -> Table:
        """Open a table of that kind; its deals and its address come from the seed, so that a run can be repeated."""
        self.opened[seed + kind] += 1
        roll = random.Random(f"{seed}:{kind}:{self.opened[seed + kind]}")
        with _opening, mock.patch.multiple(secrets, token_bytes=roll.randbytes, choice=roll.choice):
            return self._open(kind, self.opened[seed + kind])

    def _open(self, kind: str, number: int) -> Table:
        plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(self.players[:4])]
        rules = "tractor/1" if kind == "tractor" else "shawinigan/1"
        more = {"rounds": 1} if kind == "tractor" else {"touch": kind == "touch"}
        table = tables.open_match_table(rules=rules, name=f"{kind} {number}", seat_plan=plan, rated=False, **more)
        if number % 2:
            referee.appoint(table_id=table.pk, roles=[(self.players[4].pk, "referee")])
        return table

    def table(self, kind: str) -> Table:
        """Return the running table of that kind; a new one after the end of a game."""
        found = self.tables.get(kind)
        if found is None or self.game(found).state == Game.State.OVER or self.game(found).last_seq > LONGEST:
            found = self.tables[kind] = self.open(kind, self.seed)
        return found

    @staticmethod
    def game(table: Table) -> Game:
        return Game.objects.select_related("table").filter(table=table).order_by("-number")[0]

    def state(self, table: Table) -> TableState:
        return store.current(self.game(table))

    def advance(self, table: Table, steps: int, roll: random.Random) -> None:
        """Let people and the clock do what is due at the table, at most `steps` times."""
        for _ in range(steps):
            game = self.game(table)
            state = store.current(game)
            if state.result is not None:
                return
            if state.frozen is not None:
                referee.resume(game_id=game.pk, ref=f"resume-{state.seq}")
            elif state.position is None:
                seat = state.ready.index(False)
                self._send(game, state, seat, "ready", {}, roll)
            elif state.chance:
                clocks.claim_due([game.pk])
            else:
                seat = roll.choice(sorted(state.may_act))
                line = choose(state, seat, roll)
                if line:
                    self._send(game, state, seat, "play", {"play": line}, roll)

    def _send(
        self, game: Game, state: TableState, seat: int, kind: str, args: dict[str, str], roll: random.Random
    ) -> None:
        id = f"{roll.getrandbits(128):032x}"
        play.submit(
            game_id=game.pk,
            seat=seat,
            command_id=f"{id[:8]}-{id[8:12]}-{id[12:16]}-{id[16:20]}-{id[20:]}",
            turn=state.decision_id,
            kind=kind,
            args=args,
            by=Person(player_id=self.players[seat].pk),
        )
