"""Counters of the process, in Prometheus' text format, behind a token."""

import hmac

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

PLAYS = Counter("tock_plays", "Plays committed", ["kind"])
COMMANDS = Counter("tock_commands", "Commands answered", ["answer"])
COMMIT_SECONDS = Histogram("tock_commit_seconds", "From parsed command to commit")
FANOUT_SECONDS = Histogram("tock_fanout_seconds", "From commit to the last socket's outbox")
SOCKETS = Gauge("tock_sockets", "Open table sockets")
SNAPSHOTS = Counter("tock_snapshots", "Snapshots sent", ["why"])
OUTBOX_OVERFLOWS = Counter("tock_socket_overflows", "Socket outboxes that overflowed")
HASH_MISMATCHES = Counter("tock_view_hash_mismatches", "Views that differed from the server's")


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the counters to whoever shows METRICS_TOKEN as bearer; without a token set, to nobody."""
    wanted = settings.METRICS_TOKEN
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not wanted or not hmac.compare_digest(wanted.encode(), given.encode()):
        return HttpResponse(status=404)
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)
