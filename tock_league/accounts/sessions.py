"""Sessions of people: when they end by themselves, which ones a person has, and how they are ended.

A session that nobody uses ends after SESSION_IDLE_S, or SESSION_IDLE_STAFF_S for people with a role that
MFA_REQUIRED_ROLES names; every session ends SESSION_ABSOLUTE_S after the sign-in. The end is the column `expire_date`,
which each command at a table reads too, so that sockets end with their session. Plays at a table count as use, and so does
sitting or judging at a running one. The session of a guest who has a seat at a table ends GUEST_SESSION_S after the guest
opened the last one.

This module is also Django's session engine (SESSION_ENGINE): the browser keeps the cookie for the absolute limit, and only
the row says when the session ends.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.dispatch import Signal
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from tock_league.common import clock

# Sessions were ended by their person, not by their limits: `user`; `key` of the one, or None: all but that of `kept`.
ended = Signal()

SINCE, SEEN, IDLE = "signed_in_at", "seen_at", "idle_s"  # in the session, as seconds since 1970, and seconds
GUEST_KEY = "table_guest"  # in a guest's session: the key of the guest's seats (games.permissions)
GUEST_NAME = "table_guest_name"  # in a guest's session: the name that the guest gave last at a casual table
STEPS = 30  # the use of a session is written when a thirtieth of its idle limit has passed,
LONGEST_STEP_S = 600  # or this


class SessionStore(DatabaseStore):
    """Sessions in the database; the row of a signed-in person's session ends at its own limits."""

    def create_model_instance(self, data: Any) -> Any:
        row = super().create_model_instance(data)
        row.expire_date = _end(data)
        return row

    async def acreate_model_instance(self, data: Any) -> Any:
        row = await super().acreate_model_instance(data)
        row.expire_date = _end(data)
        return row

    async def _aget_session_from_db(self) -> Session | None:
        row = await Session.objects.filter(session_key=self.session_key, expire_date__gt=clock.now()).afirst()
        if row is None:
            self._session_key = None
        return row

    def _get_session_from_db(self) -> Session | None:
        """Return the row of a session that has not ended by our clock."""
        row = Session.objects.filter(session_key=self.session_key, expire_date__gt=clock.now()).first()
        if row is None:
            self._session_key = None
        return row


def _end(data: Any) -> datetime:
    if SINCE not in data:  # a visitor's, or a guest's at a table
        seconds = settings.GUEST_SESSION_S if GUEST_KEY in data else settings.SESSION_IDLE_S
        return clock.now() + timedelta(seconds=seconds)
    return datetime.fromtimestamp(min(data[SEEN] + data[IDLE], data[SINCE] + settings.SESSION_ABSOLUTE_S), tz=UTC)


def begin(request: HttpRequest, *, staff: bool) -> None:
    """Set the limits of the session of somebody who has just signed in. `staff`: whether a role of theirs needs a factor."""
    from allauth.usersessions.models import UserSession

    now = clock.now().timestamp()
    request.session[SINCE] = request.session[SEEN] = now
    request.session[IDLE] = idle_s(staff=staff)
    UserSession.objects.create_from_request(request)
    _note(request.session)


def idle_s(*, staff: bool) -> int:
    """Return after how many seconds without use a session ends."""
    return min(settings.SESSION_IDLE_STAFF_S, settings.SESSION_IDLE_S) if staff else settings.SESSION_IDLE_S


def is_use(request: HttpRequest) -> bool:
    """Return whether a person makes the request: not a page that lies open and asks for news by itself.

    Scripts ask with a plain Accept; browsers name several kinds. Sec-Fetch-Mode exists at secure addresses only.
    """
    if request.method != "GET":
        return True
    asked_by_script = request.headers.get("accept") in ("text/html", "application/json")
    return not asked_by_script and request.headers.get("sec-fetch-mode", "navigate") == "navigate"


def is_due(session: Any) -> bool:
    """Return whether the session's use must be written now. No query."""
    if SINCE not in session:
        return False
    return clock.now().timestamp() >= session[SEEN] + min(session[IDLE] / STEPS, LONGEST_STEP_S)


