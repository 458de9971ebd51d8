"""Concurrency: real threads with their own connections, on both databases."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tock_league.arbitration.models import Appeal, Case, CaseCounter, Effect, Lease, Ruling, Vote
from tock_league.arbitration.selectors.cases import audit
from tock_league.arbitration.services.appeals import hearing
from tock_league.arbitration.services.cases import disputes, overdue, result_disputes
from tock_league.arbitration.services.referees import leases
from tock_league.arbitration.services.rulings import signing
from tock_league.common.errors import Refused
from tock_league.competitions.models import ResultEffect
from tock_league.competitions.services.results import corrections

from .entered_world import a_room
from .world import WORDS, World, a_world, fresh

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
MANY = 4


@pytest.fixture
def world(transactional_db: None, hand) -> World:
    return a_world()


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Run the works in threads that start together; return the result of each, or the code of its refusal."""
    barrier, found = threading.Barrier(len(works)), [None] * len(works)

    def run(place: int, work: Callable[[], Any]) -> None:
        barrier.wait(10)
        try:
            found[place] = work()
        except Refused as refused:
            found[place] = refused.code
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


def test_four_referees_take_one_case_and_one_has_it(world: World) -> None:
    case = world.heard(world.dispute())
    answers = at_once(*[lambda by=by: leases.take(by=by, case=case) for by in world.referees])
    assert sorted(isinstance(answer, Lease) for answer in answers) == [False, False, False, True]
    assert [answer for answer in answers if not isinstance(answer, Lease)] == ["taken"] * 3
    assert Lease.objects.count() == 1
    assert audit.audit().faults == ()


def test_both_sides_dispute_at_once_and_one_case_is_open(world: World) -> None:
    game = world.played()
    file = lambda by: disputes.file(by=by, game=game, seq=5, kind="talk", text=WORDS)  # noqa: E731
    answers = at_once(*[lambda by=by: file(by) for by in world.players])
    assert {answer for answer in answers if isinstance(answer, Case)} == {Case.objects.get()}
    assert answers.count("case_open") == 2, "the partner's complaint is added, those of the other side are not"
    assert CaseCounter.objects.get().last == 1
    assert audit.audit().faults == ()


def test_both_teams_dispute_an_entered_result_at_once_and_one_case_is_open(transactional_db: None, hand) -> None:
    room = a_room()
    room.certified(1)
    players = [room.player(position, slot) for position in (0, 1) for slot in (1, 2)]
    given = {"match": room.match, "kind": "result", "asks": "score"}
    answers = at_once(
        *[
            lambda by=by, text=f"Mot {number}.": result_disputes.file(by=by, text=text, **given)
            for number, by in enumerate(players)
        ]
    )
    case = Case.objects.get()
    assert answers == [case] * 4
    assert sorted(case.events.values_list("type", flat=True)) == ["filed", "stated", "stated", "stated"]
    assert CaseCounter.objects.get().last == 1
    assert audit.audit().faults == ()


def test_a_dispute_and_a_correction_at_once_never_both_count(transactional_db: None, hand) -> None:
    room = a_room()
    room.certified(1)
    right = corrections.Right("paper", games=(corrections.Game(0, 2),))
    digest = corrections.preview(by=room.organiser, match=room.match, right=right).digest
    correct = {
        "by": room.organiser,
        "match": room.match,
        "right": right,
        "reason": "Feuille mal lue.",
        "digest": digest,
    }
    player = room.player(0)
    filed, done = at_once(
        lambda: result_disputes.file(by=player, match=room.match, kind="result", asks="score", text=WORDS),
        lambda: corrections.correct(**correct),
    )
    assert isinstance(filed, Case)
    assert filed.entered == ("v1" if done == "case_open" else "C-1")
    assert ResultEffect.objects.exists() is (done != "case_open")
    assert audit.audit().faults == ()


def test_one_signature_clicked_four_times_has_one_effect(world: World) -> None:
    case = world.taken(world.heard(world.dispute()))
    decision = world.against(case, result="result", game_number=1, winner=1)
    digest = signing.preview(by=world.head, case=case, decision=decision).digest
    sign = lambda: signing.sign(by=world.head, case=case, decision=decision, preview_digest=digest)  # noqa: E731
    answers = at_once(*[sign] * MANY)
    assert {answer.pk for answer in answers} == {Ruling.objects.get().pk}
    assert Effect.objects.count() == 2
    assert ResultEffect.objects.count() == 1
    assert fresh(case).events.filter(type="ruled").count() == 1
    assert audit.audit().faults == ()


