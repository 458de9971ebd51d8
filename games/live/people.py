"""The person behind a request or a socket: a player by the login or an access token, a guest by a key in the session;
never by a frame.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from threading import Lock
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.db.models import CharField, Value
from django.db.models.functions import Cast
from django.http import HttpRequest, parse_cookie

from games.models import Game, Seating
from games.permissions import Login, Person, holds, mark_of
from games.services import casual, turns
from tock_league.accounts import sessions, tokens
from tock_league.accounts.models import Token, User
from tock_league.common import clock

BEARER = "bearer."  # begins the subprotocol that carries a token, for clients that cannot set a header


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who opens a socket. With a token there is no session."""

    user: Any = None
    session: Any = None
    token: Token | None = None


def visitor_of(scope: Mapping[str, Any]) -> Visitor:
    """Return who makes a socket's handshake; in a thread. Without a token or a valid cookie: anonymous, and no session.

    A token counts before a cookie, as it does in the API. Raises Refused, with the status 401 or 403, for a token that
    opens nothing or that may not play.

    Channels' own middleware would read user and session in the one thread that all synchronous views share, and keep them
    for as long as the socket is open.
    """
    secret = _secret(scope)
    if secret is not None:
        token = tokens.opened_for(secret, Token.Scope.PLAY)
        return Visitor(token.user, None, token)
    if "session" in scope:
        return Visitor(scope.get("user"), scope["session"])
    key = parse_cookie(_header(scope, b"cookie")).get(settings.SESSION_COOKIE_NAME, "")
    if not key:
        return Visitor()
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return Visitor(get_user(request), request.session)


def _secret(scope: Mapping[str, Any]) -> str | None:
    """Return the secret of the handshake's token, None without one. Never from the address, which is logged."""
    if header := _header(scope, b"authorization"):
        return tokens.secret_in(header)
    offered = scope.get("subprotocols", ())
    return next((word.removeprefix(BEARER) for word in offered if word.startswith(BEARER)), None)


def _header(scope: Mapping[str, Any], name: bytes) -> str:
    return str(next((value for key, value in scope.get("headers", ()) if key == name), b"").decode("latin1"))


def login_of(user: Any, session: Any, token: Token | None = None) -> Login:
    """Return the login of this user, by session or token, as they are now. `user` may trigger a query: call it off the
    loop.
    """
    key = (session.session_key or "") if session is not None and token is None else ""
    if user is None or not user.is_authenticated:
        return Login(key)
    player = getattr(user, "player", None)
    return Login(
        session_key=key,
        user_id=user.pk,
        mark=mark_of(user.password),
        player_id=player.pk if player is not None else None,
        token_id=token.pk if token is not None else None,
    )


def ended(logins: Iterable[Login]) -> set[Login]:
    """Return the logins that have ended. One query for any number; none when no login can end.

    A login has ended when its session was deleted or has expired, when its token was revoked or has expired, or when its
    user is gone, inactive, or has another password or another player. Reads `django_session.session_key` and
    `.expire_date`, `accounts_token.id`, `.revoked_at` and `.expires_at`, `accounts_user.id`, `.is_active` and `.password`,
    and `accounts_player.id`.
    """
    asked = set(logins)
    keys = {login.session_key for login in asked if login.session_key}
    held = {login.token_id for login in asked if login.token_id is not None}
    users = {login.user_id for login in asked if login.user_id is not None}
    if not keys and not users:
        return set()
    text = CharField()
    alive = Session.objects.filter(session_key__in=keys, expire_date__gt=clock.now()).values_list(
        Value("session", text), "session_key", Value("", text), Value("", text)
    )
    people = User.objects.filter(pk__in=users, is_active=True).values_list(
        Value("user", text), Cast("pk", text), "password", Cast("player__pk", text)
    )
    in_force = Token.objects.filter(tokens.in_force(), pk__in=held).order_by()
    opening = in_force.values_list(Value("token", text), Cast("pk", text), Value("", text), Value("", text))
    rows = alive.union(people, opening, all=True) if held else alive.union(people, all=True)
    standing: dict[str, dict[str, tuple[str, str | None]]] = {"session": {}, "token": {}, "user": {}}
    for kind, key, password, player in rows:
        standing[kind][key] = password, player
    return {login for login in asked if not _stands(login, standing)}


