"""What answers are written by reads values as the framework's serializer does."""

from dataclasses import dataclass
from typing import Any

import pytest
from rest_framework import serializers

from tock_league.api.serializers.base import Told


@dataclass
class Thing:
    name: Any = "Draveurs"
    inner: Any = None

    def method(self) -> str:
        return "called"


def fields() -> dict[str, Any]:
    return {
        "name": serializers.CharField(),
        "method": serializers.CharField(),
        "deep": serializers.CharField(source="inner.name", default=None, allow_null=True),
        "optional": serializers.CharField(source="missing", required=False),
        "whole": serializers.SerializerMethodField(),
        "get_whole": lambda self, thing: str(type(thing).__name__),
    }


@pytest.mark.parametrize(
    "thing",
    [
        Thing(),
        Thing(inner=Thing("Castors")),
        Thing(name=None, inner={"name": "d’un objet"}),
        {"name": "Draveurs", "method": "no method", "inner": {"name": "Castors"}},
        {"name": lambda: "called", "method": "", "inner": None},
    ],
)
def test_values_are_read_as_by_the_framework(thing: Any) -> None:
    usual, ours = (type("Made", (base,), fields())(thing) for base in (serializers.Serializer, Told))
    assert ours.data == usual.data


def test_a_value_that_is_missing_is_an_error() -> None:
    made = type("Made", (Told,), {"nothing": serializers.CharField()})
    with pytest.raises(AttributeError, match="nothing"):
        _ = made(Thing()).data
