"""Tests of recomputations: late, reversed and restored games, kills, a second worker, games that end meanwhile."""

import random
import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.announcements import GameVoided
from ratings import services, tasks
from ratings.models import Ladder, RatedResult, Rating, WaitingResult
from ratings.services import generations
from tock_league.common import clock
from tock_league.common.transactions import writing

from .announced import evening
from .replays import LADDER, assert_histogram, assert_replayed, ratings_of


@pytest.mark.both_databases
def test_a_late_result_is_applied_at_its_place_by_a_recomputation(at, people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    before_all = clock.now()
    at.advance(hours=1)
    finished(people[0:2], people[2:4])
    settled()
    finished(people[2:4], people[0:2], finished_at=before_all)
    rated = settled()
    assert (rated.applied, rated.dirty) == (0, True)
    # Meanwhile the old generation is read and updated.
    finished(people[4:6], people[6:8])
    assert settled().applied == 1
    assert Rating.objects.filter(games=1).count() == 12

    tasks.rebuild_ladder(ladder_key=LADDER)

    ladder = Ladder.objects.get(key=LADDER)
    assert (ladder.dirty_from, ladder.generation.number, ladder.generation.state) == (None, 2, "live")
    assert_replayed()
    assert ladder.generation.digest == services.verify(ladder_key=LADDER)[1]
    tasks.rebuild_ladder(ladder_key=LADDER)  # the second call finds a clean ladder
    assert Ladder.objects.get(key=LADDER).generation.number == 2


def test_a_voided_game_is_taken_out_by_a_recomputation(at, people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4])
    evening(at)
    number = finished(people[4:6], people[2:4])
    settled()
    with writing():
        services.log_void(GameVoided(game_id=number))
        services.log_void(GameVoided(game_id=999))  # never logged: no row is written
    assert settled().dirty
    services.rebuild(ladder_key=LADDER, cause="voided")
    assert {row.subject.key for row in ratings_of("team")} == {
        f"{people[0].pk}-{people[1].pk}",
        f"{people[2].pk}-{people[3].pk}",
    }
    assert_replayed()


