"""Counters of the process in Prometheus' text format; access needs a token.

docs/hosting.md documents each one. `labels()` costs more than counting, so children that the hot path needs are
looked up once: `play_counter`, and tables of the modules that count.
"""

import hmac
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

PLAYS = Counter("tock_plays", "Plays committed", ["kind"])
COMMANDS = Counter("tock_commands", "Commands answered", ["answer"])
COMMIT_SECONDS = Histogram("tock_commit_seconds", "From parsed command to commit", buckets=SECONDS)
FANOUT_SECONDS = Histogram("tock_fanout_seconds", "From commit to the last socket's outbox", buckets=SECONDS)
SOCKETS = Gauge("tock_sockets", "Open table sockets")
SNAPSHOTS = Counter("tock_snapshots", "Snapshots sent", ["why"])
OUTBOX_OVERFLOWS = Counter("tock_socket_overflows", "Socket outboxes that overflowed")
HASH_MISMATCHES = Counter("tock_view_hash_mismatches", "Views that differed from the server's")

SIGN_INS = Counter("tock_sign_ins", "Sign-ins tried", ["outcome"])
REFUSALS = Counter("tock_refusals", "Authorisations refused", ["by"])


@cache
def play_counter(kind: str) -> Counter:
    """Return the counter of rows of this kind; there are about twenty."""
    return PLAYS.labels(kind)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the counters to a request with METRICS_TOKEN as bearer token; refuse all when none is set."""
    wanted = settings.METRICS_TOKEN
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not wanted or not hmac.compare_digest(wanted.encode(), given.encode()):
        return HttpResponse(status=404)
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)
