"""Recusals of referees, and the reserves who take their places on panels."""

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, require
from tock_league.common import clock
from tock_league.common.errors import NotAllowed, Refused
from tock_league.common.transactions import writing

from ...core import cases
from ...models import Case, Lease, PanelSeat, Recusal, Vote
from ...permissions import referees
from ...selectors.referees import conflicts
from ..cases import events
from ..cases.texts import clean
from . import leases

REASON_LENGTH = 280


def recuse(*, by: Person, case: Case, reason: str) -> Recusal:
    """Step aside from the case voluntarily: the lease ends, or a reserve takes the place on the panel. Idempotent.

    Raises NotAllowed; Conflict `not_open`; Refused: `voted` (too late on a panel), and those of `reason`.
    """
    words = clean(reason, field="reason", most=REASON_LENGTH)
    with writing():
        case = events.lock(case, table=True)
        require(by, "case.recuse", case, needed="referee")
        if not isinstance(by, Player):
            raise NotAllowed(needed="referee")
        events.expect(case, "recused")
        if (done := Recusal.objects.filter(case=case, person=by, declared=True).first()) is not None:
            return done
        if Vote.objects.filter(case=case, member=by).exists():
            raise Refused("voted", _("You have voted already; your vote stands."))
        held = Lease.objects.select_for_update().filter(case=case, referee=by, ended_at__isnull=True).first()
        row, _made = Recusal.objects.update_or_create(
            case=case, person=by, defaults={"ground": "recused", "declared": True, "at": clock.now()}
        )
        body = {"ground": "recused", "declared": True}
        events.append(case, "recused", by=by, role="referee", body=body, private={"text": words})
        if held is not None:
            leases.let_go(held, case)
            if case.state in ("assigned", "hearing"):
                events.append(case, "lease_released", by=by, role="referee")
        _replace(case, by)
        return row


def _replace(case: Case, member: Player) -> None:
    """Give the place of a member who leaves the panel to the first reserve who is still without a conflict."""
    seat = PanelSeat.objects.select_for_update().filter(case=case, member=member, left_at__isnull=True).first()
    if seat is None:
        return
    place = seat.place
    seat.left_at = clock.now()
    seat.save(update_fields=["left_at"])
    if place is None:
        return
    reserve = _free_reserve(case)
    if reserve is not None:
        reserve.place = place
        reserve.save(update_fields=["place"])
    body = {"left": member.slug, "member": reserve.member.slug if reserve is not None else ""}
    events.append(case, "panel_replaced", by=member, role="panel", body=body)


def _free_reserve(case: Case) -> PanelSeat | None:
    """Return the first reserve without a conflict now. Those who have one leave the panel, and the case records it."""
    waiting = PanelSeat.objects.filter(case=case, place__isnull=True, left_at__isnull=True)
    for seat in waiting.select_related("member").order_by("pk"):
        found = conflicts.grounds(seat.member, case)
        if not found:
            return seat
        seat.left_at = clock.now()
        seat.save(update_fields=["left_at"])
        leases.note_conflict(seat.member, case, found[0])
    return None


def role_ended(told: object) -> None:
    """Replace a panel member whose role has ended, unless the vote is cast; WITHIN subscriber of RoleEnded."""
    player, competition = getattr(told, "player_id", None), getattr(told, "competition_id", None)
    seats = PanelSeat.objects.filter(
        member=player, left_at__isnull=True, case__competition=competition, case__state__in=sorted(cases.APPEAL)
    )
    for seat in seats.select_related("case", "member"):
        with writing():
            case = events.lock(seat.case)
            voted = Vote.objects.filter(case=case, member=seat.member).exists()
            if not voted and not referees(seat.member, case.competition):
                _replace(case, seat.member)
