"""Appeals to three referees who had no part in the ruling.

They vote separately; then the majority writes the ruling.
"""

from collections import Counter

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import Person, can, require
from tock_league.common import clock
from tock_league.common.errors import Broken, Conflict, NotAllowed, Refused
from tock_league.common.transactions import writing
from tock_league.journal.models import PrivateText

from ...core import cases
from ...core.conflicts import panel as choose
from ...core.decisions import REASONS_LENGTH, Decision
from ...core.penalties import SEVERITY
from ...models import Appeal, Case, Deadline, PanelSeat, Ruling, Vote
from ...permissions import position_of, sits_on
from ...selectors.referees import available, conflicts
from ..cases import deadlines, events, telling
from ..cases.texts import clean, clean_published
from ..referees import leases
from ..rulings import execution
from ..rulings.assessment import RulingPreview, Weighed, weigh
from ..rulings.signing import ruling_in_force, settle_game
from . import replies

GROUNDS_LENGTH = 1000
NOTE_LENGTH = 1000
SIZE = cases.PANEL


def appeal(*, by: Person, case: Case, grounds: str, text: str) -> Appeal:
    """File one side's appeal against the ruling of its case.

    Raises NotAllowed for strangers; Refused: `grounds`, `appeal_over`, and those of `text`; Conflict: `appealed` (by
    this side), `not_ruled`, `final` (ruled on appeal already).
    """
    words = clean(text, field="text", most=GROUNDS_LENGTH, lines=True)
    with writing():
        case = events.lock(case)
        sentence = _("Only the two sides of a case may appeal.")
        require(by, "case.appeal", case, needed="player", sentence=sentence)
        side = position_of(by, case) if isinstance(by, Player) else None
        if side is None or not isinstance(by, Player):
            raise NotAllowed(sentence, needed="player")
        if grounds not in Appeal.Grounds.values:
            raise Refused("grounds", _("Choose the ground of the appeal."), field="grounds")
        ruling = ruling_in_force(case)
        if case.state in ("appeal_ruled", "superseded") or (case.state == "final" and case.rulings.filter(level=2)):
            raise Conflict("final", _("This case has been ruled on appeal; that is the last word."), number=case.number)
        if case.state == "final":
            raise Refused("appeal_over", _("The time to appeal is over."), field="text")
        if ruling is None or case.state not in ("ruled", "appealed", "panel_formed"):
            raise Conflict("not_ruled", _("There is no ruling to appeal against."), number=case.number)
        if clock.now() > ruling.signed_at + deadlines.span(case, "appeal"):
            raise Refused("appeal_over", _("The time to appeal is over."), field="text")
        if Appeal.objects.filter(case=case, side=side).exists():
            raise Conflict("appealed", _("Your side has appealed already."), number=case.number)
        body = {"side": side, "grounds": str(grounds), "ruling": ruling.ref}
        event = events.append(case, "appealed", by=by, role="party", body=body, private={"text": words})
        deadlines.stop(case, [Deadline.Kind.APPEAL])
        if not Appeal.objects.filter(case=case).exists():
            deadlines.start(case, Deadline.Kind.PANEL, clock.now() + deadlines.span(case, "panel"))
        telling.appealed(case, side, reply_until=replies.ask(case))
        return Appeal.objects.create(
            case=case, ruling=ruling, side=side, by=by, grounds=grounds, at=clock.now(), event=event
        )


