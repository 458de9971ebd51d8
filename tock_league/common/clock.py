"""The only module that reads the time.

Wall time is read once and advanced by the monotonic clock, so that a step of the system clock (a correction, a
daylight-saving mistake, a virtual machine that slept) never makes a deadline jump. See docs/architecture.md,
"Deadlines". The offset is slewed by at most 10 ms a second towards the wall clock.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta

SLEW = 0.01  # seconds of correction per second that passed

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_lock = threading.Lock()
_base_wall = time.time()
_base_mono = time.monotonic()
_frozen: datetime | None = None
_held: ContextVar[datetime | None] = ContextVar("held", default=None)


def _seconds() -> float:
    """Return the time in seconds since 1970, advanced by the monotonic clock and slewed towards the wall clock."""
    global _base_wall, _base_mono
    with _lock:
        mono = time.monotonic()
        passed = mono - _base_mono
        ours = _base_wall + passed
        if passed >= 1.0:
            error = time.time() - ours
            ours += max(-SLEW * passed, min(SLEW * passed, error))
            _base_wall, _base_mono = ours, mono
        return ours


def now() -> datetime:
    """Return the present instant, aware, in UTC."""
    held_at = _held.get()
    if held_at is not None:
        return held_at
    if _frozen is not None:
        return _frozen
    return datetime.fromtimestamp(_seconds(), tz=UTC)


def now_ms() -> int:
    """Return the present instant in whole milliseconds since 1970."""
    return ms(now())


def not_before(instant: datetime) -> None:
    """Advance our clock to `instant` if it is behind; afterwards it is slewed towards the wall clock as usual.

    For a process that starts after the system clock was set back: stored instants must not lie in the future.
    """
    global _base_wall
    behind = instant.timestamp() - _seconds()
    if behind > 0:
        with _lock:
            _base_wall += behind


def ms(instant: datetime) -> int:
    """Return `instant` in whole milliseconds since 1970, rounded down: what is due now is not due in the future."""
    return (instant - _EPOCH) // _MILLISECOND


def from_ms(value: int) -> datetime:
    """Return the aware UTC instant that lies `value` milliseconds after 1970."""
    return datetime.fromtimestamp(value / 1000, tz=UTC)


def monotonic() -> float:
    """Return seconds of a monotonic clock; only differences are meaningful."""
    return time.monotonic()


@contextmanager
def held() -> Iterator[datetime]:
    """Let the block see one instant, the present one, and yield it; other threads and tasks are not affected.

    For a transaction whose times must not depend on how long it takes, such as a preview and its execution.
    """
    at = now()
    token = _held.set(at)
    try:
        yield at
    finally:
        _held.reset(token)


def pause(seconds: float) -> None:
    """Sleep; for schedulers and retries, never inside a transaction."""
    time.sleep(seconds)


class Frozen:
    """A clock that a test controls."""

    def set(self, at: datetime) -> None:
        global _frozen
        _frozen = at

    def advance(self, **parts: float) -> None:
        """Move on by `timedelta(**parts)`."""
        assert _frozen is not None
        self.set(_frozen + timedelta(**parts))


@contextmanager
def frozen(at: datetime) -> Iterator[Frozen]:
    """Hold the clock at `at` inside the block; for tests and for loading a season that lies in the past."""
    global _frozen
    before = _frozen
    hand = Frozen()
    hand.set(at)
    try:
        yield hand
    finally:
        _frozen = before
