"""The organisers' hand on the draw."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts.permissions import require
from tock_league.common.errors import Conflict, NotThere
from tock_league.competitions.models import Competition, Entry, PairingWish
from tock_league.competitions.selectors.rounds import wishes
from tock_league.competitions.selectors.rounds.draw_by_hand import reach_of
from tock_league.competitions.selectors.seasons import competitions
from tock_league.competitions.services.rounds import draw_by_hand as service

from ..serializers import draw_by_hand as told
from ..serializers.entering import PublicReason
from .base import Endpoint
from .writing import MANAGE, deed, takes

NUMBER = OpenApiParameter("id", int, OpenApiParameter.PATH, description="The number of a wish.")


class DrawByHand(Endpoint):
    """What the organisers of an event may change of its draw; everybody reads why."""

    needs_login = True
    queryset = Competition.objects.none()
    serializer_class = told.RoundPreview

    @extend_schema(responses=told.RoundPreview)
    @action(detail=True, write_scope=MANAGE)
    def pairing(self, request: Request, slug: str) -> Response:
        """Show the next round as it would be paired now, with the wishes that it follows. Nothing is written."""
        return self.one(self.preview(self.mine(slug)))

    @deed(told.NewWish, told.WishRow, MANAGE)
    def wish(self, request: Request, slug: str) -> Response:
        """Wish that two teams never meet, rather do not, or meet in the next round."""
        made, asked = self.mine(slug), self.asked(told.NewWish)
        one, other = self.two(made, asked)

        def act() -> PairingWish:
            return service.wish(
                by=self.person, competition=made, kind=asked["kind"], one=one, other=other, reason=asked["reason"]
            )

        return self.done(act, told.WishRow)

    @extend_schema(parameters=[NUMBER])
    @takes(None, told.RoundPreview)
    @action(
        detail=True,
        methods=["post"],
        url_path=r"wishes/(?P<id>[0-9]{1,9})/take-back",
        url_name="take-back-wish",
        write_scope=MANAGE,
    )
    def take_back_wish(self, request: Request, slug: str, id: str) -> Response:
        """Take a wish back."""
        made = self.mine(slug)
        rows = PairingWish.objects.select_related("competition", "low", "high")
        wish = rows.filter(pk=int(id), competition=made).first()
        if wish is None:
            raise NotThere

        def act() -> dict[str, Any]:
            service.take_back(by=self.person, wish=wish)
            return self.preview(made)

        return self.done(act, told.RoundPreview)

    @deed(told.Exchange, told.RoundPreview, MANAGE)
    def exchange(self, request: Request, slug: str) -> Response:
        """Let two teams exchange their opponents in the next round, or their places in a draw that has not started."""
        made, asked = self.mine(slug), self.asked(told.Exchange)
        one, other = self.two(made, asked)
        group = reach_of(made).group

        def act() -> dict[str, Any]:
            if asked["what"] == "places":
                service.swap_places(by=self.person, competition=made, one=one, other=other, reason=asked["reason"])
            elif group is None:
                raise Conflict("no_pairing", state=made.state)
            else:
                service.swap_opponents(by=self.person, group=group, one=one, other=other, reason=asked["reason"])
            return self.preview(made)

        return self.done(act, told.RoundPreview)

    @deed(PublicReason, told.NewSeed, MANAGE)
    def new_seed(self, request: Request, slug: str) -> Response:
        """Replace the seed of the lots before the draw; the site draws the new one."""
        made, asked = self.mine(slug), self.asked(PublicReason)

        def act() -> dict[str, str]:
            return {"lots_seed": service.new_seed(by=self.person, competition=made, reason=asked["reason"])}

        return self.done(act, told.NewSeed)

    # --- helpers -----------------------------------------------------------------------------------------------------

    def mine(self, slug: str) -> Competition:
        """Return the event that the caller organises."""
        found = competitions.get(slug, self.person)
        require(self.person, "competition.organise", found, needed="organiser")
        return found

    def two(self, made: Competition, asked: Any) -> tuple[Entry, Entry]:
        """Return the entries of a body. Raises NotThere on `one` or `other`."""
        known = {entry.slug: entry for entry in made.entries.filter(slug__in=(asked["one"], asked["other"]))}
        for name in ("one", "other"):
            if asked[name] not in known:
                error = NotThere()
                error.field = name
                raise error
        return known[asked["one"]], known[asked["other"]]

    def preview(self, made: Competition) -> dict[str, Any]:
        """Return the next round as RoundPreview takes it."""
        group = reach_of(made).group
        shown = service.preview(by=self.person, group=group) if group is not None else None
        rows = wishes.in_force(made)
        if shown is None:
            return {"round": None, "pairs": [], "byes": [], "refused": "", "wishes": rows}
        return {
            "round": shown.number,
            "pairs": [{"home": pair.home.slug, "away": pair.away.slug, "again": pair.is_again} for pair in shown.pairs],
            "byes": [entry.slug for entry in shown.byes],
            "refused": str(shown.refused.sentence) if shown.refused is not None else "",
            "wishes": rows,
        }
