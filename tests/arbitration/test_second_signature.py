"""Two signatures: a decision that expels a player, goes above the table or dismisses a claim of talking or conduct waits
for a second referee, and nothing takes effect before."""

import pytest

from games.services import clocks
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.core.decisions import Decision
from tock_league.arbitration.models import Case, Deadline, Effect, Ruling
from tock_league.arbitration.selectors.cases import audit, case_files
from tock_league.arbitration.selectors.rulings.proposals import Proposal, proposal_of
from tock_league.arbitration.services.cases import admissibility, disputes, overdue
from tock_league.arbitration.services.referees import leases, outsiders
from tock_league.arbitration.services.rulings import countersigning, signing
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.selectors.changes.observed import observe
from tock_league.competitions.services.seasons import roles
from tock_league.journal.models import JournalEntry

from .world import TALK, World, a_player, decided, fresh, related

NOTHING = Decision("dismissed", facts="Personne n’a entendu.", reasons="Rien ne le prouve.")
WHY = "Il l’a fait exprès, devant tous."


def proposed(world: World, **more: object) -> Case:
    """Return a dispute whose ban the head referee has signed."""
    case = world.taken(world.heard(world.dispute()))
    found = world.signed(case, world.against(case, penalty="ban", deviation_reason=WHY, **more))
    assert isinstance(found, Proposal)
    return fresh(case)


@pytest.mark.parametrize(
    ("kind", "decision"),
    [
        ("talk", {"penalty": "exclusion", "deviation_reason": WHY}),
        ("talk", {"penalty": "suspension", "deviation_reason": WHY}),
        ("talk", {"penalty": "ban", "deviation_reason": WHY}),
        ("talk", {"penalty": "warning_point", "deviation_reason": WHY}),  # above the standard
        ("clock", {"row": "clock", "penalty": "warning", "deviation_reason": WHY}),
        ("talk", NOTHING),
        ("conduct", NOTHING),
        ("deal", NOTHING),
        ("other", NOTHING),
        ("clock", decided(NOTHING, about="talk")),
        ("talk", decided(NOTHING, outcome="referee_error")),
        ("talk", {"row": "clock"}),  # another finding than the claim
        ("clock", {"penalty": "none", "deviation_reason": WHY}),  # a finding of talking without a penalty
    ],
)
def test_nothing_takes_effect_before_a_second_referee_has_signed(world: World, kind: str, decision) -> None:
    case = world.taken(world.heard(world.dispute(kind=kind)))
    before = observe(world.competition)
    chosen = decision if isinstance(decision, Decision) else world.against(case, **decision)
    assert isinstance(world.signed(case, chosen), Proposal)
    case = fresh(case)
    assert (case.state, Ruling.objects.count(), Effect.objects.count()) == ("triage", 0, 0)
    assert observe(world.competition) == before
    assert not case.leases.filter(ended_at=None).exists()
    assert audit.audit().faults == ()
    ruling = world.countersigned(case)
    assert (ruling.author, ruling.case.state) == (world.head, "ruled")
    assert ruling.second not in (None, world.head)
    assert ruling.facts == chosen.facts
    assert audit.audit().faults == ()


@pytest.mark.parametrize(
    ("kind", "decision"),
    [
        ("talk", {}),
        ("talk", {"penalty": "caution", "deviation_reason": WHY}),  # below the standard
        ("clock", NOTHING),
        ("other", decided(NOTHING, about="clock")),
    ],
)
def test_one_signature_is_enough_for_the_rest(world: World, kind: str, decision) -> None:
    case = world.taken(world.heard(world.dispute(kind=kind)))
    chosen = decision if isinstance(decision, Decision) else world.against(case, **decision)
    assert isinstance(world.signed(case, chosen), Ruling)