def form_panel(*, by: Person, case: Case) -> list[PanelSeat]:
    """Form the panel: three referees without conflict who had no part in the ruling, from different clubs if possible,
    and up to two reserves.

    Allowed for the organiser, and for a head referee who did not rule. Raises NotAllowed; Conflict `not_open`; Refused
    `panel_short` with the number `missing`: then the organiser names an outsider.
    """
    with writing():
        case = events.lock(case)
        sentence = _("The organiser, or a head referee who did not rule, forms the panel.")
        require(by, "case.form_panel", case, needed="organiser", sentence=sentence)
        if isinstance(by, Player) and by.pk in conflicts.authors(case) and not can(by, "case.name_outsider", case):
            raise NotAllowed(sentence, needed="organiser")
        events.expect(case, "panel_formed")
        free = available.candidates(case)
        if len(free) < SIZE:
            raise Refused(
                "panel_short",
                _("Only %(found)s of three referees are free of a conflict. Name an outsider.") % {"found": len(free)},
                field="members",
                missing=SIZE - len(free),
            )
        clubs = conflicts.clubs_of_people([person.pk for person in free])
        members = {person.pk: person for person in free}
        seats = [
            PanelSeat(case=case, member=members[pk], place=place if place <= SIZE else None, since=clock.now())
            for place, pk in enumerate(choose([(person.pk, clubs[person.pk]) for person in free]), start=1)
        ]
        PanelSeat.objects.bulk_create(seats)
        outside = available.outsiders(case)
        if any(seat.member_id in outside for seat in seats if seat.place):
            case.outsider = True
            case.save(update_fields=["outsider"])
        body = {
            "members": [seat.member.slug for seat in seats if seat.place],
            "reserves": [seat.member.slug for seat in seats if not seat.place],
        }
        role = "organiser" if can(by, "case.name_outsider", case) else "head_referee"
        events.append(case, "panel_formed", by=by, role=role, body=body)
        return seats


def fill_panel(*, by: Person, case: Case) -> list[PanelSeat]:
    """Fill the places that members left when no reserve was there. Raises what `form_panel` raises."""
    with writing():
        case = events.lock(case)
        require(by, "case.form_panel", case, needed="organiser")
        events.expect(case, "panel_replaced")
        taken = set(case.panel.filter(left_at__isnull=True, place__isnull=False).values_list("place", flat=True))
        known = set(case.panel.values_list("member", flat=True))
        free = [person for person in available.candidates(case) if person.pk not in known]
        vacant = [place for place in range(1, SIZE + 1) if place not in taken]
        if len(free) < len(vacant):
            raise Refused(
                "panel_short",
                _("Nobody is free of a conflict any more. Name an outsider."),
                missing=len(vacant) - len(free),
            )
        seats = []
        for place, person in zip(vacant, free, strict=False):
            seats.append(PanelSeat.objects.create(case=case, member=person, place=place, since=clock.now()))
            events.append(case, "panel_replaced", by=by, role="organiser", body={"left": "", "member": person.slug})
        return seats


def vote(*, by: Person, case: Case, vote: str, note: str) -> Vote:
    """Cast a member's vote with a note; the others read the note when all three have voted.

    Raises NotAllowed; Refused: `vote`, `conflict`, and those of `note`; Conflict: `voted`, `not_open`, `reply_pending` while
    the other side may still reply to the appeal.
    """
    words = clean_published(note, field="note", most=NOTE_LENGTH, lines=True)  # a dissent is printed
    with writing():
        case = events.lock(case)
        member = _member(by, case)
        if vote not in Vote.Choice.values:
            raise Refused("vote", _("Vote that the ruling stands, or that it falls."), field="vote")
        if Vote.objects.filter(case=case, member=member).exists():
            raise Conflict("voted", _("You have voted already."), number=case.number)
        replying = case.deadlines.filter(
            kind=Deadline.Kind.ANSWER, done_at__isnull=True, due_at__gt=clock.now()
        ).first()
        if replying is not None:
            raise Conflict(
                "reply_pending",
                _("The other side may still reply to the appeal; then the panel votes."),
                until=replying.due_at.isoformat(),
            )
        # The event records only that a vote was cast; votes and notes are published once all have voted.
        event = events.append(case, "voted", by=member, role="panel", private={"choice": str(vote), "note": words})
        return Vote.objects.create(case=case, member=member, choice=vote, at=clock.now(), event=event)


def preview(*, by: Person, case: Case, decision: Decision) -> RulingPreview:
    """Return what the panel's own decision would change. Raises what `rule` raises, except for the digest."""
    settle_game(case)
    with writing():
        case = events.lock(case, result=True)
        member = _member(by, case)
        choice = _majority(case, member)
        signer = _signer(case, member, choice)
        return execution.rehearse(case, _weigh(case, decision), signer, quashed=ruling_in_force(case))