def go_on(request: HttpRequest, *, staff: bool) -> bool:
    """Write that the session is used, with the limits that hold now; return False if by these it is over.

    The person may have got a role since they were last here, and may have played at a table meanwhile.
    """
    from allauth.usersessions.models import UserSession

    session, now = request.session, clock.now().timestamp()
    row = UserSession.objects.filter(session_key=session.session_key).first()
    seen = max(session[SEEN], row.last_seen_at.timestamp()) if row is not None else session[SEEN]
    idle = idle_s(staff=staff)
    if now >= min(seen + idle, session[SINCE] + settings.SESSION_ABSOLUTE_S):
        return False
    session[SEEN], session[IDLE] = now, idle
    UserSession.objects.create_from_request(request)
    _note(session)
    return True


def _note(session: Any) -> None:
    """Write to the list of sessions what `keep` needs to know, and when the session was used."""
    from allauth.usersessions.models import UserSession

    limits = {SINCE: session[SINCE], IDLE: session[IDLE]}
    UserSession.objects.filter(session_key=session.session_key).update(data=limits, last_seen_at=clock.now())


def keep(session_key: str) -> None:
    """Extend a session because its person plays at a table; does nothing for sessions of guests, and for ended ones."""
    from allauth.usersessions.models import UserSession

    row = UserSession.objects.filter(session_key=session_key).first()
    if row is None or IDLE not in row.data:
        return
    now = clock.now()
    ends = _end({**row.data, SEEN: now.timestamp()})
    if Session.objects.filter(session_key=session_key, expire_date__gt=now).update(expire_date=ends):
        UserSession.objects.filter(pk=row.pk).update(last_seen_at=now)


def used_since(at: datetime) -> QuerySet[Any]:
    """Return the keys of the logins that have used a session since `at`; of those who have signed out since none.

    The use of a session is written every LONGEST_STEP_S at most, so `at` lies further back than that.
    """
    from allauth.usersessions.models import UserSession

    open_now = Session.objects.filter(expire_date__gt=clock.now()).values("session_key")
    return UserSession.objects.filter(last_seen_at__gte=at, session_key__in=open_now).values("user")


def ends_in_s(session: Any) -> int:
    """Return after how many seconds without use the session ends; 0 if it has ended or nobody is signed in by it."""
    if SINCE not in session:
        return 0
    row = Session.objects.filter(session_key=session.session_key).only("expire_date").first()
    return max(0, int((row.expire_date - clock.now()).total_seconds())) if row is not None else 0


def owner_mark(user: Any) -> str:
    """Return what a page and the site compare to know whether the page is still its reader's; it tells nothing else."""
    return str(salted_hmac("whose page", str(user.pk)).hexdigest()[:16]) if user.is_authenticated else ""


def end_others(user: Any, *, but: str | None = "") -> int:
    """End the sessions of the login except the one with the key `but`; return how many. Their sockets end in seconds."""
    from allauth.usersessions.models import UserSession

    rows = UserSession.objects.filter(user=user).exclude(session_key=but or "")
    keys = list(rows.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    rows.delete()
    ended.send(sender=None, user=user, key=None, kept=but or "")
    return len(keys)


def end_one(user: Any, number: int) -> bool:
    """End one session of the login, by the number in its list; return whether there was one."""
    from allauth.usersessions.models import UserSession

    row = UserSession.objects.filter(user=user, pk=number).first()
    if row is None:
        return False
    Session.objects.filter(session_key=row.session_key).delete()
    row.delete()
    ended.send(sender=None, user=user, key=row.session_key, kept=None)
    return True


def forget() -> int:
    """Delete ended sessions, their rows in the lists, and the rows of sign-ins older than KEEP_ADDRESSES_DAYS, which hold
    IP addresses; return how many."""
    from allauth.usersessions.models import UserSession
    from axes.models import AccessAttempt, AccessFailureLog, AccessLog

    now = clock.now()
    old = now - timedelta(days=settings.KEEP_ADDRESSES_DAYS)
    count = Session.objects.filter(expire_date__lte=now).delete()[0]
    count += UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()[0]
    for model in (AccessAttempt, AccessLog, AccessFailureLog):
        count += model.objects.filter(attempt_time__lt=old).delete()[0]
    return count
