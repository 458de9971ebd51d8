"""The round clock and the announcement of an event: read by everybody, changed by its desk."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts.permissions import require
from tock_league.competitions.models import Competition
from tock_league.competitions.selectors.seasons import competitions
from tock_league.hall.selectors.clocks import clock_of
from tock_league.hall.services import announcing, clocks

from ..serializers import hall as told
from .base import Endpoint
from .writing import MANAGE, deed, takes


class Halls(Endpoint):
    """What a hall follows while it plays."""

    queryset = Competition.objects.none()
    serializer_class = told.HallClock

    @extend_schema(responses=told.HallClock)
    @action(detail=True, write_scope=MANAGE)
    def clock(self, request: Request, slug: str) -> Response:
        """Show the round clock of the event, and what is announced."""
        return self.one(self._shown(competitions.get(slug, self.person)))

    @takes(told.ClockPressed, told.HallClock)
    @clock.mapping.post
    def press_clock(self, request: Request, slug: str) -> Response:
        """Start, pause, resume or stop the clock, or give extra time to all tables or to one."""
        found, asked = competitions.get(slug, self.person), dict(self.asked(told.ClockPressed))
        require(self.person, "hall.clock", found, needed="organiser")

        def act() -> dict[str, Any]:
            clocks.press(asked.pop("deed"), by=self.person, competition=found, **asked)
            return self._shown(found)

        return self.done(act, told.HallClock)

    @deed(told.Sentence, told.HallClock, MANAGE)
    def announcement(self, request: Request, slug: str) -> Response:
        """Announce a sentence to everybody in the hall, in place of the last one."""
        found, asked = competitions.get(slug, self.person), self.asked(told.Sentence)
        require(self.person, "hall.set_up", found, needed="organiser")

        def act() -> dict[str, Any]:
            if asked["text"].strip():
                announcing.announce(by=self.person, competition=found, text=asked["text"])
            else:
                announcing.end(by=self.person, competition=found)
            return self._shown(found)

        return self.done(act, told.HallClock)

    def _shown(self, found: Competition) -> dict[str, Any]:
        return told.told(found, clock_of(found))
