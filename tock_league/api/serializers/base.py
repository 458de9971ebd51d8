"""Fields that all serializers share."""

from datetime import UTC
from typing import Any

from rest_framework import serializers


class Time(serializers.DateTimeField):
    """An instant, in UTC: an answer must not depend on the time zone of the pages."""

    def __init__(self, **more: Any) -> None:
        super().__init__(default_timezone=UTC, **more)
