"""Heartbeats: every process that can serve tables updates a row every two seconds; gaps in all of them are outages.

Each process has its own row, so that processes never wait for one another. Only a process that starts, or that has been
silent, looks at the rows of the others: if none of them is fresh, nobody served since the last heartbeat of all, and
that gap is stored as an Outage. So a process with regular heartbeats knows every outage, and `outages` costs no query.

All times are milliseconds of the game clock.
"""

import hashlib
import logging
import socket
import threading
import uuid
from collections.abc import Sequence

from django.db.models import Max, Q

from games.models import Outage, Pulse
from tock_league.common import clock
from tock_league.common.transactions import writing

log = logging.getLogger(__name__)

EVERY_MS = 2_000  # between two heartbeats
LATE_MS = 3_000  # a process with an older heartbeat no longer serves
SKEW_MS = 1_500  # by which the clock of another machine may be behind: its heartbeats look older than they are
SILENT_MS = 5_000  # a running process may be this late without an outage: the machine may be busy
KEEP_MS = 30 * 24 * 3600 * 1000  # no decision and no wait lasts longer, without outages
STEP_MS = 3600 * 1000  # the largest step back of the system's clock that a new process corrects
FORGET_MS = 24 * 3600 * 1000  # rows of processes that ended long ago

Span = tuple[int, int]


class Heart:
    """The heartbeats of this process, and the outages that it knows. One scheduler thread writes, any may read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.begin()

    def begin(self) -> None:
        """Reset to the state of a process that has just started: a new process id, no heartbeat yet."""
        self._process = _machine() + uuid.uuid4().hex[8:]
        self._last: int | None = None  # the last heartbeat of this process; None: it has none
        self._failed = False  # the heartbeat after the last one could not be written
        # when a command noticed the end of an outage, before the heartbeat that will store it
        self._back: int | None = None
        self._spans: tuple[Span, ...] = ()

    def beat_due(self, now: int) -> bool:
        """Return whether it is time for the next heartbeat."""
        last = self._last
        return last is None or self._failed or now - last >= EVERY_MS or now < last

    def beat(self) -> int:
        """Write that this process serves tables now; return how long nobody did (ms), 0 if some process always has.

        Raises the database's errors; the silence that follows is then an outage, if no other process serves.
        """
        with self._lock:
            last, failed, now = self._last, self._failed, clock.now_ms()
            self._failed = True
        limit = LATE_MS if last is None or failed else SILENT_MS
        gap, spans = 0, self._spans
        with writing():
            regular = last is not None and now - last <= limit
            if not (regular and Pulse.objects.filter(process=self._process, stopped=False).update(at=now)):
                now = _after_all_beats(now)
                gap = self._begin(now, limit)
                spans = _spans(now)
        with self._lock:
            self._last, self._failed, self._back, self._spans = now, False, None, spans
        return gap

    def stop(self) -> None:
        """Announce that this process stops: the time until some process serves again is an outage."""
        with self._lock:
            beats, self._last, self._spans, self._back = self._last is not None, None, (), None
        if beats:
            with writing():
                Pulse.objects.filter(process=self._process).update(at=clock.now_ms(), stopped=True)

    def outages(self, now: int) -> Sequence[Span]:
        """Return (since, until) of the outages that may matter at `now`, in order; the last one may be ending now.

        No query in a process with a heartbeat. Two in another one, or when the last heartbeat is overdue.
        """
        if self._fresh(now):
            return self._spans
        # Others may be late, as this process may: a machine is busiest while processes are replaced.
        spans, last = _spans(now), _last_sign(now, SILENT_MS)
        if last is None:
            return spans
        with self._lock:
            if self._last is not None:
                self._back = min(self._back, now) if self._back is not None else now
        return (*spans, (last, now))

    def known(self, now: int) -> bool:
        """Return whether any process has ever had a heartbeat: without one nothing is known about outages."""
        return self._fresh(now) or Pulse.objects.exists()

    def served(self, now: int) -> bool:
        """Return whether some process serves the tables at `now`, or none has ever said so."""
        return self._fresh(now) or _last_sign(now) is None

    def counted(self, now: int) -> int:
        """Return the present for the clocks of tables: it stops at the last heartbeat of this process while its
        heartbeats fail, so that screens do not count down during an outage that will be credited.
        """
        last = self._last
        return now if last is None or now - last <= SILENT_MS else last

    def _fresh(self, now: int) -> bool:
        last = self._last
        return last is not None and abs(now - last) <= LATE_MS

    def _begin(self, now: int, limit: int) -> int:
        """Begin to beat, or continue after a silence: store the gap in which nobody served, and return it; inside
        `writing()`.
        """
        last, gap = _last_sign(now, limit), 0
        if last is not None:
            until = now if self._back is None else max(last + 1, min(self._back, now))
            gap = until - last
            Outage.objects.create(since=last, until=until)
            log.warning("no process served the tables for %.1f s", gap / 1000)
        others = Pulse.objects.exclude(process=self._process)
        others.filter(Q(at__lt=now - FORGET_MS) | Q(at__gt=now + STEP_MS)).delete()
        Pulse.objects.update_or_create(process=self._process, defaults={"at": now, "stopped": False})
        return gap


def _after_all_beats(now: int) -> int:
    """Return the present, moved past the latest heartbeat if the system's clock was set back meanwhile, by an hour at
    most.

    A game's time never runs backwards. Without this its clocks would stop until the time of its last row has come
    again.
    """
    latest = Pulse.objects.filter(at__lte=now + STEP_MS).aggregate(latest=Max("at"))["latest"] or 0
    if latest - now > LATE_MS:
        clock.not_before(
            clock.from_ms(latest + LATE_MS + 1)
        )  # counted as an outage of this length: it lasted for some time
        return max(now, clock.now_ms())
    return now


def _last_sign(now: int, limit: int = LATE_MS) -> int | None:
    """Return when the last process that served the tables did so, or None: one serves at `now`, or none ever has."""
    rows = list(Pulse.objects.filter(at__lte=now + STEP_MS).values_list("process", "at", "stopped"))
    here = _machine()
    for process, at, stopped in rows:
        if not stopped and now - at <= limit + (0 if process.startswith(here) else SKEW_MS):
            return None
    last = max((at for _process, at, _stopped in rows), default=now)
    return last if last < now else None


def _machine() -> str:
    """Return how the names of this machine's processes begin: eight hex digits."""
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


def _spans(now: int) -> tuple[Span, ...]:
    found = Outage.objects.filter(until__gt=now - KEEP_MS).order_by("until")
    return tuple(found.values_list("since", "until"))


def missed(spans: Sequence[Span], since: int, until: int) -> tuple[int, int]:
    """Return how much of `since` .. `until` nothing was served (ms), and when service last returned; (0, 0): none of
    it.
    """
    total, back, seen = 0, 0, since
    for begin, end in sorted(spans):
        begin, end = max(begin, seen), min(end, until)
        if begin < end:
            total, back, seen = total + end - begin, end, end
    return total, back


heart = Heart()
