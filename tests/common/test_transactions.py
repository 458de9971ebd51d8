import threading

import pytest
from django.db import connection

from tock_league.common.models import OutboxRow
from tock_league.common.outbox import enqueue
from tock_league.common.transactions import in_transaction, writing

pytestmark = pytest.mark.both_databases


@pytest.mark.django_db(transaction=True)
def test_an_exception_leaves_nothing_half_written():
    with pytest.raises(ValueError), writing():
        enqueue("a.task", "k")
        raise ValueError
    assert not OutboxRow.objects.exists()
    assert not in_transaction()


@pytest.mark.django_db(transaction=True)
def test_a_service_that_calls_another_joins_its_transaction():
    with pytest.raises(ValueError), writing():
        with writing():
            enqueue("a.task", "inner")
        raise ValueError
    assert not OutboxRow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_many_writers_at_once_all_get_through():
    failures = []

    def write(number):
        try:
            for turn in range(10):
                with writing():
                    OutboxRow.objects.count()
                    enqueue("a.task", f"{number}-{turn}", due_at=None)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    writers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failures == []
    assert OutboxRow.objects.count() == 40
