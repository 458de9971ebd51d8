"""The Celery application: `celery -A tock_league worker`, `... beat`; as threads, embedded/worker.py."""

import logging.config
import os
import threading
from pathlib import Path
from typing import Any

from celery import Celery, signals
from django.conf import settings

from tock_league.common import clock, logs
from tock_league.embedded import meters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.production")
if os.environ.get(meters.PORT):
    meters.together()  # before anything that counts is imported

app = Celery("tock_league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

PULSE_S = 5.0  # between two pulses of beat, at least
PULSE_FILE = "BEAT_PULSE_FILE"  # touched by beat at each pulse, for the health check of its container


@signals.setup_logging.connect
def set_up_logging(**kwargs: Any) -> None:
    """Configure logging as in the web processes, regardless of the command line."""
    logging.config.dictConfig(settings.LOGGING)


@signals.worker_init.connect
def open_metrics(**kwargs: Any) -> None:
    """Answer scrapes, in the parent of a worker's processes."""
    if port := os.environ.get(meters.PORT):
        meters.serve(int(port))


@signals.worker_process_shutdown.connect
def close_metrics(pid: int, **kwargs: Any) -> None:
    """Forget the gauges of a worker's process that ends."""
    meters.ended(pid)


@signals.before_task_publish.connect
def stamp(headers: dict[str, Any] | None = None, **kwargs: Any) -> None:
    """Add the time of sending to a task, for its lag."""
    if headers is not None:
        headers["sent_at"] = clock.now_ms()


@signals.task_prerun.connect
def begin(task: Any, task_id: str, **kwargs: Any) -> None:
    """Add the task to the log context; count how long it has waited."""
    from tock_league.common import metrics

    logs.set_context({"task": task.name, "task_id": task_id})
    task.request.began = clock.monotonic()
    if sent := getattr(task.request, "sent_at", None):
        metrics.TASK_LAG_SECONDS.observe(max(0, clock.now_ms() - sent) / 1000)


@signals.task_postrun.connect
def end(task: Any, state: str | None = None, **kwargs: Any) -> None:
    """Clear the log context of this thread; count the task."""
    from tock_league.common import metrics

    logs.set_context({})
    metrics.TASKS.labels("done" if state == "SUCCESS" else "failed").inc()
    if began := getattr(task.request, "began", None):
        metrics.TASK_SECONDS.observe(clock.monotonic() - began)


class Beating:
    """Beat's pulse: it is alive whenever its thread sends a task, which it does every few seconds."""

    def __init__(self) -> None:
        self.thread = 0
        self.at_s = -PULSE_S

    def begin(self, **kwargs: Any) -> None:
        """Take the present thread for that of beat."""
        self.thread = threading.get_ident()

    def pulse(self, **kwargs: Any) -> None:
        """Record the pulse, in the shared cache and by the file's time, if this is beat's thread."""
        if threading.get_ident() != self.thread or clock.monotonic() - self.at_s < PULSE_S:
            return
        from tock_league.common import health

        self.at_s = clock.monotonic()
        if path := os.environ.get(PULSE_FILE):
            Path(path).touch()
        health.pulse("beat")


beating = Beating()
signals.beat_init.connect(beating.begin)
signals.before_task_publish.connect(beating.pulse)
