from dataclasses import dataclass

import pytest

from tock_league.common import bus
from tock_league.common.models import OutboxRow
from tock_league.common.outbox import enqueue
from tock_league.common.transactions import writing


@dataclass(frozen=True)
class BellRung:
    times: int


@pytest.fixture
def wires():
    """Give an empty bus to a test, and restore the wiring afterwards."""
    within, after = dict(bus._within), dict(bus._after)
    yield bus.connect
    bus.connect(within, after)


@pytest.mark.django_db(transaction=True)
def test_within_runs_in_the_transaction_and_after_runs_when_it_is_committed(wires):
    heard = []
    wires(
        {BellRung: [lambda bell: heard.append(("within", bell.times))]},
        {BellRung: [lambda bell: heard.append(("after", bell.times))]},
    )
    with writing():
        bus.publish(BellRung(3))
        assert heard == [("within", 3)]
    assert heard == [("within", 3), ("after", 3)]


@pytest.mark.django_db(transaction=True)
def test_a_subscriber_within_that_fails_undoes_everything(wires):
    def fail(bell):
        raise RuntimeError("no ink")

    wires({BellRung: [fail]}, {})
    with pytest.raises(RuntimeError), writing():
        enqueue("some.task", "k")
        bus.publish(BellRung(1))
    assert not OutboxRow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_news_of_a_rolled_back_fact_is_never_told(wires):
    heard = []
    wires({}, {BellRung: [heard.append]})
    with pytest.raises(ZeroDivisionError), writing():
        bus.publish(BellRung(1))
        raise ZeroDivisionError
    assert heard == []


@pytest.mark.django_db(transaction=True)
def test_a_subscriber_after_that_fails_neither_undoes_nor_hides_the_others(wires, caplog):
    heard = []

    def fail(bell):
        raise RuntimeError("deaf")

    wires({}, {BellRung: [fail, heard.append]})
    with writing():
        bus.publish(BellRung(1))
    assert heard == [BellRung(1)]
    assert "deaf" in caplog.text
