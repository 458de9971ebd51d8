"""Cases for their parties: open, answer, add, withdraw, appeal, reply. Reading a case file, and one's own cases."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.models import Game
from games.selectors import games as game_reader
from tock_league.accounts.permissions import can, require
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.cases import case_files
from tock_league.arbitration.services.appeals import hearing, replies
from tock_league.arbitration.services.cases import disputes, result_disputes
from tock_league.common import limits
from tock_league.common.errors import NotThere
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.selectors.rounds import matches
from tock_league.competitions.selectors.seasons import competitions

from ..authentication import require_player
from ..paging import Whole
from ..serializers import cases as told
from .base import Endpoint
from .writing import PLAY, deed

DISPUTES = 20  # sent by one address in ten minutes, as from the pages


class CaseEndpoint(Endpoint):
    """What all endpoints of cases share."""

    needs_login = True
    queryset = Case.objects.none()
    serializer_class = told.CaseFile
    lookup_field = "number"
    lookup_value_regex = "TL-[0-9]{4}-[0-9]{6,9}"

    def case(self, number: str) -> Case:
        """Return the case. Raises NotThere for those who may not see it."""
        found = case_files.case_by_number(number)
        if found is None or not can(self.person, "case.see", found):
            raise NotThere
        return found

    def file_after(self, number: str, act: Callable[[], Any]) -> Response:
        """Do `act` once and answer with where the case stands then."""

        def both() -> case_files.CaseFile:
            act()
            return case_files.case_file(self.case(number), self.person)

        return self.done(both, told.CaseState)


class Cases(CaseEndpoint):
    """Case files, as far as the caller may see them."""

    def retrieve(self, request: Request, number: str) -> Response:
        """Show a case file to its parties, its referees, its panel and its organisers."""
        return self.one(case_files.case_file(self.case(number), self.person))

    @deed(told.Words, told.CaseState, PLAY)
    def answer(self, request: Request, number: str) -> Response:
        """Answer a dispute, for the other side; once."""
        return self.said(number, disputes.answer)

    @deed(told.Words, told.CaseState, PLAY)
    def add(self, request: Request, number: str) -> Response:
        """Add a statement of one's side before the ruling."""
        return self.said(number, disputes.add)

    @deed(told.Words, told.CaseState, PLAY)
    def reply(self, request: Request, number: str) -> Response:
        """Reply to the other side's appeal."""
        return self.said(number, replies.reply)

    @deed(None, told.CaseState, PLAY)
    def withdraw(self, request: Request, number: str) -> Response:
        """Withdraw the case, as its opener."""
        case = self.case(number)
        return self.file_after(number, lambda: disputes.withdraw_case(by=self.person, case=case))

    @deed(told.AppealText, told.CaseState, PLAY)
    def appeal(self, request: Request, number: str) -> Response:
        """Appeal against the ruling to three other referees."""
        case, asked = self.case(number), self.asked(told.AppealText)
        return self.file_after(number, lambda: hearing.appeal(by=self.person, case=case, **asked))

    def said(self, number: str, act: Callable[..., Any]) -> Response:
        """Pass the text of a side to the service `act`."""
        case, text = self.case(number), self.asked(told.Words)["text"]
        return self.file_after(number, lambda: act(by=self.person, case=case, text=text))


class OwnCases(Endpoint):
    """The caller's own cases."""

    needs_login = True
    queryset = Case.objects.none()
    serializer_class = told.OwnCase
    pagination_class = Whole

    @extend_schema(filters=False)
    def list(self, request: Request) -> Response:
        """List the cases in which the caller has a part, by part, the newest first."""
        mine = case_files.mine(require_player(self.person))
        parts = (("party", mine.parties), ("referee", mine.referee), ("panel", mine.panel))
        for role, found in parts:
            for case in found:
                case.role = role  # type: ignore[attr-defined]  # read by OwnCase
        return self.whole([case for _role, found in parts for case in found])


class GameDisputes(Endpoint):
    """Disputing a finished game."""

    needs_login = True
    queryset: Any = Game.objects.none()
    serializer_class = told.CaseFile

    @deed(told.GameDispute, told.CaseState, PLAY, status=201)
    def disputes(self, request: Request, slug: str) -> Response:
        """Dispute a finished game at one of its plays; further words about the same act join the open case."""
        game = game_reader.game_by_slug(slug)
        if game is None or not Match.objects.filter(table=game.table_id).exists():
            raise NotThere
        require(self.person, "case.file", game, needed="player")
        asked = self.asked(told.GameDispute)
        limits.spend(request._request, "dispute", count=DISPUTES, seconds=600)
        return self.filed(lambda: disputes.file(by=self.person, game=game, **asked))

    def filed(self, act: Callable[[], Case]) -> Response:
        """Do `act` once and answer with where the case that it returns stands."""
        return self.done(lambda: case_files.case_file(act(), self.person), told.CaseState, status=201)


class ResultDisputes(GameDisputes):
    """Disputing a result that people entered."""

    queryset = Match.objects.none()

    @deed(told.ResultDispute, told.CaseState, PLAY, status=201)
    def disputes(self, request: Request, slug: str) -> Response:
        """Dispute the result of a match that people have entered."""
        match = matches.match_view(slug, self.person).match
        require(self.person, "case.dispute_result", match, needed="player")
        asked = self.asked(told.ResultDispute)
        limits.spend(request._request, "dispute", count=DISPUTES, seconds=600)
        return self.filed(lambda: result_disputes.file(by=self.person, match=match, **asked))


class Queue(Endpoint):
    """The referees' desk of a competition."""

    needs_login = True
    queryset = Competition.objects.none()
    serializer_class = told.QueueRow

    @extend_schema(responses=told.QueueRow(many=True), filters=False)
    @action(detail=True, pagination_class=Whole)
    def cases(self, request: Request, slug: str) -> Response:
        """List the open cases for referees and organisers: those for which a table waits first."""
        competition = competitions.get(slug, self.person)
        sentence = _("Referees and organisers of this competition see its cases.")
        require(self.person, "case.queue", competition, needed="referee", sentence=sentence)
        return self.whole(case_files.queue(competition, self.person))
