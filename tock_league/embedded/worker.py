"""Celery's worker and beat as threads of the web process, for `serve` and for tests against a running site.

`celery.apps.worker.Worker` would install signal handlers and a banner; the plain WorkController does neither.
"""

import threading
from typing import Any

from celery import Celery
from celery.beat import Scheduler, Service
from celery.bootsteps import RUN
from celery.exceptions import WorkerShutdown
from celery.worker import WorkController

from tock_league.celery import app as house_app

THREADS = 2
QUEUES = "results,recompute"
LOOK_UP = 0.2  # seconds between two looks at the stop sign while no message comes


class Worker:
    """Runs tasks from the memory broker in THREADS threads."""

    def __init__(self, app: Celery = house_app) -> None:
        self.app = app
        self._ready = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def _run(self) -> None:
        self.app.set_current()
        controller = WorkController(
            app=self.app,
            hostname="embedded@localhost",
            pool_cls="threads",
            concurrency=THREADS,
            queues=QUEUES,
            use_eventloop=False,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
            task_events=False,
            loglevel="WARNING",
            ready_callback=lambda consumer: self._ready.set(),
        )
        controller.consumer.loop = self._loop
        controller.start()

    def _loop(self, consumer: Any, connection: Any, tasks: Any, blueprint: Any, hub: Any, qos: Any, *more: Any) -> None:
        """Take messages until told to stop; Celery's own loop for such brokers would notice after four seconds.

        The arguments are those of `celery.worker.loops.synloop`, whose work this does.
        """
        tasks.on_message = consumer.create_task_handler()
        tasks.consume()
        consumer.on_ready()
        while blueprint.state == RUN and consumer.connection:
            if self._stopping.is_set():
                raise WorkerShutdown(0)
            if qos.prev != qos.value:
                qos.update()
            consumer.perform_pending_operations()
            try:
                connection.drain_events(timeout=LOOK_UP)
            except TimeoutError:
                continue

    def start(self, patience: float = 20.0) -> None:
        """Start and wait until tasks are taken. Raises TimeoutError after `patience` seconds."""
        self._thread.start()
        if not self._ready.wait(patience):
            raise TimeoutError("the Celery worker thread does not come up")

    def ask_to_stop(self) -> None:
        """Tell the worker to take no more tasks."""
        self._stopping.set()

    def stop(self, patience: float = 10.0) -> None:
        """Stop, let the running tasks end, wait at most `patience` seconds."""
        self.ask_to_stop()
        self._thread.join(patience)


class Beat:
    """Sends the tasks of CELERY_BEAT_SCHEDULE at their times; remembers nothing between two starts."""

    def __init__(self, app: Celery = house_app) -> None:
        self.app = app
        self.service = Service(app, max_interval=LOOK_UP, scheduler_cls=Scheduler)
        self._thread = threading.Thread(target=self._run, name="beat", daemon=True)

    def _run(self) -> None:
        self.app.set_current()
        self.service.start()

    def start(self) -> None:
        """Start; the first task goes out after its interval, not at once."""
        self._thread.start()

    def stop(self, patience: float = 2.0) -> None:
        """Stop and wait at most `patience` seconds."""
        self.service.stop()
        self._thread.join(patience)
