from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tock_league.common import clock, outbox
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import writing

pytestmark = pytest.mark.both_databases

NOON = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)


@pytest.fixture
def broker(monkeypatch):
    """A broker that only records its messages; set `broker.down` to make it fail."""

    class Broker:
        down = False

        def __init__(self):
            self.sent = []

        def send_task(self, name, kwargs, retry):
            if self.down:
                raise ConnectionError("no broker")
            self.sent.append((name, kwargs))

    broker = Broker()
    monkeypatch.setattr(outbox, "current_app", broker)
    return broker


@pytest.mark.django_db(transaction=True)
def test_a_task_leaves_when_the_fact_is_committed_and_not_before(broker):
    with writing():
        row = outbox.enqueue("a.task", "game-1", game="g7q2")
        assert broker.sent == []
    assert broker.sent == [("a.task", {"outbox_id": row.pk, "game": "g7q2"})]


@pytest.mark.django_db(transaction=True)
def test_the_same_key_twice_is_one_row_and_one_task(broker):
    for _ in range(2):
        with writing():
            outbox.enqueue("a.task", "game-1")
    assert OutboxRow.objects.count() == 1
    assert len(broker.sent) == 1


@pytest.mark.django_db(transaction=True)
def test_a_lost_task_is_sent_again_by_the_sweep_until_it_is_done(broker):
    with clock.frozen(NOON) as hand:
        broker.down = True
        with writing():
            row = outbox.enqueue("a.task", "game-1")
        assert broker.sent == []
        assert outbox.sweep() == 0  # not due yet: the last try was a moment ago
        broker.down = False
        hand.advance(seconds=11)
        assert outbox.sweep() == 1
        assert len(broker.sent) == 1
        with writing():
            outbox.done(row.pk)
        hand.advance(hours=1)
        assert outbox.sweep() == 0
        assert outbox.is_done(row.pk)


@pytest.mark.django_db(transaction=True)
def test_the_wait_between_tries_doubles_and_is_bounded(broker):
    with clock.frozen(NOON) as hand:
        with writing():
            row = outbox.enqueue("a.task", "game-1")
        waits = []
        for _ in range(9):
            row.refresh_from_db()
            waits.append(row.due_at - clock.now())
            hand.set(row.due_at)
            assert outbox.sweep() == 1
        assert waits[:3] == [timedelta(seconds=10), timedelta(seconds=20), timedelta(seconds=40)]
        assert max(waits) == outbox.MAX_WAIT


@pytest.mark.django_db(transaction=True)
def test_later_work_waits_for_its_time(broker):
    with clock.frozen(NOON) as hand:
        with writing():
            outbox.enqueue("a.task", "reminder", due_at=NOON + timedelta(hours=1))
        assert outbox.sweep() == 0
        hand.advance(hours=1)
        assert outbox.sweep() == 1


@pytest.mark.django_db(transaction=True)
def test_only_old_rows_that_are_done_are_forgotten(broker):
    with clock.frozen(NOON) as hand:
        with writing():
            outbox.done(outbox.enqueue("a.task", "old").pk)
            outbox.enqueue("a.task", "waiting")
        hand.advance(days=15)
        assert outbox.forget() == 1
        assert OutboxRow.objects.get().key == "waiting"


@pytest.mark.django_db(transaction=True)
def test_what_is_done_by_hand_is_not_sent_and_what_is_left_is_swept(broker, frozen_clock):
    with outbox.by_hand(), writing():
        first = outbox.enqueue("a.task", "game-1", game="g7q2")
        second = outbox.enqueue("a.task", "game-2", game="g7q3")
        outbox.enqueue("another.task", "game-1", due_at=clock.now() + timedelta(hours=1))
    assert broker.sent == []
    assert outbox.waiting("a.task") == [first, second]
    outbox.done(first.pk)
    assert outbox.waiting("a.task") == [second]
    assert outbox.sweep() == 1
    assert broker.sent == [("a.task", {"outbox_id": second.pk, "game": "g7q3"})]


@pytest.mark.django_db(transaction=True)
def test_a_task_whose_process_dies_before_it_is_sent_is_sent_by_the_sweep(broker, monkeypatch):
    with clock.frozen(NOON) as hand:
        with monkeypatch.context() as patch:
            patch.setattr(outbox.broker, "hand_over", lambda send: None)
            with writing():
                outbox.enqueue("a.task", "game-1")
        assert outbox.sweep() == 0
        hand.advance(seconds=10)
        assert outbox.sweep() == 1
        assert len(broker.sent) == 1


@pytest.mark.django_db(transaction=True)
def test_many_lost_tasks_are_marked_in_one_transaction_and_keep_their_own_waits(broker):
    with clock.frozen(NOON) as hand:
        broker.down = True
        with writing():
            rows = [outbox.enqueue("a.task", f"game-{number}") for number in range(4)]
        hand.advance(seconds=10)
        outbox.failed(rows[0].pk)
        broker.down = False
        with CaptureQueriesContext(connection) as captured:
            assert outbox.sweep() == 4
        assert sum(query["sql"].startswith("UPDATE") for query in captured) == 2  # one for each wait
        assert len(broker.sent) == 4
        due = dict(OutboxRow.objects.values_list("key", "due_at"))
        assert due["game-0"] - clock.now() == timedelta(seconds=40)
        assert due["game-1"] - clock.now() == timedelta(seconds=20)


@pytest.mark.django_db(transaction=True)
def test_what_has_failed_again_and_again_is_not_offered_for_company(broker):
    with clock.frozen(NOON):
        with outbox.by_hand(), writing():
            outbox.enqueue("a.task", "by hand")
        with writing():
            rows = [outbox.enqueue("a.task", f"game-{number}") for number in range(3)]
            outbox.enqueue("another.task", "game-3")
        assert outbox.fresh("a.task", 10) == rows
        assert outbox.fresh("a.task", 2) == rows[:2]
        for _ in range(outbox.FRESH):
            outbox.failed(rows[1].pk)
        outbox.done(rows[0].pk, rows[2].pk)
        assert outbox.fresh("a.task", 10) == []
        assert len(outbox.waiting("a.task")) == 2
