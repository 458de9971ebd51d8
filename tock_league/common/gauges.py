"""What a scrape of the web processes looks up about the whole site: the parts that `/health/ready` names, as numbers."""

import math
from collections.abc import Iterable

from django.core.cache import cache as shared
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from . import clock, health, proxies, space

PULSES = ("worker", "beat")


def look() -> Iterable[Metric]:
    """Yield the state of each part, the age of the pulses and of the oldest waiting work."""
    found = health.looks.look(health.LOOK_S)
    parts: dict[str, bool] = {name: bool(found[name]) for name in ("database", "migrations") if name in found}
    parts |= {"disk": space.is_left(), "proxies": proxies.are_right()}
    pulses = {name: shared.get(f"pulse:{name}") for name in PULSES}
    if (is_shared := getattr(shared, "is_shared", None)) is not None:
        parts["redis"] = is_shared
    state = GaugeMetricFamily("tock_part_ok", "Whether a part of the site works", labels=["part"])
    for name, is_ok in sorted(parts.items()):
        state.add_metric([name], float(is_ok))
    yield state
    ages = GaugeMetricFamily("tock_pulse_age_seconds", "Since a part last said that it is alive", labels=["part"])
    for name, seen in pulses.items():
        ages.add_metric([name], (clock.now_ms() - seen) / 1000 if seen else math.inf)
    yield ages
    if "oldest_outbox_s" in found:
        yield GaugeMetricFamily(
            "tock_outbox_oldest_seconds", "Age of the oldest waiting task", found["oldest_outbox_s"]
        )
