"""Fields that all serializers share, and what every body of a write has in common."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

LAST_YEAR = 9000  # as in forms: later ones could overflow the calendar when something is added


class Time(serializers.DateTimeField):
    """An instant, in UTC: an answer must not depend on the time zone of the pages."""

    def __init__(self, **more: Any) -> None:
        super().__init__(default_timezone=UTC, **more)


class Instant(serializers.DateTimeField):
    """An instant in a body: with its offset, because a program has no time zone."""

    default_error_messages = {
        "offset": _("Write the time with its offset, as 2026-09-02T19:00:00-04:00."),
        "far": _("This date is too far away."),
    }

    def enforce_timezone(self, value: datetime) -> datetime:
        if timezone.is_naive(value):
            self.fail("offset")
        if not 1 < value.year < LAST_YEAR:
            self.fail("far")
        return value.astimezone(UTC)


class Asked(serializers.Serializer[Any]):
    """The body of a write. A field that it does not know is refused: a misspelt one would do nothing otherwise."""

    default_error_messages = {"unknown": _("There is no field “%(name)s” here: choose among %(known)s.")}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(str(name) for name in set(data) - set(self.fields))
            if unknown:
                shown = {"name": unknown[0][:40], "known": ", ".join(sorted(self.fields))}
                text = str(self.error_messages["unknown"]) % shown
                raise serializers.ValidationError({unknown[0][:40]: [text]}, code="unknown")
        return super().to_internal_value(data)
