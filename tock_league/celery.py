"""The Celery application: `celery -A tock_league worker`, `... beat`; as threads, embedded/worker.py."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tock_league.settings.production")

app = Celery("tock_league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
