"""Tests of the live path: a finished game changes the states once and in order."""

import pytest
from django.conf import settings

from games.announcements import GameFinished, GameVoided
from ratings import services, tasks
from ratings.core import recompute as core
from ratings.models import Ladder, RatedResult, Rating, RatingChange, Subject, WaitingResult
from ratings.selectors.rows import record_of
from tock_league.celery import app
from tock_league.common import bus, clock, outbox
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import writing

from .replays import LADDER, assert_replayed, ratings_of


@pytest.mark.both_databases
def test_a_finished_game_is_logged_and_rated_after_a_second(at, people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4])
    assert services.rate_waiting(ladder_key=LADDER).applied == 0
    assert Rating.objects.count() == 0

    rated = settled()

    assert (rated.applied, rated.changes, rated.resting, rated.dirty) == (1, 6, None, False)
    players = ratings_of("player")
    assert [row.score_milli > 1_000_000 for row in players] == [True, True, False, False]
    assert [row.wins for row in players] == [1, 1, 0, 0]
    assert {row.subject.key for row in ratings_of("team")} == {
        f"{people[0].pk}-{people[1].pk}",
        f"{people[2].pk}-{people[3].pk}",
    }
    assert not WaitingResult.objects.exists()
    assert outbox.sweep() == 0


def test_rating_twice_changes_nothing(people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4])
    settled()
    before = services.verify(ladder_key=LADDER)
    assert settled().applied == 0
    task = OutboxRow.objects.get()
    tasks.rate_game(outbox_id=task.pk, ladder_key=LADDER)
    assert services.verify(ladder_key=LADDER) == before
    assert RatingChange.objects.count() == 6


def test_a_game_announced_twice_is_logged_once(people, finished) -> None:  # type: ignore[no-untyped-def]
    number = finished(people[0:2], people[2:4])
    finished(people[0:2], people[2:4], game_id=number)
    assert RatedResult.objects.count() == 1


def test_the_task_sleeps_until_the_entry_is_old_enough_and_rates_it(at, people, finished, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4])
    monkeypatch.setattr("tock_league.common.clock.pause", lambda seconds: at.advance(seconds=seconds))
    row = OutboxRow.objects.get()
    tasks.rate_game(outbox_id=row.pk, ladder_key=LADDER)
    assert Rating.objects.count() == 6
    assert outbox.is_done(row.pk)


def test_the_periodic_task_rates_a_game_whose_task_was_lost(at, people, finished) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4])
    OutboxRow.objects.all().delete()
    at.advance(seconds=5)
    tasks.rate_waiting()
    assert Rating.objects.count() == 6


@pytest.mark.parametrize(
    "reason", ["no_show", "walkover", "bye", "administrative", "forfeit_early", "substitute", "default_plays", "late"]
)
def test_an_unrated_game_changes_no_rating_and_is_logged_with_its_reason(reason, people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4])
    settled()
    before = services.verify(ladder_key=LADDER)
    finished(people[0:2], people[2:4], rated=False, unrated_reason=reason, reason="forfeit_timeouts")
    assert not WaitingResult.objects.exists()
    settled()
    assert services.verify(ladder_key=LADDER) == before
    assert RatingChange.objects.count() == 6
    assert RatedResult.objects.get(rated=False).reason == reason


def test_a_game_with_a_guest_or_a_bot_is_not_logged(people, finished) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4], sides=None, rated=False, unrated_reason="practice")
    assert not RatedResult.objects.exists()
    assert not Ladder.objects.exists()


def test_an_invalid_result_is_refused_and_nothing_is_written(people, finished) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="ranks: a rated game of two teams has a winner"):
        finished(people[0:2], people[2:4], ranks=(0, 0))
    with pytest.raises(ValueError, match="sides: one person cannot play twice"):
        finished(people[0:2], people[1:3])
    assert not RatedResult.objects.exists()
    assert not OutboxRow.objects.exists()


def test_games_that_commit_out_of_order_within_a_second_are_rated_in_order(at, people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    first_ended = clock.now()
    at.advance(seconds=0.4)
    finished(people[4:6], people[0:2])
    finished(people[0:2], people[2:4], finished_at=first_ended)
    rated = settled()
    assert (rated.applied, rated.dirty) == (2, False)
    assert_replayed()


@pytest.mark.both_databases
def test_the_stored_states_equal_those_of_the_core(people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    number = finished(people[0:2], people[2:4], ranks=(1, 0))
    settled()
    states: core.States = {}
    from ratings.core.engines import ClosedForm
    from ratings.core.params import DEFAULT

    sides = tuple(tuple(p.pk for p in side) for side in (people[0:2], people[2:4]))
    core.apply(
        states, core.Entry(str(number), RatedResult.objects.get().completed_at, sides, (1, 0)), ClosedForm(DEFAULT)
    )
    for row in Rating.objects.select_related("subject"):
        state = states[tuple(int(part) for part in row.subject.key.split("-"))]
        assert (row.mu, row.sigma, row.games) == (state.mu, state.sigma, 1)
        assert record_of(row.subject.size, row).opponents == 1
    assert Subject.objects.filter(kind="team", size=2).count() == 2


def test_the_end_of_a_game_is_logged_by_the_subscriber(at, people) -> None:  # type: ignore[no-untyped-def]
    sides = (tuple(p.pk for p in people[0:2]), tuple(p.pk for p in people[2:4]))
    announcement = GameFinished(7, 7, "shawinigan/1", 2, sides, (0, 1), True, "played", clock.now())
    with writing():
        bus.publish(announcement)
    assert RatedResult.objects.get().source == "7"
    assert OutboxRow.objects.filter(task="ratings.tasks.rate_game", body={"ladder_key": LADDER}).count() == 1
    with writing():
        bus.publish(GameVoided(game_id=7))
    assert RatedResult.objects.get(revision=2).kind == "void"


def test_the_tasks_are_registered_and_scheduled() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if name.startswith("ratings.")}
    assert ours == {
        f"ratings.tasks.{name}"
        for name in (
            *("rate_game", "rate_waiting", "rebuild_ladder", "rebuild_reports"),
            *("expire_boards", "freeze_season"),
        )
    }
    beat = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {"ratings.tasks.rate_waiting", "ratings.tasks.expire_boards"} <= beat
