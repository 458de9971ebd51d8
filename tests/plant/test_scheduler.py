"""The thread that claims deadlines: it goes on, whatever a round meets."""

import logging
import threading

import pytest

from tock_league.embedded import scheduler


class Rounds:
    """Counts calls; the first one fails."""

    def __init__(self) -> None:
        self.calls = 0
        self.enough = threading.Event()

    def __call__(self) -> int:
        self.calls += 1
        if self.calls == 1:
            raise ValueError("a game that cannot be read")
        if self.calls >= 3:
            self.enough.set()
        return 1


@pytest.mark.django_db(transaction=True)
def test_a_failing_round_does_not_stop_the_next_ones(monkeypatch, caplog) -> None:
    rounds = Rounds()
    monkeypatch.setattr(scheduler.clocks, "claim_due", rounds)
    monkeypatch.setattr(scheduler.bots, "act_due", lambda: 0)
    thread = scheduler.Scheduler()
    with caplog.at_level(logging.ERROR):
        thread.start()
        assert rounds.enough.wait(10)
        thread.stop()
    assert not thread.is_alive()
    assert "cannot be read" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_stopped_thread_makes_no_more_rounds(monkeypatch) -> None:
    rounds = Rounds()
    rounds.calls = 1
    monkeypatch.setattr(scheduler.clocks, "claim_due", rounds)
    monkeypatch.setattr(scheduler.bots, "act_due", lambda: 0)
    thread = scheduler.Scheduler()
    thread.start()
    assert rounds.enough.wait(10)
    thread.stop()
    made = rounds.calls
    threading.Event().wait(0.1)
    assert rounds.calls == made
