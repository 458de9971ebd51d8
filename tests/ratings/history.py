"""The start of the rating tests' time."""

from datetime import UTC, datetime

START = datetime(2026, 10, 5, 23, 0, tzinfo=UTC)
