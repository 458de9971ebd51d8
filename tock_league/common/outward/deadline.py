"""Ends an exchange when its time is over."""

import contextlib
import socket
import threading


class Deadline:
    """Shuts the socket that it holds after some seconds, whatever another thread does with it.

    It holds a copy of the socket, because that thread wraps its own one for TLS, and closes it.
    """

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._lock = threading.Lock()
        self._held: socket.socket | None = None
        self._timer = threading.Timer(max(0.0, seconds), self._cut)
        self._timer.daemon = True

    def __enter__(self) -> "Deadline":
        self._timer.start()
        return self

    def __exit__(self, *_problem: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._release()

    def hold(self, sock: socket.socket) -> None:
        """Hold this socket instead of the one before."""
        with self._lock:
            self._release()
            self._held = sock.dup()
            if self.passed:
                self._shut()

    def _cut(self) -> None:
        with self._lock:
            self.passed = True
            self._shut()

    def _shut(self) -> None:
        if self._held is not None:
            with contextlib.suppress(OSError):  # the other side has closed it
                self._held.shutdown(socket.SHUT_RDWR)

    def _release(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None
