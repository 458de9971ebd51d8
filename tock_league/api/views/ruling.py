"""Cases for referees and panels: take, recuse, dismiss, rule, sign second, vote.

A signature that asks for a fresh sign-in on the pages asks for one here: a token has none, so it is refused (sign_in_again).
"""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from tock_league.accounts.selectors import signed_in_recently
from tock_league.arbitration.core.cases import PANEL_SITS
from tock_league.arbitration.models import Case
from tock_league.arbitration.selectors.cases.case_files import case_file
from tock_league.arbitration.services.appeals import hearing, reviews
from tock_league.arbitration.services.cases import admissibility, drafts
from tock_league.arbitration.services.referees import leases, recusals
from tock_league.arbitration.services.rulings import countersigning, signing
from tock_league.common.errors import Refused

from ..paging import Whole
from ..serializers import cases as told
from .deciding import Deciding
from .writing import MANAGE, deed, takes


class Ruling(Deciding):
    """What referees and panels do with a case."""

    write_scope = MANAGE

    @deed(None, told.CaseState, MANAGE)
    def take(self, request: Request, number: str) -> Response:
        """Take the case for five minutes."""
        case = self.case(number)
        try:
            return self.file_after(number, lambda: leases.take(by=self.person, case=case))
        except Refused as error:
            if error.code == "conflict":
                # The refusal of a referee in conflict is an event of the case, which the transaction above took back.
                leases.take(by=self.person, case=case)
            raise

    @deed(None, told.CaseState, MANAGE)
    def renew(self, request: Request, number: str) -> Response:
        """Keep the case for five more minutes from now."""
        case = self.case(number)
        return self.file_after(number, lambda: leases.renew(by=self.person, case=case))

    @deed(None, told.CaseState, MANAGE)
    def release(self, request: Request, number: str) -> Response:
        """Return the case to the queue."""
        case = self.case(number)
        return self.file_after(number, lambda: leases.release(by=self.person, case=case))

    @deed(told.Reason, told.CaseState, MANAGE)
    def recuse(self, request: Request, number: str) -> Response:
        """Step aside."""
        return self.with_reason(number, recusals.recuse)

    @deed(told.Escalation, told.CaseState, MANAGE)
    def escalate(self, request: Request, number: str) -> Response:
        """Hand the case over to the head referee."""
        case, asked = self.case(number), self.asked(told.Escalation)
        return self.file_after(
            number,
            lambda: leases.escalate(by=self.person, case=case, note=asked["reason"], draft=asked["draft"]),
        )

    @deed(told.Hand, told.CaseState, MANAGE)
    def seat(self, request: Request, number: str) -> Response:
        """Open one seat's hand to the holder of the case, or close it; both are recorded."""
        case, asked = self.case(number), self.asked(told.Hand)
        return self.file_after(number, lambda: leases.view_seat(by=self.person, case=case, **asked))

    @deed(told.Dismissal, told.CaseState, MANAGE)
    def dismiss(self, request: Request, number: str) -> Response:
        """Dismiss the case as not admissible; some kinds wait for a second referee."""
        case, asked = self.case(number), self.asked(told.Dismissal)
        return self.file_after(
            number, lambda: admissibility.dismiss(by=self.person, case=case, fresh=self.fresh(), **asked)
        )

    @deed(None, told.CaseState, MANAGE)
    def agree(self, request: Request, number: str) -> Response:
        """Agree with a dismissal, as the second referee."""
        case = self.case(number)
        return self.file_after(number, lambda: admissibility.agree(by=self.person, case=case, fresh=self.fresh()))

    @deed(told.Reason, told.CaseState, MANAGE)
    def disagree(self, request: Request, number: str) -> Response:
        """Disagree with a dismissal, as the second referee."""
        return self.with_reason(number, admissibility.disagree)

    @deed(told.Reason, told.CaseState, MANAGE)
    def refuse(self, request: Request, number: str) -> Response:
        """Refuse the ruling that waits for a second signature."""
        return self.with_reason(number, countersigning.refuse)

    @deed(told.Reason, told.CaseState, MANAGE, status=201)
    def review(self, request: Request, number: str) -> Response:
        """Re-examine a ruled case on new evidence, as head referee; answers with the new case."""
        case, reason = self.case(number), self.asked(told.Reason)["reason"]

        def act() -> Any:
            return case_file(reviews.open_review(by=self.person, case=case, reason=reason), self.person)

        return self.done(act, told.CaseState, status=201)

    # --- rulings -----------------------------------------------------------------------------------------------------

    @extend_schema(responses=told.Choice(many=True), filters=False)
    @action(detail=True, pagination_class=Whole, serializer_class=told.Choice)
    def choices(self, request: Request, number: str) -> Response:
        """List what may be chosen in a ruling of this case now, by field."""
        return self.whole(self.offered(self.judged(number)))

    @deed(told.RulingBody, told.DraftKept, MANAGE)
    def draft(self, request: Request, number: str) -> Response:
        """Keep the caller's draft of the ruling; the page of the case shows it too."""
        case, asked = self.judged(number), self.asked(told.RulingBody)
        fields = {
            name: [str(one) for one in value] if isinstance(value, list) else [str(value)]
            for name, value in self.typed(case, asked).items()
        }
        return self.done(
            lambda: drafts.save(by=self.person, case=case, form="decision", fields=fields, version=0, replace=True),
            told.DraftKept,
        )

    @extend_schema(request=told.RulingBody, responses=told.RulingPreview)
    @action(detail=True, methods=["post"], url_path="ruling/preview", url_name="preview")
    def preview_ruling(self, request: Request, number: str) -> Response:
        """Show what a ruling would do: the referee's, or the panel's that overturns one. It writes nothing and needs no key."""
        case = self.judged(number)
        decision = self.decision(case, self.asked(told.RulingBody))
        preview = hearing.preview if case.state in PANEL_SITS else signing.preview
        return Response(told.RulingPreview(preview(by=self.person, case=case, decision=decision)).data)

    @deed(told.SignedRuling, told.CaseState, MANAGE, path="ruling")
    def sign(self, request: Request, number: str) -> Response:
        """Sign a ruling that was previewed. Where two must sign, it waits for a second referee."""
        case, asked = self.judged(number), dict(self.asked(told.SignedRuling))
        digest, decision = asked.pop("digest"), self.decision(case, asked)
        return self.file_after(
            number,
            lambda: signing.sign(
                by=self.person, case=case, decision=decision, preview_digest=digest, fresh=self.fresh()
            ),
        )

    @extend_schema(responses=told.RulingPreview)
    @action(detail=True, url_path="second-signature", url_name="second-signature", serializer_class=told.RulingPreview)
    def proposed(self, request: Request, number: str) -> Response:
        """Show what the ruling that waits for a second signature would do."""
        return self.one(countersigning.preview(by=self.person, case=self.judged(number)))

    @takes(told.SecondSignature, told.CaseState)
    @proposed.mapping.post
    def countersign(self, request: Request, number: str) -> Response:
        """Sign the ruling of another referee as the second one."""
        case, digest = self.judged(number), self.asked(told.SecondSignature)["digest"]
        return self.file_after(
            number,
            lambda: countersigning.countersign(by=self.person, case=case, preview_digest=digest, fresh=self.fresh()),
        )

    # --- appeals -----------------------------------------------------------------------------------------------------

    @deed(None, told.CaseState, MANAGE)
    def panel(self, request: Request, number: str) -> Response:
        """Form the panel of an appeal, or fill a place that has become free."""
        case = self.case(number)
        act = hearing.form_panel if case.state == Case.State.APPEALED else hearing.fill_panel
        return self.file_after(number, lambda: act(by=self.person, case=case))

    @deed(told.Ballot, told.CaseState, MANAGE)
    def vote(self, request: Request, number: str) -> Response:
        """Vote as a member of the panel."""
        case, asked = self.case(number), self.asked(told.Ballot)
        return self.file_after(number, lambda: hearing.vote(by=self.person, case=case, **asked))

    @deed(told.PanelRuling, told.CaseState, MANAGE, path="panel/ruling")
    def panel_ruling(self, request: Request, number: str) -> Response:
        """Sign the ruling of the panel as its majority voted."""
        case, asked = self.judged(number), self.asked(told.PanelRuling)
        decision = self.decision(case, asked["decision"]) if "decision" in asked else None
        return self.file_after(
            number,
            lambda: hearing.rule(
                by=self.person,
                case=case,
                decision=decision,
                preview_digest=asked.get("digest", ""),
                reasons=asked["reasons"],
            ),
        )

    # --- helpers -----------------------------------------------------------------------------------------------------

    def fresh(self) -> bool:
        """Return whether the person has just signed in; with a token nobody has."""
        return signed_in_recently(self.request) if self.request.auth is None else False

    def with_reason(self, number: str, act: Any) -> Response:
        """Pass the reason of the body to the service `act`."""
        case, reason = self.case(number), self.asked(told.Reason)["reason"]
        return self.file_after(number, lambda: act(by=self.person, case=case, reason=reason))

    def get_serializer_class(self) -> Any:
        return {"choices": told.Choice, "proposed": told.RulingPreview}.get(self.action, told.CaseFile)
