"""Fields that all serializers share, and what every body of a write has in common."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.plumbing import get_lib_doc_excludes
from rest_framework import serializers
from rest_framework.fields import SkipField

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


class Told(serializers.Serializer[Any]):
    """What an answer tells.

    Plain attributes are read without the framework's detours, which are half of the time that a long list is written in.
    """

    @cached_property
    def _steps(self) -> list[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]:
        """Return name, reader and writer of each field; fields that `?fields=` leaves out are gone by then."""
        return [(str(one.field_name), _reader(one), one.to_representation) for one in self._readable_fields]

    def to_representation(self, instance: Any) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for name, read, shown in self._steps:
            try:
                value = read(instance)
            except SkipField:
                continue
            told[name] = None if value is None else shown(value)
        return told


def _reader(field: Any) -> Callable[[Any], Any]:
    """Return what reads the field's value, as `Field.get_attribute` does, which it leaves everything to but plain attributes."""
    if type(field).get_attribute is not serializers.Field.get_attribute or not field.source_attrs:
        return field.get_attribute
    attributes = tuple(field.source_attrs)

    def read(instance: Any) -> Any:
        if isinstance(instance, dict):
            return field.get_attribute(instance)
        value = instance
        try:
            for name in attributes:
                value = getattr(value, name)
        except (AttributeError, ObjectDoesNotExist):
            return field.get_attribute(instance)
        return field.get_attribute(instance) if callable(value) else value

    return read


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


def classes_without_text() -> list[type]:
    """Return the classes whose docstrings the API's document leaves out: those of the framework, and what all bodies share."""
    return [*get_lib_doc_excludes(), Told, Asked]
