"""Liveness and readiness checks, for load balancers and for the person who hosts the site."""

import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any

from django.core.cache import cache as shared
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from . import clock, proxies, space
from .models import OutboxRow

log = logging.getLogger(__name__)
LOOK_S = 1.0  # timeout for the database's answer


def pulse(name: str) -> None:
    """Record in the shared cache that the component `name` is alive."""
    shared.set(f"pulse:{name}", clock.now_ms(), timeout=None)


@require_safe
@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """Answer that the process is alive."""
    return JsonResponse({"live": True})


class Looks:
    """Checks the database, one check at a time, in a thread of its own, which alone hangs when there is no answer."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="ready")
        self._running: Future[dict[str, Any]] | None = None

    def look(self, seconds: float) -> dict[str, Any]:
        """Return the result of the check; `database` is False when it takes more than `seconds`."""
        with self._lock:
            if self._running is None or self._running.done():
                self._running = self._threads.submit(_look)
            running = self._running
        try:
            return running.result(seconds)
        except TimeoutError:
            return {"database": False}


def _look() -> dict[str, Any]:
    try:
        if not _migrated():
            return {"database": True, "migrations": False}
        oldest = OutboxRow.objects.filter(done_at__isnull=True).order_by("created_at").first()
        waited = round((clock.now() - oldest.created_at).total_seconds(), 1) if oldest else 0
        return {"database": True, "migrations": True, "oldest_outbox_s": waited}
    except Exception as error:
        log.info("readiness: %s", type(error).__name__)
        return {"database": False}
    finally:
        connection.close()


def _migrated() -> bool:
    """Return whether every migration of the code is applied. One query, where that is so."""
    if _migrations() <= set(MigrationRecorder(connection).applied_migrations()):
        return True
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


@cache
def _migrations() -> frozenset[tuple[str, str]]:
    disk = MigrationLoader(None).disk_migrations
    return frozenset(disk) if disk is not None else frozenset()


looks = Looks()


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Database reachable and migrated, space to write, Redis, pulses of worker and beat, age of the oldest waiting
    outbox row (seconds), proxies.

    Answers within two seconds. `missing`: failures that keep the site from serving (status 503). `degraded`: those that
    do not.
    """
    parts = dict(looks.look(LOOK_S))
    seen = shared.get("pulse:worker")
    parts["worker_pulse_s"] = round((clock.now_ms() - seen) / 1000, 1) if seen else None
    ticked = shared.get("pulse:beat")
    parts["beat_pulse_s"] = round((clock.now_ms() - ticked) / 1000, 1) if ticked else None
    if (is_shared := getattr(shared, "is_shared", None)) is not None:
        parts["redis"] = is_shared
    parts["disk"] = space.is_left()
    parts["proxies"] = proxies.are_right()
    missing = [name for name in ("database", "migrations", "disk") if parts.get(name) is False]
    degraded = [name for name in ("redis", "proxies") if parts.get(name) is False]
    body = {"ready": not missing, "missing": missing, "degraded": degraded, **parts}
    return JsonResponse(body, status=503 if missing else 200)
