"""A broker that does not answer delays no request; the order of commits is kept, and messages beyond the limit are
dropped."""

import threading
import time
from typing import Any

import pytest
from celery import Celery

from tests.common.test_cache import redis_of_ours
from tests.servers.redis import Redis
from tests.servers.site import eventually
from tock_league.common import broker, outbox
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import writing

__all__ = ["redis_of_ours"]


@pytest.fixture
def fresh_sender(monkeypatch: pytest.MonkeyPatch, settings: Any) -> broker.Sender:
    """Give a sender for the test, for a broker that is not in memory."""
    settings.CELERY_BROKER_URL = "redis://elsewhere"
    made = broker.Sender()
    monkeypatch.setattr(broker, "sender", made)
    return made


def test_handing_over_a_task_does_not_block_and_keeps_the_order(fresh_sender: broker.Sender) -> None:
    frozen, sent, all_sent = threading.Event(), [], threading.Event()
    broker.hand_over(lambda: frozen.wait(20))
    for number in range(50):
        broker.hand_over(lambda number=number: sent.append(number))  # type: ignore[misc]
    broker.hand_over(all_sent.set)
    assert sent == []
    frozen.set()
    assert all_sent.wait(20)
    assert sent == list(range(50))


def test_tasks_beyond_the_limit_are_left_to_the_sweep(
    fresh_sender: broker.Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "WAITING", 3)
    frozen, begun = threading.Event(), threading.Event()
    fresh_sender.put(lambda: (begun.set(), frozen.wait(20)))
    assert begun.wait(20)
    assert [fresh_sender.put(lambda: None) for _ in range(5)] == [True, True, True, False, False]
    frozen.set()


def test_a_task_that_cannot_be_sent_does_not_end_the_thread(fresh_sender: broker.Sender) -> None:
    done = threading.Event()
    fresh_sender.put(lambda: 1 / 0)
    fresh_sender.put(done.set)
    assert done.wait(20)


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_a_commit_does_not_wait_for_a_frozen_broker_and_its_task_leaves_when_the_broker_is_back(
    fresh_sender: broker.Sender, redis_of_ours: Redis, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Celery(broker=redis_of_ours.url.replace("unix://", "redis+socket://"), set_as_current=False)
    monkeypatch.setattr(outbox, "current_app", app)
    redis_of_ours.freeze()
    try:
        begun = time.monotonic()
        with writing():
            outbox.enqueue("a.task", "game-1")
            outbox.enqueue("a.task", "game-2")
        assert time.monotonic() - begun < 0.5
    finally:
        redis_of_ours.thaw()
    with app.connection_for_read() as connection:
        queue = connection.SimpleQueue("celery")
        keys = [eventually(lambda: queue.get(timeout=10)).headers["kwargsrepr"] for _ in range(2)]
        queue.close()
    rows = OutboxRow.objects.order_by("pk").values_list("pk", flat=True)
    assert keys == [f"{{'outbox_id': {pk}}}" for pk in rows]
    app.close()