def rule(
    *, by: Person, case: Case, decision: Decision | None = None, preview_digest: str = "", reasons: str = ""
) -> Ruling:
    """Sign the panel's ruling, by a member of the majority; the votes of the minority are published with it.

    Overturned: `decision` with its preview's digest replaces the ruling. Upheld: `reasons` suffice. Idempotent: the
    same signature again returns the same ruling. Raises NotAllowed; Conflict: `votes_missing`, `already_ruled`,
    `preview_moved`; Refused: `decision` (missing, or given although the ruling is upheld), `minority`, `penalty_grows`,
    and the faults of a decision.
    """
    settle_game(case)
    with writing():
        case = events.lock(case, result=True)
        known = case.rulings.filter(level=2).first()
        if known is not None and known.author_id == getattr(by, "pk", None) and known.preview_digest == preview_digest:
            return known
        if known is not None:
            raise Conflict("already_ruled", _("This appeal has been ruled."), number=case.number)
        member = _member(by, case)
        choice = _majority(case, member)
        first = ruling_in_force(case)
        if first is None:
            raise Broken(f"{case} is under appeal without a ruling")
        if choice == Vote.Choice.UPHOLD:
            if decision is not None:
                raise Refused("decision", _("The majority lets the ruling stand."), field="outcome")
            words = clean_published(reasons, field="reasons", most=REASONS_LENGTH, lines=True)
            ruling = execution.confirm(
                case, first, by=member, reasons=words, dissent=_dissent(case, choice), digest=preview_digest
            )
        else:
            if decision is None:
                raise Refused("decision", _("The ruling falls: write the one that takes its place."), field="outcome")
            weighed, signer = _weigh(case, decision), _signer(case, member, choice)
            ruling = execution.carry_out(case, weighed, signer, digest=preview_digest, quashed=first).ruling
        deadlines.stop(case)
        events.append(case, "became_final", role="system", body={"ruling": ruling.ref})
        telling.appeal_ruled(case, member)
        return ruling


def _signer(case: Case, member: Player, choice: str) -> execution.Signer:
    dissent = _dissent(case, choice)
    return execution.Signer(by=member, type="appeal_ruled", role="panel", head=False, level=2, dissent=dissent)


def _member(by: Person, case: Case) -> Player:
    sentence = _("Only the three members of the panel do this.")
    require(by, "case.vote", case, needed="panel", sentence=sentence)
    if not isinstance(by, Player) or not sits_on(by, case):
        raise NotAllowed(sentence, needed="panel")
    found = conflicts.grounds(by, case)
    if found:
        raise leases.conflict(found)
    return by


def _majority(case: Case, member: Player) -> str:
    """Return the vote of the majority. Raises Conflict `votes_missing`, Refused `minority`."""
    votes = dict(Vote.objects.filter(case=case).values_list("member", "choice"))
    if len(votes) < SIZE:
        raise Conflict("votes_missing", _("All three members vote before anybody rules."), missing=SIZE - len(votes))
    choice = Counter(votes.values()).most_common(1)[0][0]
    if votes.get(member.pk) != choice:
        raise Refused("minority", _("A member of the majority writes the ruling."), status=403)
    return choice


def _weigh(case: Case, decision: Decision) -> Weighed:
    """Weigh the panel's decision. A party's own appeal cannot make its penalty more severe."""
    first = ruling_in_force(case)
    weighed = weigh(case, decision, head=True, quashed=first)
    if first is None or first.offender_id is None:
        return weighed
    punished = weighed.ground.scene.position_of.get(first.offender_id)
    if any(side != punished for side in Appeal.objects.filter(case=case).values_list("side", flat=True)):
        return weighed  # the other side has appealed too
    new = weighed.preview
    harder = SEVERITY.index(new.penalty) > SEVERITY.index(first.penalty)
    elsewhere = decision.offender is not None and decision.offender != first.offender_id
    lost = decision.result == "result" and decision.winner != punished and first.decision.get("result") != "result"
    if (harder and not elsewhere) or lost:
        raise Refused(
            "penalty_grows", _("On its own appeal a side’s penalty does not grow."), field="penalty", was=first.penalty
        )
    return weighed


def _dissent(case: Case, choice: str) -> str:
    """Return the notes of the minority, one paragraph each, with the member's name."""
    texts = []
    for vote in Vote.objects.filter(case=case).exclude(choice=choice).select_related("member", "event"):
        note = PrivateText.objects.filter(entry=vote.event.entry_id, field="note").first()
        texts.append(f"{vote.member.display_name} : {note.text if note is not None else '—'}")
    return "\n\n".join(texts)
