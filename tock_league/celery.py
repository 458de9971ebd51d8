"""The Celery application: `celery -A tock_league worker`, `... beat`; as threads, embedded/worker.py."""

import logging.config
import os
from typing import Any

from celery import Celery, signals
from django.conf import settings

from tock_league.common import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.production")

app = Celery("tock_league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.setup_logging.connect
def set_up_logging(**kwargs: Any) -> None:
    """Configure logging as in the web processes, regardless of the command line."""
    logging.config.dictConfig(settings.LOGGING)


@signals.task_prerun.connect
def begin(task: Any, task_id: str, **kwargs: Any) -> None:
    """Add the task to the log context."""
    logs.set_context({"task": task.name, "task_id": task_id})


@signals.task_postrun.connect
def end(**kwargs: Any) -> None:
    """Clear the log context of this thread."""
    logs.set_context({})
