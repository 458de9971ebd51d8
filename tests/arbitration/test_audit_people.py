"""The audit finds conflicts, dismissals by one person and double findings that were written past the services."""

from datetime import timedelta

import pytest

from games.models import GameEvent
from tests.competitions.world import a_club
from tock_league.accounts.models import Player
from tock_league.arbitration.models import Case, FamilyTie, Ruling
from tock_league.arbitration.selectors.cases import audit
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.cases import admissibility, events
from tock_league.arbitration.services.cases.calls import open_case
from tock_league.clubs.models import Club, Membership
from tock_league.common import clock
from tock_league.common.transactions import writing

from .world import World, fresh

DAY = timedelta(days=1)


def only_fault() -> str:
    (fault,) = audit.audit().faults
    return fault


def one_club(*players: Player, since=None, until=None) -> None:
    club = Club.objects.first() or a_club("Club des Chutes")
    for player in players:
        Membership.objects.create(club=club, player=player, since=since or clock.now() - DAY, until=until)


def relatives(one: Player, other: Player, *, by: Player, confirmed: bool = False, until=None) -> FamilyTie:
    low, high = sorted((one, other), key=lambda player: player.pk)
    since = clock.now() - DAY
    return FamilyTie.objects.create(
        low=low, high=high, declared_by=by, since=since, confirmed_at=since if confirmed else None, until=until
    )


def test_a_signature_by_a_member_of_the_club_of_one_side_is_found(world: World) -> None:
    world.ruled()
    assert audit.audit().faults == ()
    one_club(world.head, world.players[0])
    assert only_fault() == f"I6 {Ruling.objects.get()}: signed by a member of the club of one side only"


def test_a_second_signature_by_a_member_of_the_club_of_one_side_is_found(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    ruling = world.rule(case, world.against(case, penalty="ban", deviation_reason="Troisième fois cette saison."))
    assert audit.audit().faults == ()
    one_club(ruling.second, world.players[0])
    assert only_fault() == f"I6 {ruling}: signed by a member of the club of one side only"


def test_a_membership_that_began_after_or_ended_before_the_signature_is_no_fault(world: World, hand) -> None:
    world.ruled()
    one_club(world.head, world.players[0], until=clock.now() - DAY / 2)
    hand.advance(hours=1)
    one_club(world.head, world.players[0], since=clock.now())
    assert audit.audit().faults == ()


def test_a_signature_by_a_relative_is_found(world: World) -> None:
    world.ruled()
    tie = relatives(world.head, world.players[0], by=world.players[0])
    assert audit.audit().faults == (), "a tie that the referee has not confirmed blocks the player who declared it only"
    FamilyTie.objects.filter(pk=tie.pk).update(confirmed_at=tie.since)
    assert only_fault() == f"I6 {Ruling.objects.get()}: signed by a relative of a player"


def test_a_signature_by_a_referee_who_had_declared_the_tie_is_found(world: World, hand) -> None:
    world.ruled()
    hand.advance(hours=1)
    relatives(world.head, world.players[2], by=world.head, until=clock.now())
    assert "signed by a relative" in only_fault()


@pytest.mark.parametrize("tied", ["club", "family"])
def test_a_vote_in_conflict_is_found(world: World, tied: str) -> None:
    case = world.appealed()
    member = case.panel.get(place=1).member
    hearing.vote(by=member, case=case, vote="uphold", note="Oui.")
    assert audit.audit().faults == ()
    if tied == "club":
        one_club(member, world.players[3])
    else:
        relatives(member, world.players[3], by=member)
    assert only_fault().startswith(f"I6 {case}: voted by ")


@pytest.mark.parametrize(("kind", "found"), [("talk", True), ("conduct", True), ("deal", True), ("clock", False)])
def test_a_claim_that_one_person_dismissed_is_found(world: World, kind: str, found: bool) -> None:
    case = world.taken(world.heard(world.dispute(kind=kind)))
    with writing():
        case = events.lock(case)
        events.append(case, "dismissed", by=world.head, role="head_referee")
    expected = [f"I6 {case}: a claim of {kind} was dismissed by one person"] if found else []
    assert list(audit.audit().faults) == expected


def test_a_dismissal_by_two_people_is_no_fault_but_one_by_a_relative_is(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    admissibility.dismiss(by=world.head, case=case, reason="Rien ne le montre.", fresh=True)
    admissibility.agree(by=world.referees[1], case=fresh(case), fresh=True)
    assert audit.audit().faults == ()
    relatives(world.referees[1], world.players[0], by=world.referees[1])
    assert only_fault() == f"I6 {case}: dismissed by a relative of a player"


def planted(world: World, case: Case, *, seq: int, row: str = "talk") -> Ruling:
    """Write a second case about `seq`, with a copy of the ruling of the first, past the services."""
    with writing():
        by, side = world.players[1], 1
        second = open_case(
            match=case.match, game=case.game, seq=seq, kind="talk", origin="dispute", by=by, side=side, text="Encore."
        )
        events.append(second, "lease_taken", by=world.head, role="head_referee")
        copy = Ruling.objects.get(case=case)
        copy.event = events.append(second, "ruled", by=world.head, role="head_referee")
        copy.pk, copy.case, copy.row = None, second, row
        copy.save(force_insert=True)
    return copy


def test_a_second_finding_for_one_act_is_found(world: World) -> None:
    case = world.ruled()
    first = Ruling.objects.get(case=case)
    second = planted(world, case, seq=case.seq)
    assert only_fault() == f"I4 {second}: {first} has punished the same act"


def test_findings_for_two_acts_are_no_fault(world: World) -> None:
    case = world.ruled()
    planted(world, case, seq=case.seq + 1)
    assert audit.audit().faults == ()


@pytest.mark.parametrize(("row", "found"), [("talk", True), ("late", False)])
def test_a_call_and_a_dispute_about_one_play_are_one_act(world: World, row: str, found: bool) -> None:
    case = world.ruled()
    assert case.game is not None
    GameEvent.objects.create(
        game=case.game,
        month=case.game.month,
        seq=900,
        kind="play",
        code="play",
        body={},
        actor="seat:0",
        at=clock.now_ms(),
        chain="",
    )
    Case.objects.filter(pk=case.pk).update(origin="call", seq=901)
    first = Ruling.objects.get(case=case)
    second = planted(world, case, seq=900, row=row)
    faults = [fault for fault in audit.audit().faults if fault.startswith("I4")]
    assert faults == ([f"I4 {second}: {first} has punished the same act"] if found else [])
