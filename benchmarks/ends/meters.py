"""Counts the statements of each task and measures how long transactions hold the write lock, in this process."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from celery import current_task, signals
from django.db import connection, connections, transaction
from django.db.backends.signals import connection_created

from games.announcements import GameFinished
from tock_league.common import bus, outbox, transactions

CONTROL = ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "COMMIT")
END, SUBSCRIBERS, SENDING = "the end of the game", "subscribers of GameFinished", "sending tasks"


class Meters:
    """What has happened since `start`: statements by place (a task or a part of the end), and lock times."""

    def __init__(self) -> None:
        self.statements: Counter[str] = Counter()
        self.control: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.cpu: Counter[str] = Counter()  # microseconds of the thread; the end's own contain those of its subscribers
        self.held: dict[str, list[tuple[float, float]]] = {}  # seconds, and seconds of CPU, by place
        self.waits: list[float] = []  # seconds that a short write of another table waited
        self._local = threading.local()
        self._guard = threading.Lock()

    def place(self) -> str:
        """Return what runs in this thread now; "" for what is not measured."""
        if task := getattr(current_task, "name", None):
            return str(task)
        return str(getattr(self._local, "place", ""))

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Count the block for `place`, unless a task runs."""
        before, began = getattr(self._local, "place", ""), time.thread_time()
        self._local.place = place
        try:
            yield
        finally:
            self._local.place = before
            self._spent(place, began)

    def _spent(self, place: str, began: float) -> None:
        with self._guard:
            self.cpu[place] += int(1_000_000 * (time.thread_time() - began))

    def count(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Execute a statement and count it."""
        kind = self.control if sql.lstrip().upper().startswith(CONTROL) else self.statements
        with self._guard:
            kind[self.place()] += 1
        return execute(sql, params, many, context)

    def start(self) -> None:
        """Measure from now on, on every connection of this process."""

        def created(connection: Any, **_more: Any) -> None:
            if self.count not in connection.execute_wrappers:  # a worker opens its connection anew for each task
                connection.execute_wrappers.append(self.count)

        self._created = created  # signals keep weak references
        connection_created.connect(created)

        def begin(**_more: Any) -> None:
            self._local.began = time.thread_time()

        def end(task: Any, **_more: Any) -> None:
            self._spent(str(task.name), self._local.began)

        self._begin, self._end = begin, end
        signals.task_prerun.connect(begin)
        signals.task_postrun.connect(end)
        connections.close_all()
        self._wrap_writing()
        publish, send = bus.publish, outbox.send

        def published(announcement: object) -> None:
            if isinstance(announcement, GameFinished):
                with self.at(SUBSCRIBERS):
                    publish(announcement)
            else:
                publish(announcement)

        def sent(rows: Any) -> None:
            with self.at(SENDING):
                send(rows)

        bus.publish, outbox.send = published, sent

    def _wrap_writing(self) -> None:
        """Note how long each outermost `writing()` keeps others out; services import its name, so its parts are wrapped."""
        if connection.vendor == "sqlite":
            transactions._write_lock = _Timed(transactions._write_lock, self._note)  # type: ignore[assignment]
            return
        real = transaction.Atomic
        meters = self

        class Timed(real):  # type: ignore[misc,valid-type]
            def __enter__(self) -> None:
                self.outer = not connection.in_atomic_block
                self.began, self.cpu = time.monotonic(), time.thread_time()
                super().__enter__()

            def __exit__(self, *reason: Any) -> None:
                super().__exit__(*reason)
                if self.outer:
                    meters._note(time.monotonic() - self.began, time.thread_time() - self.cpu)

        transaction.Atomic = Timed  # type: ignore[misc]

    def _note(self, seconds: float, cpu: float) -> None:
        with self._guard:
            self.held.setdefault(self.place(), []).append((seconds, cpu))
            self.calls[self.place()] += 1

    def probe(self, stop: threading.Event, every: float = 0.02) -> None:
        """Write a short transaction every `every` seconds, as a play at another table does; note how long each took."""
        while not stop.wait(every):
            began = time.monotonic()
            with self.at("probe"), transactions.writing(), connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            self.waits.append(time.monotonic() - began)
        connection.close()


class _Timed:
    """A re-entrant lock that notes how long its outermost holder kept it."""

    def __init__(self, lock: Any, note: Callable[[float, float], None]) -> None:
        self._lock, self._note = lock, note
        self._depth, self._began, self._cpu = 0, 0.0, 0.0  # only its holder changes them

    def __enter__(self) -> None:
        self._lock.acquire()
        if not self._depth:
            self._began, self._cpu = time.monotonic(), time.thread_time()
        self._depth += 1

    def __exit__(self, *_reason: Any) -> None:
        self._depth -= 1
        seconds, cpu, outermost = time.monotonic() - self._began, time.thread_time() - self._cpu, not self._depth
        self._lock.release()
        if outermost:
            self._note(seconds, cpu)
