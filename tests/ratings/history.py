"""When the tests' evenings begin."""

from datetime import UTC, datetime

START = datetime(2026, 10, 5, 23, 0, tzinfo=UTC)