@pytest.mark.parametrize("seed", range(6))
def test_the_stored_states_equal_a_replay_after_any_sequence_of_changes(seed, at, people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    dice = random.Random(seed)
    games: list[int] = []
    for _ in range(25):
        at.advance(hours=dice.choice([1, 30, 100]))
        four = dice.sample(people[:8], 4)
        roll = dice.random()
        if roll < 0.7 or not games:
            back = dice.choice([0, 0, 0, 300])
            games.append(
                finished(four[:2], four[2:], finished_at=clock.now() - _hours(back), rated=dice.random() < 0.9)
            )
        elif roll < 0.8:
            with writing():
                services.log_void(GameVoided(game_id=dice.choice(games)))
        else:
            ladder = Ladder.objects.get(key=LADDER)
            source = str(dice.choice(games))
            first = RatedResult.objects.get(ladder=ladder, source=source, revision=1)
            services.revise(ladder=ladder, source=source, ranks=first.ranks[::-1], reason="ruling", ruling="000098")
        if dice.random() < 0.6:
            settled()
        if dice.random() < 0.2:
            services.rebuild(ladder_key=LADDER, cause="test")
            assert_replayed()
    settled()
    if Ladder.objects.get(key=LADDER).dirty_from:
        services.rebuild(ladder_key=LADDER, cause="test")
    assert_replayed()
    assert_histogram()


def _hours(hours: float):  # type: ignore[no-untyped-def]
    from datetime import timedelta

    return timedelta(hours=hours)


@pytest.mark.both_databases
def test_a_killed_recomputation_keeps_the_old_generation_and_can_be_repeated(  # type: ignore[no-untyped-def]
    at, people, finished, settled, monkeypatch
) -> None:
    for _ in range(3):
        evening(at)
        finished(people[0:2], people[2:4])
    settled()
    before = [(row.subject_id, row.mu) for row in ratings_of("player")]

    def killed(*_args: object, **_more: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("ratings.services.generations._switch", killed)
        with pytest.raises(KeyboardInterrupt):
            services.rebuild(ladder_key=LADDER, cause="test")
    assert Ladder.objects.get(key=LADDER).generation.number == 1
    assert [(row.subject_id, row.mu) for row in ratings_of("player")] == before
    assert services.rebuild(ladder_key=LADDER, cause="test").state == "live"
    assert [(row.subject_id, row.mu) for row in ratings_of("player")] == before
    assert set(Rating.objects.values_list("generation__state", flat=True)) == {"live", "old"}


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_second_worker_leaves_a_ladder_alone_that_is_being_recomputed(  # type: ignore[no-untyped-def]
    people, finished, settled, monkeypatch
) -> None:
    """A ladder that takes longer than five seconds gets a task again and again; each would begin from nothing."""
    finished(people[0:2], people[2:4])
    settled()
    Ladder.objects.filter(key=LADDER).update(dirty_from=clock.now())
    compute, failures = generations.build, []

    def second() -> None:
        try:
            tasks.rebuild_ladder(ladder_key=LADDER)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    def slow(*args: object) -> object:
        monkeypatch.setattr(generations, "build", compute)
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(timeout=60)
        return compute(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(generations, "build", slow)
    made = services.rebuild(ladder_key=LADDER, cause="the first")
    assert failures == []
    ladder = Ladder.objects.get(key=LADDER)
    assert (ladder.generation, made.cause, made.number, ladder.dirty_from) == (made, "the first", 2, None)
    assert_replayed()
    assert services.rebuild(ladder_key=LADDER, cause="the lock is free again").number == 3


@pytest.mark.both_databases
def test_a_game_that_ends_during_a_recomputation_is_in_the_new_generation(
    at, people, finished, settled, monkeypatch
) -> None:  # type: ignore[no-untyped-def]
    from ratings.services import generations as module

    finished(people[0:2], people[2:4])
    settled()
    compute = module.build

    def slow(*args: object) -> object:
        built = compute(*args)  # type: ignore[arg-type]
        evening(at)
        finished(people[4:6], people[6:8])
        return built

    monkeypatch.setattr(module, "build", slow)
    services.rebuild(ladder_key=LADDER, cause="test")
    assert len(ratings_of("team")) == 4
    assert not WaitingResult.objects.exists()
    assert_replayed()


def test_new_parameters_come_into_force_with_a_recomputation(people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4])
    settled()
    old = ratings_of("player")[0].mu
    with pytest.raises(ValueError, match="gamma: no such parameter"):
        services.new_params(values={"gamma": 1.0}, reason="test", report=None)
    report = services.make_report(ladder=Ladder.objects.get(key=LADDER), values={"tau": 1.0})
    params = services.new_params(values={"tau": 1.0}, reason="evaluation of 2026", report=report)
    services.rebuild(ladder_key=LADDER, cause="parameters 2", params=params)
    assert Ladder.objects.get(key=LADDER).params.version == 2
    assert ratings_of("player")[0].mu > old
    assert_replayed()


def test_the_command_recomputes_checks_and_refuses_unknown_ladders(people, finished, settled, capsys) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4])
    settled()
    call_command("rebuild_ratings", "--ladder", LADDER)
    call_command("rebuild_ratings", "--check")
    digest = services.verify(ladder_key=LADDER)[0]
    assert f"generation 2, {digest}" in capsys.readouterr().out
    Rating.objects.filter(generation=Ladder.objects.get(key=LADDER).generation).update(mu=25.0)
    with pytest.raises(CommandError, match="run rebuild_ratings --ladder shawinigan:2"):
        call_command("rebuild_ratings", "--check")
    with pytest.raises(CommandError, match="--ladder: tock:9 is none of shawinigan:2"):
        call_command("rebuild_ratings", "--ladder", "tock:9")
