"""Sends tasks to the broker in a thread, so that a request does not wait for a broker that hangs or is down.

One thread of the process sends, in the order of the commits. The queue is bounded, and a lost task is harmless: its
outbox row remains, and the sweep sends it again.
"""

import logging
import os
import threading
from collections.abc import Callable
from queue import Full, Queue

from django.conf import settings

log = logging.getLogger(__name__)
WAITING = 1000  # tasks; more are left to the sweep

Send = Callable[[], object]


class Sender:
    """A thread called `name` and its queue; it starts with the first task, and again in a forked process."""

    def __init__(self, name: str = "broker") -> None:
        self.name = name
        self._lock = threading.Lock()
        self._queue: Queue[Send] = Queue(WAITING)
        self._pid = 0

    def put(self, send: Send) -> bool:
        """Let the thread call `send`; return False when the queue is full."""
        with self._lock:
            if self._pid != os.getpid():
                self._pid, self._queue = os.getpid(), Queue(WAITING)
                threading.Thread(target=self._run, args=(self._queue,), name=self.name, daemon=True).start()
        try:
            self._queue.put_nowait(send)
        except Full:
            return False
        return True

    @staticmethod
    def _run(queue: "Queue[Send]") -> None:
        while True:
            send = queue.get()
            try:
                send()
            except Exception:
                if not threading.main_thread().is_alive():
                    return  # the process ends, and no thread can be started any more; the sweep sends the rest
                log.exception("not sent")


sender = Sender()


def hand_over(send: Send) -> None:
    """Call `send`: directly when the broker is in this process's memory, else in the sender's thread."""
    if settings.CELERY_BROKER_URL.startswith("memory:"):
        send()
    elif not sender.put(send):
        log.warning("the broker is behind by %s tasks; the sweep sends what is left out", WAITING)
