"""A failed telling is repeated, and never sent by two workers at once."""

from datetime import timedelta

import pytest
from django.db import connection

from tests.arbitration.world import a_world
from tock_league.accounts.permissions import SITE
from tock_league.arbitration.selectors.rulings import book
from tock_league.common import clock, outbox
from tock_league.common.transactions import writing
from tock_league.feed.models import FeedEvent
from tock_league.webhooks import services, tasks
from tock_league.webhooks.models import Delivery, Webhook
from tock_league.webhooks.services import bodies, posting
from tock_league.webhooks.services.keeping import DELIVER_TASK, enqueue

from .world import a_place, certify, kinds_of, listening, work

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases, pytest.mark.usefixtures("hand")]


@pytest.fixture
def place():
    return a_place()


def test_what_fails_is_sent_again_later_and_later_under_the_same_id(place, receiver, hand):
    listening(place, receiver)
    receiver.answers = [(500, {}, b"Trop tard."), (302, {"Location": "/elsewhere"}, b""), (200, {}, b"")]
    certify(place.match)
    assert work() == ["later"]
    row = outbox.waiting(DELIVER_TASK)[0]
    assert timedelta(seconds=7) < row.due_at - clock.now() <= timedelta(seconds=15)
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.answer) == ("waiting", 500, "Trop tard.")
    hand.advance(seconds=20)
    assert work() == ["later"]  # no redirect is followed
    assert outbox.waiting(DELIVER_TASK)[0].due_at - clock.now() > timedelta(seconds=14)
    assert Webhook.objects.get().failing_since is not None
    assert work() == ["sent"]
    assert work() == []
    assert Webhook.objects.get().failing_since is None
    assert [path for path, _headers, _body in receiver.got] == ["/hook?x=1"] * 3
    assert len({headers["webhook-id"] for _path, headers, _body in receiver.got}) == 1
    stamps = [int(headers["webhook-timestamp"]) for _path, headers, _body in receiver.got]
    assert stamps[1] == stamps[0] + 20  # of the attempt, so that it lies in the receiver's window


def test_two_workers_with_the_same_task_send_once_and_a_repeat_does_nothing(place, receiver):
    listening(place, receiver)
    certify(place.match)
    work()
    delivery = Delivery.objects.get()
    row = outbox.OutboxRow.objects.get(task=DELIVER_TASK)
    assert tasks.deliver(outbox_id=row.pk, delivery=delivery.pk) == "done"
    services.send_again(by=place.officer, slug=delivery.webhook.slug, delivery=delivery.pk)
    (again,) = outbox.waiting(DELIVER_TASK)
    Delivery.objects.update(claimed_at=clock.now())  # another worker sends it now
    assert tasks.deliver(outbox_id=again.pk, delivery=delivery.pk) == "later"
    Delivery.objects.update(claimed_at=clock.now() - timedelta(minutes=2))  # that one was killed
    assert tasks.deliver(outbox_id=again.pk, delivery=delivery.pk) == "sent"
    assert len(receiver.got) == 2
    assert receiver.got[0][1]["webhook-id"] == receiver.got[1][1]["webhook-id"]


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_a_body_is_made_and_sent(receiver, monkeypatch):
    """The standings of a large event take long to read, and a receiver may answer slowly: nobody waits for a lock."""
    place = a_place()
    services.add(by=place.officer, place=place.cup, address=receiver.address(), kinds=["standings.changed"])
    is_inside = []

    def watched(function):
        def call(*given, **named):
            is_inside.append(connection.in_atomic_block)
            return function(*given, **named)

        return call

    monkeypatch.setattr(bodies.payloads, "data_of", watched(bodies.payloads.data_of))
    monkeypatch.setattr(posting, "post", watched(posting.post))
    certify(place.match)
    assert work() == ["sent"]
    assert is_inside == [False, False]


def test_a_ruling_waits_until_it_is_in_the_book(receiver, monkeypatch, hand):
    world = a_world()
    world.ruled()
    address = receiver.address()
    services.add(by=SITE, place=world.competition, address=address, kinds=["ruling.published"])
    fact = FeedEvent.objects.get(kind="ruling.published")
    webhook = Webhook.objects.get()
    now = clock.now()
    delivery = Delivery.objects.create(webhook=webhook, event=str(fact.pk), kind=fact.kind, made_at=now, asked_at=now)
    with writing():
        enqueue(delivery)
    with monkeypatch.context() as patched:
        patched.setattr(book, "published", lambda number: None)  # as while its game goes on
        assert work() == ["later"]
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts, delivery.claimed_at) == ("waiting", 0, None)
    assert work() == ["sent"]
    assert kinds_of(receiver.got) == ["ruling.published"]
