"""Could any process have served the tables? Every process that can writes a row every two seconds; its gaps are outages.

A process beats its own row, so that several never wait for one another. Only who begins, or has been silent itself, looks
at the rows of the others: where none of them is fresh, nobody served since the last beat of all, and that gap is kept as an
Outage. So while a process beats regularly it knows every outage there is, and `outages` costs no query.

All times are milliseconds of the game clock.
"""

import logging
import threading
import uuid
from collections.abc import Sequence

from django.db.models import Max, Q

from games.models import Outage, Pulse
from tock_league.common import clock
from tock_league.common.transactions import writing

log = logging.getLogger(__name__)

EVERY_MS = 2_000  # between two beats
LATE_MS = 3_000  # a beat this old is that of a process that serves no more
SILENT_MS = 5_000  # a process that lives on may be this late without having failed: a busy machine is no outage
KEEP_MS = 30 * 24 * 3600 * 1000  # no decision and no wait lasts longer, outages left out
STEP_MS = 3600 * 1000  # the largest step back of the system's clock that a new process makes good
FORGET_MS = 24 * 3600 * 1000  # rows of processes that are long gone

Span = tuple[int, int]


class Heart:
    """The beats of this process, and the outages it knows of. One scheduler thread beats; any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.begin()

    def begin(self) -> None:
        """Be the heart of a server that has just started and has not beaten yet."""
        self._process = uuid.uuid4().hex
        self._last: int | None = None  # when this process beat last; None: it does not
        self._failed = False  # the beat after the last one could not be written
        self._back: int | None = None  # when a command noticed the end of an outage, before the beat that will keep it
        self._spans: tuple[Span, ...] = ()

    def beat_due(self, now: int) -> bool:
        """Return whether it is time for the next beat."""
        last = self._last
        return last is None or self._failed or now - last >= EVERY_MS or now < last

    def beat(self) -> int:
        """Write that this process serves tables now; return how long nobody did (ms), 0 when somebody always has.

        Raises the database's errors; the silence that follows is then an outage, if nobody else serves.
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
        """Announce that this process stops: what follows until somebody serves again is an outage from this moment on."""
        with self._lock:
            beats, self._last, self._spans, self._back = self._last is not None, None, (), None
        if beats:
            with writing():
                Pulse.objects.filter(process=self._process).update(at=clock.now_ms(), stopped=True)

    def outages(self, now: int) -> Sequence[Span]:
        """Return (since, until) of the outages that may matter at `now`, in order; the last one may end just now.

        No query in a process that beats. Two in another one, or where the last beat is overdue.
        """
        if self._fresh(now):
            return self._spans
        spans, last = _spans(now), _last_sign(now)
        if last is None:
            return spans
        with self._lock:
            if self._last is not None:
                self._back = min(self._back, now) if self._back is not None else now
        return (*spans, (last, now))

    def known(self, now: int) -> bool:
        """Return whether any process has ever beaten: without one nothing is known of outages."""
        return self._fresh(now) or Pulse.objects.exists()

    def served(self, now: int) -> bool:
        """Return whether some process serves the tables at `now`, or none has ever said so."""
        return self._fresh(now) or _last_sign(now) is None

    def counted(self, now: int) -> int:
        """Return the present as the clocks of tables count it: it stands at the last beat of this process while its beats
        fail, so that screens do not count down through an outage that will be given back."""
        last = self._last
        return now if last is None or now - last <= SILENT_MS else last

    def _fresh(self, now: int) -> bool:
        last = self._last
        return last is not None and abs(now - last) <= LATE_MS

    def _begin(self, now: int, limit: int) -> int:
        """Begin to beat, or go on after a silence: keep the gap since anybody served, and return it; inside `writing()`."""
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
    """Return the present, moved past the latest beat where the system's clock was set back meanwhile, by an hour at most.

    A game's time never runs back. Without this its clocks would stand still until the hour of its last row has come again.
    """
    latest = Pulse.objects.filter(at__lte=now + STEP_MS).aggregate(latest=Max("at"))["latest"] or 0
    if latest - now > LATE_MS:
        clock.not_before(
            clock.from_ms(latest + LATE_MS + 1)
        )  # so long is counted as an outage: it lasted for some time
        return max(now, clock.now_ms())
    return now


def _last_sign(now: int, limit: int = LATE_MS) -> int | None:
    """Return when the last process that served the tables did so, or None: one serves at `now`, or none ever has."""
    rows = list(Pulse.objects.filter(at__lte=now + STEP_MS).values_list("at", "stopped"))
    if not rows or any(not stopped and now - at <= limit for at, stopped in rows):
        return None
    last = max(at for at, _stopped in rows)
    return last if last < now else None


def _spans(now: int) -> tuple[Span, ...]:
    found = Outage.objects.filter(until__gt=now - KEEP_MS).order_by("until")
    return tuple(found.values_list("since", "until"))


def missed(spans: Sequence[Span], since: int, until: int) -> tuple[int, int]:
    """Return how long of `since` .. `until` nothing was served (ms), and when service came back last; (0, 0): never."""
    total, back, seen = 0, 0, since
    for begin, end in sorted(spans):
        begin, end = max(begin, seen), min(end, until)
        if begin < end:
            total, back, seen = total + end - begin, end, end
    return total, back


heart = Heart()
