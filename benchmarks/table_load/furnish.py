"""Fill a fresh database: `python -m benchmarks.table_load furnish TABLES OLD ROWS` prints the created objects as JSON.

It makes TABLES match tables of `shawinigan/1` with clocks at their first play and OLD more at row ROWS; each has its
own four people, signed in. Tables and plays are made through services; people and sessions, which are not measured, are
inserted as rows.
"""

import json
import random
import uuid
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection

from games import store
from games.fold import TableState, Viewer, view
from games.models import Game, Table
from games.permissions import Person
from games.services import play, tables
from games.services.tables import ClockSettings, SeatPlan
from tock_league.accounts.models import Player, User
from tock_league.common import clock
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing
from tock_league.embedded.process import migrate

SEATS = 4
# Clocks run, so that deadlines are written as at a real table; they are long enough not to end during the benchmark.
SLOW = ClockSettings(
    bank_s=86_400, increment_s=5, bank_max_s=86_400, cap_s=86_400, short_s=86_400, timeouts=99, no_show_s=86_400
)


def people(count: int) -> list[tuple[Player, str]]:
    """Return so many players with the session key of each."""
    backend = settings.AUTHENTICATION_BACKENDS[-1]
    with writing():
        users = User.objects.bulk_create(
            User(username=name, email=f"{name}@example.org", password="!")
            for name in (new_slug() for _ in range(count))
        )
        players = Player.objects.bulk_create(
            Player(display_name=f"Screen {number}", user=user) for number, user in enumerate(users)
        )
        sessions = [
            Session(
                session_key=uuid.uuid4().hex,
                session_data=SessionStore().encode(
                    {
                        SESSION_KEY: str(user.pk),
                        BACKEND_SESSION_KEY: backend,
                        HASH_SESSION_KEY: user.get_session_auth_hash(),
                    }
                ),
                expire_date=clock.now() + timedelta(days=1),
            )
            for user in users
        ]
        Session.objects.bulk_create(sessions)
    return [(player, session.session_key) for player, session in zip(players, sessions, strict=True)]


def state_of(game_id: int) -> TableState:
    """Return the table of a game as it is now."""
    return store.current(Game.objects.select_related("table").get(pk=game_id))


def sit(number: int, players: list[Player]) -> tuple[Table, int]:
    """Open a table where everybody is ready and the cards are dealt; return it with its game's key."""
    plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]
    with writing():
        table = tables.open_match_table(
            rules="shawinigan/1", name=f"Table {number}", seat_plan=plan, team_names=["A", "B"], clocks=SLOW
        )
        game_id = table.games.get().pk
        for seat in range(SEATS):
            send(game_id, seat, state_of(game_id).decision_id, "ready", {}, players[seat])
    return table, game_id


def send(game_id: int, seat: int, turn: str, kind: str, args: dict[str, str], player: Player) -> None:
    """Send one command. Raises RuntimeError when it is refused."""
    answer = play.submit(
        game_id=game_id,
        seat=seat,
        command_id=str(uuid.uuid4()),
        turn=turn,
        kind=kind,
        args=args,
        by=Person(player_id=player.pk),
    )
    if answer.code:
        raise RuntimeError(str(answer))


def play_to(game_id: int, rows: int, players: list[Player], roll: random.Random) -> bool:
    """Play any legal play until the game has `rows` rows; return False when the game ended before."""
    while True:
        state = state_of(game_id)
        if state.result is not None:
            return False
        if state.seq >= rows:
            return True
        seat = min(state.to_act)
        line = roll.choice(view(state, Viewer(seat))["legal"])
        kind, args = ("exchange", {"card": line.split()[1]}) if line.startswith("give ") else ("play", {"play": line})
        send(game_id, seat, state.decision_id, kind, args, players[seat])


def hurry() -> None:
    """Turn off waiting for the disk and the timeouts for slow statements in this process; the server's connections keep
    both."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA synchronous=OFF")
        else:
            cursor.execute("SET synchronous_commit = off; SET statement_timeout = 0")


def furnish(count: int, old: int, rows: int) -> dict[str, object]:
    """Make everything; return `tables` and `old`, each a list of slug, session keys by seat and row reached."""
    hurry()
    migrate(lambda line: None)
    hurry()  # the migrations closed their connection
    seated = people(SEATS * (count + 2 * old))
    made: dict[str, list[dict[str, object]]] = {"tables": [], "old": []}
    roll = random.Random(11)
    for number in range(count + 2 * old):
        four = seated[SEATS * number : SEATS * (number + 1)]
        players, keys = [player for player, _ in four], [key for _, key in four]
        wanted = "tables" if number < count else "old"
        if wanted == "old" and len(made["old"]) == old:
            break
        table, game_id = sit(number, players)
        if wanted == "old" and not play_to(game_id, rows, players, roll):
            continue
        made[wanted].append({"slug": table.slug, "sessions": keys})
    if len(made["old"]) < old:
        raise RuntimeError(f"too many games ended before row {rows}")
    return made


def main(count: int, old: int, rows: int) -> None:
    """Make everything and print it."""
    print(json.dumps(furnish(count, old, rows)))
