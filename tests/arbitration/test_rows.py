"""The changes that the database refuses, and the faults that the audit finds when the database was bypassed."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from tock_league.arbitration.models import Case, CaseCounter, CaseEvent, Effect, Lease, Ruling, Vote
from tock_league.arbitration.selectors.cases import audit
from tock_league.common import clock

from .world import World, fresh

pytestmark = pytest.mark.both_databases


def test_events_rulings_and_votes_are_never_changed(world: World) -> None:
    case = world.appealed()
    member = case.panel.get(place=1).member
    from tock_league.arbitration.services.appeals import hearing

    hearing.vote(by=member, case=case, vote="uphold", note="Oui.")
    for rows, change in (
        (CaseEvent.objects.filter(case=case), {"type": "dismissed"}),
        (Ruling.objects.filter(case=case), {"penalty": "none"}),
        (Vote.objects.filter(case=case), {"choice": "overturn"}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)
        with pytest.raises(IntegrityError), transaction.atomic():
            rows._raw_delete(rows.db)


def test_a_case_has_at_most_one_open_lease(world: World) -> None:
    case = world.taken(world.dispute())
    lease = Lease.objects.get(case=case)
    with pytest.raises(IntegrityError), transaction.atomic():
        Lease.objects.create(case=case, referee=world.referees[0], since=lease.since, until=lease.until)


def test_one_effect_of_a_kind_is_in_force_for_one_act(world: World) -> None:
    effect = Effect.objects.filter(ruling__case=world.ruled()).get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Effect.objects.create(
            ruling=effect.ruling,
            number=9,
            type=effect.type,
            target=effect.target,
            root=effect.root,
            from_at=clock.now(),
        )


def test_a_match_has_at_most_one_open_dispute(world: World) -> None:
    case = world.dispute()
    with pytest.raises(IntegrityError), transaction.atomic():
        Case.objects.create(
            number="TL-2026-000099",
            competition=case.competition,
            match=case.match,
            game=case.game,
            kind="talk",
            origin="dispute",
            state="filed",
            filed_at=clock.now(),
        )


def test_the_audit_counts_what_it_looked_at(world: World) -> None:
    world.ruled()
    out = StringIO()
    call_command("audit_arbitration", stdout=out)
    assert "1 cases" in out.getvalue()
    assert "1 rulings" in out.getvalue()
    assert audit.audit().events == CaseEvent.objects.count()


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda case: Case.objects.filter(pk=case.pk).update(state="final"), "I1"),
        (lambda case: Case.objects.filter(pk=case.pk).update(heard=False), "I1"),
        (lambda case: Effect.objects.update(lifted_by=Ruling.objects.get()), "I3"),
        (lambda case: CaseCounter.objects.update(last=7), "numbers"),
    ],
)
def test_the_audit_names_the_case_that_was_tampered_with(world: World, spoil, named: str) -> None:
    case = world.ruled()
    assert audit.audit().faults == ()
    spoil(case)
    (fault,) = audit.audit().faults
    assert fault.startswith(named)
    with pytest.raises(CommandError):
        call_command("audit_arbitration", stdout=StringIO(), stderr=StringIO())


def test_a_desk_of_many_cases_takes_a_bounded_number_of_queries(world: World, django_assert_max_num_queries) -> None:
    from tock_league.arbitration.selectors.cases import case_files

    world.dispute()
    with django_assert_max_num_queries(60):
        case_files.queue(world.competition, world.referees[0])
    with django_assert_max_num_queries(80):
        case_files.case_file(fresh(Case.objects.get()), world.referees[0])
    assert connection.vendor in ("sqlite", "postgresql")
