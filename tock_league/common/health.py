"""Is the process alive, and is the whole service ready? For balancers and for the person who hosts it."""

from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from . import clock
from .models import OutboxRow

STALE = timedelta(minutes=2)


def pulse(name: str) -> None:
    """Note in the shared cache that the part called `name` lives."""
    cache.set(f"pulse:{name}", clock.now_ms(), timeout=None)


@require_safe
@never_cache
def live(request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"live": True})


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    """Database reachable and migrated, worker's pulse, age of the oldest waiting outbox row (seconds)."""
    parts: dict[str, Any] = {}
    try:
        executor = MigrationExecutor(connection)
        parts["migrations"] = not executor.migration_plan(executor.loader.graph.leaf_nodes())
        parts["database"] = True
        oldest = (
            OutboxRow.objects.filter(done_at__isnull=True)
            .order_by("created_at")
            .values_list("created_at", flat=True)
            .first()
        )
        parts["oldest_outbox_s"] = round((clock.now() - oldest).total_seconds(), 1) if oldest else 0
    except Exception:
        parts["database"] = False
    seen = cache.get("pulse:worker")
    parts["worker_pulse_s"] = round((clock.now_ms() - seen) / 1000, 1) if seen else None
    fine = bool(parts.get("database")) and bool(parts.get("migrations"))
    return JsonResponse({"ready": fine, **parts}, status=200 if fine else 503)