def _stands(login: Login, standing: Mapping[str, Mapping[str, tuple[str, str | None]]]) -> bool:
    users = standing["user"]
    if login.session_key and login.session_key not in standing["session"]:
        return False
    if login.token_id is not None and str(login.token_id) not in standing["token"]:
        return False
    if login.user_id is None:
        return True
    password, player = users.get(str(login.user_id), (None, None))
    own = str(login.player_id) if login.player_id is not None else None
    return password is not None and player == own and mark_of(password) == login.mark


SEAT_S = 30.0  # between two writes that a person is at a seat of a casual table
MARK_S = 15.0  # between two marks that a page is open
KEEP_S = 60.0  # between two writes that a person plays
_kept: dict[str, float] = {}  # by session key, when that was written last (monotonic)
_seen: dict[tuple[str | None, int], float] = {}  # by session key and table, when its game was looked at last
_marked: dict[tuple[int, int], float] = {}  # by table and player, when it was marked that the page is open (monotonic)
_sitting: dict[tuple[int, int], float] = {}  # by table and seat, when its presence was written last (monotonic)
_keeping = Lock()


def keep(logins: Iterable[Login]) -> None:
    """Let sessions whose people play at a table go on, as a page that they open does; in a thread.

    Each at most once in KEEP_S. Guests' sessions have no limit that is shorter than a game.
    """
    now = clock.monotonic()
    acting = {login.session_key for login in logins if login.session_key and login.user_id is not None}
    if not acting:
        return
    with _keeping:
        for old in [key for key, at in _kept.items() if now - at >= KEEP_S]:
            del _kept[old]
        due = acting - _kept.keys()
        _kept.update(dict.fromkeys(due, now))
    for key in sorted(due):
        sessions.keep(key)


def stay(present: Iterable[tuple[Login, int]]) -> None:
    """Let sessions go on whose people sit or judge at a running game of a table, given by its id, even if they only watch;
    in a thread. A session and its table are looked at once in KEEP_S.
    """
    now = clock.monotonic()
    with _keeping:
        for old in [seen for seen, at in _seen.items() if now - at >= KEEP_S]:
            del _seen[old]
        due = [(login, table_id) for login, table_id in present if (login.session_key, table_id) not in _seen]
        _seen.update({(login.session_key, table_id): now for login, table_id in due})
    if not due:
        return
    tables = {table_id for _login, table_id in due}
    running = set(Game.objects.filter(table_id__in=tables, state=Game.State.PLAYING).values_list("table_id", flat=True))
    keep(login for login, table_id in due if table_id in running)


def mark(present: Iterable[tuple[Login, int]]) -> None:
    """Keep for the tasks who has a page of which table open (services.turns); in a thread. Each at most once in MARK_S."""
    now = clock.monotonic()
    with _keeping:
        for old in [key for key, at in _marked.items() if now - at >= MARK_S]:
            del _marked[old]
        due = {(table_id, login.player_id) for login, table_id in present if login.player_id is not None}
        due -= _marked.keys()
        _marked.update(dict.fromkeys(due, now))
    for table_id, player_id in sorted(due):
        turns.mark_here(table_id, player_id)


def sit(places: Iterable["Place"]) -> None:
    """Write that the people on these seats are at their casual tables; in a thread. Each seat at most once in SEAT_S."""
    now = clock.monotonic()
    with _keeping:
        for old in [seat for seat, at in _sitting.items() if now - at >= SEAT_S]:
            del _sitting[old]
        due = {(table_id, seat) for table_id, seat, _person in places} - _sitting.keys()
        _sitting.update(dict.fromkeys(due, now))
    casual.note_presence(due)


Place = tuple[int, int, Person]  # a table's id, a seat there, the person on it


def unseated(places: Iterable[Place]) -> set[Place]:
    """Return the places whose person no longer holds the seat: substituted, or played by a bot. One query."""
    asked = set(places)
    if not asked:
        return set()
    seatings = Seating.objects.filter(table_id__in={table_id for table_id, _, _ in asked})
    held = {(seating.table_id, seating.seat): seating for seating in seatings}
    return {place for place in asked if (found := held.get(place[:2])) is None or not holds(found, place[2])}