def test_the_same_signature_again_is_the_same_proposal(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    shown = signing.preview(by=world.head, case=case, decision=NOTHING)
    again = [
        signing.sign(by=world.head, case=case, decision=NOTHING, preview_digest=shown.digest, fresh=True)
        for _click in range(2)
    ]
    assert again[0] == again[1]
    assert case.events.filter(type="ruling_proposed").count() == 1


def test_a_first_signature_on_an_old_preview_is_refused(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    with pytest.raises(Conflict) as moved:
        signing.sign(by=world.head, case=case, decision=NOTHING, preview_digest="0" * 64, fresh=True)
    assert moved.value.code == "preview_moved"
    assert fresh(case).state == "hearing"


def test_without_a_fresh_sign_in_neither_signature_is_taken(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    shown = signing.preview(by=world.head, case=case, decision=NOTHING)
    with pytest.raises(Refused) as stale:
        signing.sign(by=world.head, case=case, decision=NOTHING, preview_digest=shown.digest)
    assert stale.value.code == "sign_in_again"
    assert fresh(case).state == "hearing"
    world.signed(case, NOTHING)
    second = world.second(case)
    shown = countersigning.preview(by=second, case=case)
    with pytest.raises(Refused) as stale:
        countersigning.countersign(by=second, case=case, preview_digest=shown.digest)
    assert stale.value.code == "sign_in_again"
    assert fresh(case).state == "triage"
    with pytest.raises(Refused) as stale:
        admissibility.dismiss(
            by=world.head, case=world.taken(countersigning.refuse(by=second, case=case, reason="Non.")), reason="Rien."
        )
    assert stale.value.code == "sign_in_again"


def test_only_another_referee_without_a_conflict_signs_second(world: World) -> None:
    case = proposed(world)
    tied = world.referees[1]
    related(tied, world.players[3])
    sign = lambda by: countersigning.countersign(by=by, case=case, preview_digest="0" * 64, fresh=True)  # noqa: E731
    codes = {}
    for name, by in {
        "first": world.head,
        "tied": tied,
        "party": world.players[1],
        "organiser": world.organiser,
        "stranger": a_player("Quidam"),
        "site": SITE,
    }.items():
        for act in (sign, lambda by: countersigning.refuse(by=by, case=case, reason="Non.")):
            with pytest.raises(Refused) as refused:
                act(by)
            codes[name] = refused.value.code
    assert codes == {
        "first": "second_referee",
        "tied": "conflict",
        "party": "not_allowed",
        "organiser": "not_allowed",
        "stranger": "not_allowed",
        "site": "not_allowed",
    }
    assert not Ruling.objects.exists()


def test_a_second_referee_refuses_with_a_reason_and_another_may_rule(world: World) -> None:
    case = proposed(world)
    second = world.second(case)
    with pytest.raises(Refused) as silent:
        countersigning.refuse(by=second, case=case, reason=" ")
    assert silent.value.field == "reason"
    countersigning.refuse(by=second, case=case, reason="Un avertissement suffit.")
    assert (fresh(case).state, proposal_of(fresh(case))) == ("filed", None)
    assert case.deadlines.get(done_at=None).kind == Deadline.Kind.RULING
    with pytest.raises(Conflict):
        countersigning.refuse(by=second, case=case, reason="Encore.")
    world.taken(fresh(case), second)
    assert world.rule(fresh(case), world.against(case), by=second).penalty == "warning"
    assert audit.audit().faults == ()


def test_a_dismissal_and_a_ruling_are_answered_each_in_its_own_way(world: World) -> None:
    case, second = proposed(world), world.referees[1]
    with pytest.raises(Conflict):
        admissibility.agree(by=second, case=case, fresh=True)
    with pytest.raises(Conflict):
        admissibility.disagree(by=second, case=case, reason="Non.")
    countersigning.refuse(by=second, case=case, reason="Non.")
    admissibility.dismiss(by=world.head, case=world.taken(fresh(case)), reason="Rien.", fresh=True)
    with pytest.raises(Conflict):
        countersigning.refuse(by=second, case=case, reason="Non.")
    with pytest.raises(Conflict):
        countersigning.preview(by=second, case=case)


def test_the_second_referee_signs_what_the_ruling_changes_now(world: World) -> None:
    case = proposed(world)
    second, first = world.second(case), proposal_of(case)
    assert countersigning.preview(by=second, case=case).digest == first.digest
    disputes.add(by=world.players[1], case=case, text="Encore un mot.")
    shown = countersigning.preview(by=second, case=case)
    assert shown.digest != first.digest
    with pytest.raises(Conflict) as moved:
        countersigning.countersign(by=second, case=case, preview_digest=first.digest, fresh=True)
    assert moved.value.code == "preview_moved"
    assert not Ruling.objects.exists()
    ruling = countersigning.countersign(by=second, case=case, preview_digest=shown.digest, fresh=True)
    assert countersigning.countersign(by=second, case=case, preview_digest=shown.digest, fresh=True) == ruling


def test_a_first_signer_who_has_lost_the_role_does_not_count(world: World) -> None:
    case = proposed(world)
    roles.end(by=SITE, role=world.competition.roles.get(player=world.head, until=None))
    with pytest.raises(Refused) as gone:
        countersigning.preview(by=world.second(case), case=case)
    assert gone.value.code == "first_signature"


def test_when_nobody_signs_the_head_referee_and_then_the_organiser_are_asked(world: World, hand) -> None:
    case = proposed(world)
    waiting = [one for one in case_files.waiting_for(world.referees[0]) if one.case == case]
    assert [(one.what, one.due_at is not None) for one in waiting] == [("second", True)]
    assert not [one for one in case_files.waiting_for(world.head) if one.case == case]
    hand.advance(hours=24, seconds=1)
    overdue.sweep()
    hand.advance(hours=72)
    overdue.sweep()
    found = [event.body["to"] for event in case.events.filter(type="escalated").order_by("seq")]
    assert found == ["head_referee", "organiser"]
    assert fresh(case).state == "triage"


def test_the_organiser_names_a_second_referee_when_only_the_first_is_left(world: World) -> None:
    case = proposed(world)
    assert "name_outsider" not in case_files.case_file(case, world.organiser).may
    for referee in world.referees:
        roles.end(by=SITE, role=world.competition.roles.get(player=referee, until=None))
    assert "name_outsider" in case_files.case_file(case, world.organiser).may
    outsider = a_player("Lise Caron")
    outsiders.name_outsider(by=world.organiser, case=case, player=outsider, reason="Personne d’autre n’est libre.")
    shown = countersigning.preview(by=outsider, case=case)
    ruling = countersigning.countersign(by=outsider, case=case, preview_digest=shown.digest, fresh=True)
    assert ruling.second == outsider


def test_whoever_signed_second_does_not_judge_the_appeal(world: World) -> None:
    from tock_league.arbitration.services.appeals import hearing

    case = proposed(world)
    second = world.countersigned(case).second
    hearing.appeal(by=world.players[0], case=case, grounds="fact", text="Personne n’a rien entendu.")
    hearing.form_panel(by=world.organiser, case=case)
    assert second not in [seat.member for seat in case.panel.all()]


def test_the_sides_and_the_journal_learn_that_a_decision_waits_and_not_which(world: World) -> None:
    case = proposed(world)
    for player in world.players:
        file = case_files.case_file(case, player)
        assert file.proposal is None
        assert file.events[-1].type == "ruling_proposed"
        assert not [said for said in file.statements if WHY in said.text]
    told = b"".join(bytes(entry.body) for entry in JournalEntry.objects.all())
    assert b"case.ruling_proposed" in told
    assert b'"ban"' not in told
    assert TALK.facts.encode() not in told
    assert case_files.case_file(case, world.head).proposal.decision.penalty == "ban"
    assert case_files.case_file(case, world.referees[2]).proposal.decision.facts == TALK.facts
    related(world.referees[3], world.players[3])
    assert case_files.case_file(case, world.referees[3]).proposal is None


def test_the_sides_are_not_told_that_a_referee_wants_to_dismiss_a_case(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    admissibility.dismiss(by=world.head, case=case, reason="Rien.", fresh=True)
    for viewer, told in ((world.players[0], False), (world.referees[0], True)):
        types = [event.type for event in case_files.case_file(fresh(case), viewer).events]
        assert ("dismissal_proposed" in types, "ruling_proposed" in types) == (told, not told)


def test_a_claim_that_turned_out_to_be_about_talking_is_not_dismissed_by_one(world: World) -> None:
    case = world.taken(world.dispute(kind="clock"))
    with pytest.raises(Refused) as unknown:
        admissibility.dismiss(by=world.head, case=case, reason="Rien.", about="weather", fresh=True)
    assert unknown.value.field == "about"
    admissibility.dismiss(by=world.head, case=case, reason="Rien.", about="talk", fresh=True)
    assert fresh(case).state == "triage"


# ---- at the table


def called(world: World):
    sat = world.sat()
    sat.play_on(3)
    sat.send(0, "dispute", kind="talk")
    return sat, world.taken(Case.objects.get())


def test_a_dismissed_call_lets_the_table_play_on_and_is_signed_second_meanwhile(world: World) -> None:
    sat, case = called(world)
    assert isinstance(world.signed(case, NOTHING), Proposal)
    assert sat.state.frozen is None
    sat.play_on(1)
    assert world.countersigned(fresh(case)).outcome == "dismissed"
    assert audit.audit().faults == ()


def test_the_table_waits_for_a_second_signature_that_acts_there(world: World) -> None:
    sat, case = called(world)
    offender = world.players[1].pk
    decision = decided(TALK, offender=offender, penalty="match_forfeit", deviation_reason=WHY)
    world.signed(case, decision)
    assert sat.state.frozen is not None
    assert sat.game.state != "over"
    world.countersigned(fresh(case))
    assert sat.game.state == "over"
    assert audit.audit().faults == ()


def test_play_goes_on_when_nobody_signs_and_the_case_is_decided_after_the_game(world: World, hand) -> None:
    sat, case = called(world)
    decision = decided(TALK, offender=world.players[1].pk, penalty="match_forfeit", deviation_reason=WHY)
    world.signed(case, decision)
    hand.advance(minutes=6)
    clocks.claim_due()
    assert sat.state.frozen is None
    case = fresh(case)
    assert (case.state, case.live, proposal_of(case)) == ("filed", False, None)
    assert case_files.case_file(case, world.head).events[-1].type == "ruling_refused"
    assert leases.take(by=world.referees[0], case=case)
    assert audit.audit().faults == ()


def test_the_audit_finds_a_ruling_that_one_person_signed_alone(world: World, monkeypatch) -> None:
    case = world.taken(world.heard(world.dispute()))
    monkeypatch.setattr("tock_league.arbitration.core.keys.two_keys", lambda _decision, _setting: "")
    assert isinstance(world.signed(case, NOTHING), Ruling)
    (fault,) = audit.audit().faults
    assert "signed by one person only" in fault


def test_a_plain_referee_proposes_no_penalty_that_is_the_head_referees(world: World) -> None:
    case = world.taken(world.heard(world.dispute()), world.referees[0])
    with pytest.raises(Refused) as refused:
        world.signed(case, world.against(case, penalty="ban", deviation_reason=WHY), by=world.referees[0])
    assert refused.value.code == "head_referee_needed"
    with pytest.raises(NotAllowed):
        countersigning.preview(by=world.players[0], case=proposed_by(world, case))


def proposed_by(world: World, case: Case) -> Case:
    world.signed(case, NOTHING, by=world.referees[0])
    return fresh(case)
