"""Read the metrics of the process, for tests."""

from collections.abc import Callable

from prometheus_client import REGISTRY


def value(name: str, **labels: str) -> float:
    """Return a sample's value, 0 if nothing has been counted yet."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


def since(name: str, **labels: str) -> Callable[[], float]:
    """Return a function that returns by how much the sample has grown since now."""
    before = value(name, **labels)
    return lambda: value(name, **labels) - before
