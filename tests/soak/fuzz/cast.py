"""The people, things and tables of a run: the world of the permission tests, with logins, tournaments and tables."""

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.test import Client, override_settings

from games.models import DealSecret, Game, Table
from games.services.tables import SeatPlan, open_match_table
from tests.accounts.signing import set_up_factor
from tests.competitions.world import FIRST_ROUND, a_plan, a_tournament
from tests.permissions import world as permissions
from tock_league.accounts.models import Player, User
from tock_league.accounts.services import create_player, create_user
from tock_league.arbitration.models import Case
from tock_league.clubs.models import Club, Team, TeamInvitation
from tock_league.clubs.services import invite
from tock_league.common import clock
from tock_league.competitions.models import Competition, Entry, Match

ROLES = (
    *("newcomer", "player", "captain", "partner", "officer", "club_organiser", "event_organiser", "organiser"),
    *("referee", "head_referee", "case_referee", "panel_member", "other_captain", "stranger", "strange_officer"),
    *("administrator", "superuser"),
)
WITHOUT_FACTOR = {"superuser", "strange_officer", "newcomer", "stranger", "player"}
SEATED = ("captain", "other_captain", "partner", "player")  # at the hostile tables
HOSTILE_TABLES, QUIET_TABLES = 6, 12  # of each kind; tables that others play at meanwhile
FAR = 10 * 24 * 3600  # seconds for which a sign-in of the run stays fresh
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
PASSWORD = "le tock du mercredi soir"


@dataclass
class Cast:
    """`keys`: the session of each role; `ended`: one that was signed out; `tables`: slugs by kind."""

    keys: dict[str, str] = field(default_factory=dict)
    ended: str = ""
    addresses: dict[str, str] = field(default_factory=dict)  # e-mail address by role
    tables: dict[str, list[str]] = field(default_factory=dict)
    quiet: list[str] = field(default_factory=list)
    quiet_keys: list[str] = field(default_factory=list)  # of seats 0 to 3 at the quiet tables


def build(*, tables: bool = True) -> Cast:
    """Build everything in the empty database of this process; without live `tables` for a run without sockets."""
    # Nobody has a second factor while the world is built; in production no role could act without one.
    with clock.frozen(FIRST_ROUND), override_settings(MFA_REQUIRED_ROLES=[]):
        world = permissions.build()
        for state, club in (("open", world.club), ("running", world.elsewhere)):
            a_tournament(4, state=state, plan=a_plan("groups_knockout", groups=2, qualify=1), club=club)
        invite(by=world.player("captain"), team=world.team, player=world.player("player"), slot=3)
        cast = Cast()
        for role in ROLES:
            _log_in(cast, world.player(role), role)
        gone = Client()
        gone.force_login(_user(world.player("captain")), backend=BACKEND)
        cast.ended = gone.cookies[settings.SESSION_COOKIE_NAME].value
        gone.logout()
        if tables:
            _tables(cast, world)
    return cast


def _tables(cast: Cast, world: permissions.World) -> None:
    seats = [world.player(name).pk for name in SEATED]
    for kind in ("tock", "touch", "tractor"):
        cast.tables[kind] = [_table(kind, number, seats) for number in range(HOSTILE_TABLES)]
    quiet = [
        create_player(display_name=f"Beside {number}", user=create_user(email=f"beside{number}@fuzz.tock"))
        for number in range(4)
    ]
    cast.quiet_keys = [session(_user(player)) for player in quiet]
    cast.quiet = [_table("tock", 100 + number, [player.pk for player in quiet]) for number in range(QUIET_TABLES)]


def _user(player: Player) -> User:
    found = Player.objects.select_related("user").get(pk=player.pk).user
    assert found is not None
    return found


def _log_in(cast: Cast, player: Player, role: str) -> None:
    if player.user is None:
        user = create_user(email=f"{role}@fuzz.tock", password=PASSWORD if role == "captain" else None)
        Player.objects.filter(pk=player.pk).update(user=user)
    user = _user(player)
    if role in ("administrator", "superuser"):
        User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    if role not in WITHOUT_FACTOR:
        set_up_factor(user)
    cast.addresses[role] = user.email
    cast.keys[role] = session(_user(player))


