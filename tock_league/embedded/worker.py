"""Celery's worker and beat as threads of the web process, for `serve` and for tests against a running site.

`celery.apps.worker.Worker` would install signal handlers and a banner; the plain WorkController does neither.
"""

import threading

from celery import Celery
from celery.beat import Scheduler, Service
from celery.worker import WorkController, state

from tock_league.celery import app as house_app

THREADS = 2
QUEUES = "results,recompute"


class Worker:
    """Runs tasks from the memory broker in THREADS threads; one per process, for Celery's stop sign is process-wide."""

    def __init__(self, app: Celery = house_app) -> None:
        self.app = app
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def _run(self) -> None:
        self.app.set_current()
        state.should_stop = None
        controller = WorkController(
            app=self.app,
            hostname="embedded@localhost",
            pool_cls="threads",
            concurrency=THREADS,
            queues=QUEUES,
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
            task_events=False,
            loglevel="WARNING",
            ready_callback=lambda consumer: self._ready.set(),
        )
        controller.start()

    def start(self, patience: float = 20.0) -> None:
        """Start and wait until tasks are taken. Raises TimeoutError after `patience` seconds."""
        self._thread.start()
        if not self._ready.wait(patience):
            raise TimeoutError("the Celery worker thread does not come up")

    def ask_to_stop(self) -> None:
        """Tell the worker to take no more tasks; it notices within two seconds."""
        state.should_stop = 0

    def stop(self, patience: float = 10.0) -> None:
        """Stop, let the running tasks end, wait at most `patience` seconds."""
        self.ask_to_stop()
        self._thread.join(patience)
        state.should_stop = None


class Beat:
    """Sends the tasks of CELERY_BEAT_SCHEDULE at their times; remembers nothing between two starts."""

    def __init__(self, app: Celery = house_app) -> None:
        self.app = app
        self.service = Service(app, max_interval=0.5, scheduler_cls=Scheduler)
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
