"""One's own notices in the site: read them, mark them as seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.notices import selectors, services
from tock_league.notices.kinds import KINDS, Told
from tock_league.notices.models import Notice

from ..authentication import require_player
from ..serializers import notices as told
from .base import Endpoint
from .writing import PLAY, deed, takes


@dataclass(frozen=True)
class Row:
    """A notice and its words."""

    row: Notice
    told: Told


class Notices(Endpoint):
    """The caller's notices."""

    needs_login = True
    queryset = Notice.objects.none()
    serializer_class = told.Notice
    lookup_field = "pk"
    lookup_value_regex = "[0-9]{1,15}"
    ordering = ("-at", "-pk")

    def list(self, request: Request) -> Response:
        """List the caller's notices in the site, the newest first."""
        player = require_player(self.person)
        return self.paged(Notice.objects.filter(player=player, on_site=True, kind__in=list(KINDS)), self.dressed)

    @deed(None, told.Notice, PLAY)
    def seen(self, request: Request, pk: str) -> Response:
        """Mark a notice as seen."""
        player = require_player(self.person)

        def act() -> Row:
            row = services.mark_seen(by=player, notice=selectors.own(player, int(pk)))
            return self.dressed([row])[0]

        return self.done(act, told.Notice)

    @takes(told.Newest, told.SeenCount)
    @action(detail=False, methods=["post"], url_path="seen", url_name="all-seen", write_scope=PLAY)
    def all_seen(self, request: Request) -> Response:
        """Mark all notices as seen, or those up to the newest one that the person was shown."""
        player, newest = require_player(self.person), self.asked(told.Newest)["newest"]
        return self.done(lambda: {"seen": services.mark_all_seen(by=player, newest=newest)}, told.SeenCount)

    def dressed(self, rows: Sequence[Notice]) -> Sequence[Any]:
        """Return notices with their words, in the language of the request."""
        player = require_player(self.person)
        views = {view.pk: view for view in selectors.views(rows, zone=player.time_zone)}
        return [Row(row, views[row.pk].told) for row in rows]
