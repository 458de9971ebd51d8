"""`{% load hall %}`: the clock of an event on the pages of apps below."""

from typing import Any

from django import template

from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.permissions import is_public

from ..announcements import FACTS
from ..selectors.clocks import ClockView, as_digits, now_of
from ..services.shared import CLOSED

register = template.Library()
register.filter("digits", as_digits)


@register.inclusion_tag("hall/_follow.html")
def hall_clock(competition: Competition) -> dict[str, Any]:
    """`{% hall_clock competition %}`: the clock and the announcement, which follow while the page stays open.

    Nothing for an event that nobody can come to. One query without a clock that is on, and one more with it.
    """
    if competition.state in CLOSED:
        return {}
    shown, said = now_of(competition)
    return {
        "competition": competition,
        "clock": shown,
        "said": said,
        "may_come": True,
        "feed": f"/live/competitions/{competition.slug}" if is_public(competition) else "",
        "kinds": FACTS,
        "now_ms": clock.now_ms(),
    }


@register.filter
def at_table(shown: ClockView, number: int | None) -> ClockView:
    """`{{ clock|at_table:7 }}`: the clock of that table, with its extra time."""
    return shown.of_table(number)
