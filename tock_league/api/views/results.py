"""Results: captains report and accept on paper, officials certify, award, date and correct."""

from collections.abc import Callable, Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts.permissions import can, require
from tock_league.common.errors import NotThere
from tock_league.competitions.core import places as core
from tock_league.competitions.models import Correction, Match
from tock_league.competitions.permissions import captain_side
from tock_league.competitions.selectors.results import corrections as known
from tock_league.competitions.selectors.results import paper as papers
from tock_league.competitions.selectors.rounds import matches
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.results import corrections, paper, settlement
from tock_league.competitions.services.rounds import places, placing, schedule

from ..paging import Whole
from ..serializers import results as told
from ..serializers.entering import Preview, Previewed
from ..serializers.events import MatchRow
from .base import Endpoint
from .writing import MANAGE, PLAY, deed, require_manage, takes

NUMBER = OpenApiParameter("number", int, OpenApiParameter.PATH, description="The number of a correction.")


class Results(Endpoint):
    """What people do with the result of a match."""

    needs_login = True
    queryset = Match.objects.none()
    serializer_class = MatchRow

    @extend_schema(responses=told.Paper)
    @action(detail=True, serializer_class=told.Paper, url_path="paper", url_name="paper")
    def sheet(self, request: Request, slug: str) -> Response:
        """Show the result on paper as it was reported last: to the captains, and to those who certify results."""
        match, person = self.match(slug), self.person
        if not can(person, "result.report", match):
            require(person, "result.certify", match, needed="captain")
        return self.one(papers.sheet(match))

    @deed(told.Report, MatchRow, PLAY)
    def report(self, request: Request, slug: str) -> Response:
        """Report the result on paper as a captain. It counts once the other captain says the same."""
        match, asked = self.match(slug), self.asked(told.Report)
        games, seen = games_of(asked), asked.get("seen", 0)
        return self.match_after(slug, lambda: paper.report(by=self.person, match=match, games=games, seen=seen))

    @deed(told.Signature, MatchRow, PLAY)
    def accept(self, request: Request, slug: str) -> Response:
        """Accept the result that the other captain has reported."""
        match, asked = self.match(slug), self.asked(told.Signature)
        return self.match_after(slug, lambda: paper.accept(by=self.person, match=match, seen=asked["seen"]))

    @deed(told.Certified, MatchRow, MANAGE)
    def certify(self, request: Request, slug: str) -> Response:
        """Enter the result on paper as a referee or organiser; it counts at once."""
        match, asked = self.match(slug), self.asked(told.Certified)
        return self.match_after(
            slug,
            lambda: paper.certify(
                by=self.person,
                match=match,
                games=games_of(asked),
                reason=asked.get("reason", ""),
                seen=asked.get("seen"),
            ),
        )

    @deed(told.Forfeit, MatchRow, PLAY)
    def forfeit(self, request: Request, slug: str) -> Response:
        """Give a match up before it is played: one's own side as its captain, any side as an official."""
        match, asked, person = self.match(slug), self.asked(told.Forfeit), self.person
        side = captain_side(person, match) if person is not None else None
        require_manage(request, unless=side is not None and side.position == asked["position"])
        return self.match_after(slug, lambda: withdrawals.forfeit(by=person, match=match, **asked))

    @deed(told.NoShow, MatchRow, MANAGE)
    def no_show(self, request: Request, slug: str) -> Response:
        """Record that a side did not come, or nobody."""
        match, asked = self.match(slug), self.asked(told.NoShow)

        def act() -> Any:
            if asked["position"] is None:
                return settlement.award(by=self.person, match=match, winner=None, reason=asked["reason"])
            return withdrawals.no_show(by=self.person, match=match, **asked)

        return self.match_after(slug, act)

    @deed(told.NewDate, MatchRow, MANAGE)
    def move(self, request: Request, slug: str) -> Response:
        """Set the date of a match that has not begun."""
        match, asked = self.match(slug), self.asked(told.NewDate)
        return self.match_after(slug, lambda: schedule.move(by=self.person, match=match, **asked))

    @deed(told.HallTable, MatchRow, MANAGE)
    def table(self, request: Request, slug: str) -> Response:
        """Put a match at another table of the hall; never two at one table, or one team at two."""
        match, asked = self.match(slug), self.asked(told.HallTable)
        return self.match_after(slug, lambda: placing.put(by=self.person, match=match, number=asked["table"]))

    @deed(told.Place, MatchRow, PLAY)
    def place(self, request: Request, slug: str) -> Response:
        """Propose as a captain to play a match on a board or at a table, answer such a proposal, or decide as an official."""
        match, asked = self.match(slug), self.asked(told.Place)
        require_manage(request, unless=asked["what"] != core.DECIDE)
        return self.match_after(slug, lambda: places.act(by=self.person, match=match, **asked))

    # --- corrections -------------------------------------------------------------------------------------------------

    @extend_schema(responses=told.CorrectionRow(many=True), filters=False)
    @action(
        detail=True,
        pagination_class=Whole,
        serializer_class=told.CorrectionRow,
        write_scope=MANAGE,
        needs_login=False,
        url_path="corrections",
        url_name="corrections",
    )
    def corrected(self, request: Request, slug: str) -> Response:
        """List the corrections of a result, the newest first."""
        rows = Correction.objects.filter(match=self.match(slug)).select_related("by", "reverts", "other")
        return self.whole(list(rows.order_by("-number")))

    @takes(told.Corrected, MatchRow)
    @corrected.mapping.post
    def correct(self, request: Request, slug: str) -> Response:
        """Correct the result of a match, with the digest of a preview."""
        match, asked = self.match(slug), self.asked(told.Corrected)
        right = self.right(match, asked)
        more = {"reason": asked["reason"], "digest": asked["digest"]}
        return self.match_after(slug, lambda: corrections.correct(by=self.person, match=match, right=right, **more))

    @extend_schema(request=told.Right, responses=Preview)
    @action(
        detail=True, methods=["post"], url_path="corrections/preview", url_name="preview-correction", write_scope=MANAGE
    )
    def preview_correction(self, request: Request, slug: str) -> Response:
        """Show what a correction would change. It writes nothing and needs no key."""
        match = self.match(slug)
        right = self.right(match, self.asked(told.Right))
        return Response(Preview(corrections.preview(by=self.person, match=match, right=right)).data)

    @extend_schema(responses=Preview, parameters=[NUMBER])
    @action(
        detail=True,
        url_path=r"corrections/(?P<number>[0-9]{1,9})/take-back",
        url_name="take-back",
        serializer_class=Preview,
        write_scope=MANAGE,
    )
    def taking_back(self, request: Request, slug: str, number: str) -> Response:
        """Show what would change if a correction were taken back."""
        found = self.correction(slug, number)
        return self.one(corrections.preview_taking_back(by=self.person, correction=found))

    @takes(Previewed, MatchRow)
    @taking_back.mapping.post
    def take_back(self, request: Request, slug: str, number: str) -> Response:
        """Take a correction back, with the digest of what its preview has shown."""
        found, asked = self.correction(slug, number), self.asked(Previewed)
        return self.match_after(slug, lambda: corrections.take_back(by=self.person, correction=found, **asked))

    # --- helpers -----------------------------------------------------------------------------------------------------

    def match(self, slug: str) -> Match:
        """Return the match if the caller may see its competition."""
        return matches.match_view(slug, self.person).match

    def right(self, match: Match, asked: Mapping[str, Any]) -> corrections.Right:
        """Return what a body says is right. Raises NotThere on `other`, also for a match of another competition."""
        other = None
        if "other" in asked:
            other = Match.objects.filter(slug=asked["other"], competition=match.competition_id).first()
            if other is None:
                error = NotThere()
                error.field = "other"
                raise error
        games = tuple(games_of(asked)) if "games" in asked else ()
        return corrections.Right(kind=asked["kind"], games=games, absent=asked.get("absent"), other=other)

    def correction(self, slug: str, number: str) -> Correction:
        """Return a correction of the match, which the caller may take back."""
        match = self.match(slug)
        rows = Correction.objects.select_related("competition__regulations", "match__competition", "by")
        found = rows.filter(match=match, number=int(number)).first()
        if found is None:
            raise NotThere
        require(self.person, "result.correct", match, needed="organiser")
        if (refused := known.obstacle_to_taking_back(found)) is not None:
            raise refused
        return found

    def match_after(self, slug: str, act: Callable[[], Any]) -> Response:
        """Do `act` once and answer with the match as it is then."""

        def both() -> matches.MatchView:
            act()
            return matches.match_view(slug, self.person)

        return self.done(both, MatchRow)


def games_of(asked: Mapping[str, Any]) -> list[paper.Game]:
    """Return the games of a body."""
    return [
        paper.Game(game.get("winner"), game.get("margin", 0), tuple(game.get("counts", ()))) for game in asked["games"]
    ]
