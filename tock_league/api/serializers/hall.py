"""The round clock and the announcement of an event's hall."""

from typing import Any

from rest_framework import serializers as s

from tock_league.common import clock
from tock_league.hall.models import TEXT_LENGTH, RoundClock
from tock_league.hall.selectors.clocks import ClockView
from tock_league.hall.selectors.screens import announced
from tock_league.hall.services.clocks import DEEDS

from .base import Asked, Time, Told


class TableClock(Told):
    """A table with extra time."""

    table = s.IntegerField()
    ends_at = Time()
    left_ms = s.IntegerField()


class HallClock(Told):
    """What every screen of the hall counts down from."""

    state = s.ChoiceField(choices=["off", "running", "paused"])
    version = s.IntegerField(help_text="Send it as `seen` to change the clock.")
    now = Time(help_text="The server’s time: count from it, not from your own clock.")
    ends_at = Time(allow_null=True, help_text="While it runs; it lies in the past after the call.")
    left_ms = s.IntegerField(allow_null=True, help_text="Milliseconds; negative after the call.")
    call = s.ChoiceField(choices=RoundClock.Call.values, allow_null=True)
    tables = TableClock(many=True, help_text="The tables with extra time.")
    announcement = s.CharField(allow_null=True, help_text="What the organisers say to everybody now.")


class ClockPressed(Asked):
    deed = s.ChoiceField(choices=DEEDS, help_text="`add` gives extra time; `start` also starts a running clock anew.")
    seen = s.IntegerField(min_value=0, max_value=2**31 - 1, help_text="The version that you saw; else 409.")
    minutes = s.IntegerField(required=False, min_value=1, max_value=600, help_text="To start, and to add.")
    call = s.ChoiceField(choices=RoundClock.Call.values, required=False, help_text="To start; by default deal.")
    table = s.IntegerField(required=False, min_value=1, max_value=999, help_text="To add for this table alone.")


class Sentence(Asked):
    text = s.CharField(max_length=TEXT_LENGTH, allow_blank=True, help_text="Replaces the last one; empty ends it.")


def told(found: Any, view: ClockView) -> dict[str, Any]:
    """Return the clock of a competition in the shape of `HallClock`. One query."""
    return {
        "state": view.state or "off",
        "version": view.version,
        "now": clock.now(),
        "ends_at": view.ends_at if view.state == "running" else None,
        "left_ms": view.left_ms if view.is_on else None,
        "call": view.call_code if view.is_on else None,
        "tables": [{"table": one.table, "ends_at": one.ends_at, "left_ms": one.left_ms} for one in view.extra],
        "announcement": announced(found) or None,
    }
