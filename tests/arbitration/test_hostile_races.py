"""A deadline becomes due while a person acts on the case: there is no deadlock."""

import threading
import time

import pytest

from tock_league.arbitration.models import Deadline
from tock_league.arbitration.services.cases import disputes, events, overdue
from tock_league.common.transactions import writing

from .test_races import at_once
from .world import World, a_world, fresh

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def world(transactional_db: None, hand) -> World:
    return a_world()


def test_an_answer_in_the_second_of_its_deadline_does_not_wait_for_the_sweep_that_waits_for_it(
    world: World, hand
) -> None:
    case = world.dispute()
    hand.advance(hours=25)
    holds = threading.Event()

    def answer() -> str:
        with writing():
            events.lock(case)
            holds.set()
            time.sleep(0.5)  # the sweep has reached the lock of the case by now
            disputes.answer(by=world.players[0], case=case, text="Je n’ai rien dit.")
        return "answered"

    def sweep() -> int:
        holds.wait(10)
        return overdue.sweep()

    answers = at_once(answer, sweep)
    assert answers[0] == "answered"
    assert fresh(case).heard
    assert not Deadline.objects.filter(case=case, kind="answer", done_at__isnull=True).exists()
    assert not fresh(case).events.filter(type="deadline_passed").exists()