def session(user: User) -> str:
    """Return the key of a new session of that login, whose sign-in counts as fresh during the whole run."""
    client = Client()
    client.force_login(user, backend=BACKEND)
    held = client.session
    at = clock.now().timestamp() + FAR
    held["account_authentication_methods"] = [{"method": "password", "at": at, "email": user.email}]
    held.save()
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _table(kind: str, number: int, seats: list[int]) -> str:
    plan = [SeatPlan(seat, player_id=pk) for seat, pk in enumerate(seats)]
    rules = "tractor/1" if kind == "tractor" else "shawinigan/1"
    more: dict[str, Any] = {"rounds": 1} if kind == "tractor" else {"touch": kind == "touch"}
    opened = open_match_table(rules=rules, name=f"{kind} {number}", seat_plan=plan, rated=False, **more)
    return opened.slug


# --- what addresses and forms can name

POOLS: dict[str, Callable[[], Any]] = {
    "clubs": lambda: Club.objects.order_by("pk").values_list("slug", flat=True),
    "teams": lambda: Team.objects.order_by("pk").values_list("slug", flat=True),
    "competitions": lambda: Competition.objects.order_by("pk").values_list("slug", flat=True),
    "entries": lambda: Entry.objects.order_by("pk").values_list("slug", flat=True),
    "matches": lambda: Match.objects.order_by("pk").values_list("slug", flat=True),
    "games": lambda: Game.objects.order_by("pk").values_list("slug", flat=True),
    "tables": lambda: Table.objects.order_by("pk").values_list("slug", flat=True),
    "players": lambda: Player.objects.order_by("pk").values_list("slug", flat=True),
    "cases": lambda: Case.objects.order_by("pk").values_list("number", flat=True),
    "invitations": lambda: TeamInvitation.objects.order_by("pk").values_list("pk", flat=True),
}
MOST = 60  # of a pool


def pools() -> dict[str, list[str]]:
    """Return the names of things by the first part of their addresses, the oldest first."""
    return {name: [str(value) for value in query()[:MOST]] for name, query in POOLS.items()}


def secrets_of(cast: Cast) -> dict[str, str]:
    """Return what no answer may hold, with what it is: keys of sessions, hashes of passwords, seeds of running games."""
    found = {key: f"the session of {role}" for role, key in cast.keys.items()}
    found |= {key: "the session of a bystander" for key in cast.quiet_keys}
    found |= {str(settings.SECRET_KEY): "the secret key"}
    found |= {hash: "a password's hash" for hash in User.objects.values_list("password", flat=True) if "$" in hash}
    for secret in DealSecret.objects.exclude(game__state=Game.State.OVER):
        seeds = bytes(secret.seeds)
        found |= {seeds[place : place + 32].hex(): "the seed of a running game" for place in range(0, 4 * 32, 32)}
    return found


# --- what a refused request must not change

VOLATILE = {"games", "common", "demo", "upkeep"}  # apps whose rows change while others play
columns: dict[str, list[str]] = {}  # by table, in the order of `written`
# Signing in writes its time; a refused text is kept as a draft; the worker makes exports, some time after they were asked for.
SKIPPED = {"accounts_user", "arbitration_draft", "people_export", "people_exportpart"}


def written() -> dict[str, tuple[tuple[Any, ...], ...]]:
    """Return all rows of the tables that only requests change, by table."""
    found = {}
    with connection.cursor() as cursor:
        for app in apps.get_app_configs():
            if not app.name.startswith(("tock_league", "ratings")) or app.label in VOLATILE:
                continue
            for model in app.get_models():
                if model._meta.db_table not in SKIPPED:
                    cursor.execute(f'SELECT * FROM "{model._meta.db_table}" ORDER BY 1')
                    found[model._meta.db_table] = tuple(cursor.fetchall())
                    columns[model._meta.db_table] = [column[0] for column in cursor.description]
    return found


Rows = dict[str, tuple[tuple[Any, ...], ...]]
# Columns in which two rows of one double click may differ.
OWN = re.compile(r"id|pk|slug|number|seq|slot|place|hash|prev|chain|token_hash|.*_hash|.*_at|at|since|key|label")


def twins(before: Rows, after: Rows) -> dict[str, list[tuple[Any, ...]]]:
    """Return, by table, the rows that were written twice: two new ones that say the same."""
    found = {}
    for table, rows in after.items():
        if rows == before[table]:
            continue
        known = {row[0] for row in before[table]}  # a changed row is no new one
        said = Counter(
            tuple(value for column, value in zip(columns[table], row, strict=True) if not OWN.fullmatch(column))
            for row in rows
            if row[0] not in known
        )
        if more := [row for row, count in said.items() if count > 1]:
            found[table] = more[:2]
    return found


def stream(seed: str, *parts: object) -> random.Random:
    """Return the random numbers of one item of a run."""
    return random.Random(":".join([seed, *map(str, parts)]))
