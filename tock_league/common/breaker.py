"""A circuit breaker: after a failure, calls are refused at once for a moment instead of each paying the timeout."""

import logging
import threading

from . import clock

log = logging.getLogger(__name__)


class Breaker:
    """Closed while calls work. A failure opens it for `rest` seconds; then one call each `rest` seconds may try.

    `name`: what is called, for the log; one line when it opens, one when it closes. Callable from any thread.
    """

    def __init__(self, name: str, rest: float) -> None:
        self.name, self.rest = name, rest
        self._lock = threading.Lock()
        self._open_until: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether the last call failed."""
        return self._open_until is not None

    def allows(self) -> bool:
        """Return whether a call may be made now."""
        if self._open_until is None:
            return True
        with self._lock:
            now = clock.monotonic()
            if self._open_until is not None and now < self._open_until:
                return False
            if self._open_until is not None:
                self._open_until = now + self.rest  # this caller tries; the others are refused until it has a result
            return True

    def failed(self, error: BaseException) -> bool:
        """Note that a call failed; return whether that opened the breaker."""
        with self._lock:
            opened, self._open_until = self._open_until is None, clock.monotonic() + self.rest
        if opened:
            log.warning("%s does not answer: %s", self.name, type(error).__name__)
        return opened

    def worked(self) -> bool:
        """Note that a call worked; return whether that closed the breaker."""
        if self._open_until is None:
            return False
        with self._lock:
            closed, self._open_until = self._open_until is not None, None
        if closed:
            log.warning("%s answers again", self.name)
        return closed
