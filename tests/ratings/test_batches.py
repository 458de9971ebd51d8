"""Results that are rated together: the same rows as one by one, also when one of them cannot be applied."""

import random
from contextlib import contextmanager
from typing import Any

import pytest

from ratings import services, tasks
from ratings.models import Generation, Ladder, RankBucket, RatedResult, Rating, RatingChange, Subject, WaitingResult
from ratings.services import live, states
from tock_league.common.transactions import rolled_back

from .announced import evening

pytestmark = pytest.mark.both_databases

LADDER = "shawinigan:2"


def stored() -> dict[str, list[Any]]:
    """Return what rating has written, without keys that a sequence has given."""
    return {
        "ratings": list(
            Rating.objects.order_by("subject__key").values_list("subject__key", "kind", *states.STATE_FIELDS)
        ),
        "changes": list(
            RatingChange.objects.order_by("completed_at", "source", "subject__key").values_list(
                *("source", "subject__key", "completed_at", "mu_before", "sigma_before", "mu_after", "sigma_after"),
                *("score_before", "score_after", "chance", "idle_days", "won"),
            )
        ),
        "histogram": sorted(RankBucket.objects.filter(count__gt=0).values_list("kind", "bucket", "count")),
        "subjects": sorted(Subject.objects.values_list("key", "kind", "size", "listed")),
        "applied": list(Generation.objects.values_list("number", "applied_at", "applied_source")),
        "waiting": list(WaitingResult.objects.values_list("result__source", flat=True)),
    }


@pytest.fixture
def games(at, people, finished):  # type: ignore[no-untyped-def]
    """Forty-five evenings' games of five people, so that some of them are on the board of all clubs."""
    dice = random.Random(17)
    for _ in range(45):
        evening(at, hours=2)
        four = dice.sample(people[:5], 4)
        finished(four[:2], four[2:], ranks=dice.choice([(0, 1), (1, 0)]))
    at.advance(seconds=2)
    return list(live._waiting(Ladder.objects.get(key=LADDER)))


def test_a_batch_writes_what_single_entries_write(games, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(live, "BATCH", 50)
    with rolled_back():
        for row in games:
            assert live._rate(LADDER, live.SETTLE, only=row.pk).applied == 1
        alone = stored()
    assert services.rate_waiting(ladder_key=LADDER).applied == 45
    assert stored() == alone
    assert alone["histogram"]
    replayed, kept = services.verify(ladder_key=LADDER)
    assert replayed == kept


def test_batches_follow_each_other_until_nothing_waits(games, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(live, "BATCH", 50)
    with rolled_back():
        services.rate_waiting(ladder_key=LADDER)
        together = stored()
    monkeypatch.setattr(live, "BATCH", 7)
    monkeypatch.setattr("tock_league.common.clock.pause", lambda seconds: None)
    tasks.drain(LADDER)
    assert stored() == together


def test_an_entry_that_cannot_be_applied_costs_the_others_only_time(games, monkeypatch, caplog) -> None:  # type: ignore[no-untyped-def]
    bad, apply = games[20].result.source, states.core.apply

    def applied(known, entry, engine):  # type: ignore[no-untyped-def]
        if entry.source == bad:
            raise ArithmeticError("no such estimate")
        return apply(known, entry, engine)

    monkeypatch.setattr(live, "BATCH", 50)
    with monkeypatch.context() as patch:
        patch.setattr(states.core, "apply", applied)
        rated = services.rate_waiting(ladder_key=LADDER)
    assert (rated.applied, rated.resting) == (44, None)
    assert [row.result.source for row in WaitingResult.objects.all()] == [bad]
    assert not RatingChange.objects.filter(source=bad).exists()
    assert "is left out" in caplog.text
    assert services.rate_waiting(ladder_key=LADDER).dirty  # it is late now
    tasks.rebuild_ladder(ladder_key=LADDER)
    assert RatingChange.objects.filter(source=bad, generation__state="live").count() == 6
    replayed, kept = services.verify(ladder_key=LADDER)
    assert replayed == kept


def test_a_worker_that_dies_between_two_batches_leaves_the_rest_waiting(games, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(live, "BATCH", 20)

    def killed(_seconds: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("tock_league.common.clock.pause", killed)
        with pytest.raises(KeyboardInterrupt):
            tasks.drain(LADDER)
    assert WaitingResult.objects.count() == 25
    monkeypatch.setattr("tock_league.common.clock.pause", lambda seconds: None)
    tasks.rate_waiting()
    assert not WaitingResult.objects.exists()
    assert RatingChange.objects.count() == 6 * 45


def test_a_ladder_that_is_being_rated_is_left_to_the_worker_that_is_at_it(games, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    @contextmanager
    def taken(name: str):  # type: ignore[no-untyped-def]
        assert name == f"rating {LADDER}"
        yield False

    monkeypatch.setattr(tasks, "alone", taken)
    tasks.drain(LADDER)
    assert not Rating.objects.exists()


def test_what_comes_while_the_lock_is_given_back_is_rated_too(at, people, finished, games, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    real, late = tasks._drain, []

    def drained(key: str) -> None:
        real(key)
        if not late:
            late.append(finished(people[:2], people[2:4]))
            at.advance(seconds=2)

    monkeypatch.setattr(tasks, "_drain", drained)
    tasks.drain(LADDER)
    assert RatingChange.objects.filter(source=str(late[0])).count() == 6
    assert RatedResult.objects.count() == 46