def test_an_answer_and_a_signature_at_once_never_meet_half_way(world: World, hand) -> None:
    case = world.dispute()
    hand.advance(hours=25)
    case = world.taken(case)
    decision = world.against(case)
    digest = signing.preview(by=world.head, case=case, decision=decision).digest
    signed, _answered = at_once(
        lambda: signing.sign(by=world.head, case=case, decision=decision, preview_digest=digest),
        lambda: disputes.answer(by=world.players[0], case=case, text="Un mot."),
    )
    if isinstance(signed, Ruling):
        assert not fresh(case).events.filter(type="answered").exists()
    else:
        assert signed == "preview_moved"
        assert not Ruling.objects.exists()
    assert audit.audit().faults == ()


def test_an_appeal_sent_four_times_is_one_appeal(world: World) -> None:
    case = world.ruled()
    file = lambda by: hearing.appeal(by=by, case=case, grounds="rule", text="Une autre règle.")  # noqa: E731
    answers = at_once(*[lambda by=by: file(by) for by in (world.players[0], world.players[2]) * 2])
    assert sorted(isinstance(answer, Appeal) for answer in answers) == [False, False, False, True]
    assert Appeal.objects.count() == 1


def test_three_vote_at_once_and_each_vote_counts(world: World) -> None:
    case = world.appealed()
    members = [seat.member for seat in case.panel.filter(place__isnull=False)]
    answers = at_once(*[lambda by=by: hearing.vote(by=by, case=case, vote="uphold", note="Oui.") for by in members * 2])
    assert sum(isinstance(answer, Vote) for answer in answers) == 3
    assert fresh(case).state == "deliberating"
    assert audit.audit().faults == ()


def test_several_processes_carry_out_a_deadline_once(world: World, hand) -> None:
    case = world.ruled()
    hand.advance(hours=49)
    assert sum(at_once(*[overdue.sweep] * 3)) == 1
    assert fresh(case).events.filter(type="became_final").count() == 1


def test_four_disputes_of_different_matches_get_four_numbers(world: World) -> None:
    from tests.competitions.world import play_match

    first = world.played()
    other = world.competition.matches.exclude(pk=world.match.pk).filter(round__number=1).first()
    second = play_match(other, 0).table.games.first()
    by = second.table.seatings.get(seat=1).player
    answers = at_once(
        lambda: disputes.file(by=world.players[1], game=first, seq=5, kind="talk", text=WORDS),
        lambda: disputes.file(by=by, game=second, seq=5, kind="talk", text=WORDS),
    )
    assert {answer.number for answer in answers} == {"TL-2026-000001", "TL-2026-000002"}
    assert audit.audit().faults == ()


def test_a_signature_and_a_call_at_another_table_do_not_wait_for_each_other(world: World) -> None:
    from tests.games.conftest import Sat
    from tock_league.competitions.services.rounds import publishing

    other = world.competition.matches.exclude(pk=world.match.pk).filter(round__number=1).first()
    publishing.open_table(match_id=other.pk, early=True)
    other.refresh_from_db()
    seated = [row.player for row in other.table.seatings.select_related("player").order_by("seat")]
    sat = Sat(other.table, seated)
    sat.all_ready()
    sat.exchange()
    case = world.taken(world.heard(world.dispute()))
    decision = world.against(case, result="result", game_number=1, winner=1)
    digest = signing.preview(by=world.head, case=case, decision=decision).digest
    signed, called = at_once(
        lambda: signing.sign(by=world.head, case=case, decision=decision, preview_digest=digest),
        lambda: sat.send(0, "dispute", kind="talk"),
    )
    assert isinstance(signed, Ruling)
    assert called.code == ""
    assert Case.objects.filter(origin="call", live=True).count() == 1
    assert audit.audit().faults == ()


def test_a_role_that_ends_while_its_referee_takes_a_case_leaves_no_lease(world: World) -> None:
    from tock_league.accounts.permissions import SITE
    from tock_league.competitions.models import CompetitionRole
    from tock_league.competitions.services.seasons import roles

    case = world.heard(world.dispute())
    role = CompetitionRole.objects.get(competition=world.competition, player=world.referees[0])
    at_once(
        lambda: leases.take(by=world.referees[0], case=case),
        lambda: roles.end(by=SITE, role=role),
    )
    overdue.sweep()  # a lease taken at the same moment is ended by the next sweep at the latest
    assert not Lease.objects.filter(ended_at__isnull=True).exists()
    assert fresh(case).state == "filed"
    assert audit.audit().faults == ()
