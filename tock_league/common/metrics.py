"""Counters in Prometheus' text format; access needs a token.

docs/production.md documents each one. `labels()` costs more than counting, so children that the hot path needs are
looked up once: `play_counter`, and tables of the modules that count.

Processes with the same parent count in files of one folder (`tock_league.embedded.meters`); each answers with the sum.
"""

import hmac
import os
from collections.abc import Callable, Iterable
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Metric,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

PLAYS = Counter("tock_plays", "Plays committed", ["kind"])
COMMANDS = Counter("tock_commands", "Commands answered", ["answer"])
COMMIT_SECONDS = Histogram("tock_commit_seconds", "From parsed command to commit", buckets=SECONDS)
FANOUT_SECONDS = Histogram("tock_fanout_seconds", "From commit to the last socket's outbox", buckets=SECONDS)
SOCKETS = Gauge("tock_sockets", "Open table sockets", multiprocess_mode="livesum")
SOCKET_LIMIT = Gauge("tock_socket_limit", "Table sockets that the processes accept", multiprocess_mode="livesum")
SNAPSHOTS = Counter("tock_snapshots", "Snapshots sent", ["why"])
OUTBOX_OVERFLOWS = Counter("tock_socket_overflows", "Socket outboxes that overflowed")
HASH_MISMATCHES = Counter("tock_view_hash_mismatches", "Views that differed from the server's")

SIGN_INS = Counter("tock_sign_ins", "Sign-ins tried", ["outcome"])
REFUSALS = Counter("tock_refusals", "Authorisations refused", ["by"])

TASKS = Counter("tock_tasks", "Tasks that ended in a worker", ["outcome"])
TASK_SECONDS = Histogram("tock_task_seconds", "Running time of a task", buckets=SECONDS)
TASK_LAG_SECONDS = Histogram("tock_task_lag_seconds", "From sending a task to its start", buckets=SECONDS)
RESENT = Counter("tock_outbox_resent", "Outbox rows that the sweep had to send again")
BEACONS = Counter("tock_beacons", "Games that have waited for the public beacon", ["outcome"])
# Counted from 0, so that the first one is an increase too.
BEACON_OUTCOMES = {outcome: BEACONS.labels(outcome) for outcome in ("present", "absent")}
BEACON_FAILURES = Counter("tock_beacon_failures", "Answers of the beacon's source that were no round", ["why"])
MISSED = Counter("tock_deadlines_missed", "Deadlines and bots' turns that no web process has claimed")

# What each scrape looks up, besides what is counted: functions that yield metrics. Apps add theirs when they are ready.
LOOKED_UP: list[Callable[[], Iterable[Metric]]] = []
FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library's name


@cache
def play_counter(kind: str) -> Counter:
    """Return the counter of rows of this kind; there are about twenty."""
    return PLAYS.labels(kind)


class LookedUp:
    """Collects what is looked up at the scrape."""

    def collect(self) -> Iterable[Metric]:
        for look in LOOKED_UP:
            yield from look()


def counted() -> CollectorRegistry:
    """Return the counters of this process, or the sums of all processes that share its folder."""
    if FOLDER not in os.environ:
        return REGISTRY
    together = CollectorRegistry()
    MultiProcessCollector(together)
    return together


def text() -> bytes:
    """Return everything that is counted and looked up, in Prometheus' text format."""
    looked_up = CollectorRegistry(auto_describe=False)
    looked_up.register(LookedUp())
    return generate_latest(counted()) + generate_latest(looked_up)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to a request with METRICS_TOKEN as bearer token; refuse all when none is set."""
    wanted = settings.METRICS_TOKEN
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not wanted or not hmac.compare_digest(wanted.encode(), given.encode()):
        return HttpResponse(status=404)
    return HttpResponse(text(), content_type=CONTENT_TYPE_LATEST)


class MetricsMiddleware:
    """Answers `/metrics` before anything else: a scrape inside the network uses plain http and a machine's own name."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return metrics(request) if request.path_info == "/metrics" else self.get_response(request)
