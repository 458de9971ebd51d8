"""Tests of the live path: a finished game changes the states once and in order."""

import random
import threading

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from games.announcements import GameFinished, GameVoided
from ratings import services, tasks
from ratings.core import recompute as core
from ratings.models import Ladder, RankBucket, RatedResult, Rating, RatingChange, Subject, WaitingResult
from ratings.selectors.rows import record_of
from ratings.services import generations
from tock_league.celery import app
from tock_league.common import bus, outbox
from tock_league.common.models import OutboxRow
from tock_league.common.transactions import writing

from .conftest import evening

LADDER = "shawinigan:2"


def ratings_of(kind: str) -> list[Rating]:
    generation = Ladder.objects.get(key=LADDER).generation
    return list(Rating.objects.filter(generation=generation, kind=kind).order_by("-score_milli", "subject_id"))


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
    first_ended = _now()
    at.advance(seconds=0.4)
    finished(people[4:6], people[0:2])
    finished(people[0:2], people[2:4], finished_at=first_ended)
    rated = settled()
    assert (rated.applied, rated.dirty) == (2, False)
    assert_replayed()


def _now():  # type: ignore[no-untyped-def]
    from tock_league.common import clock

    return clock.now()


def assert_replayed() -> None:
    stored, replayed = services.verify(ladder_key=LADDER)
    assert stored == replayed


@pytest.mark.both_databases
def test_a_late_result_is_applied_at_its_place_by_a_recomputation(at, people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    before_all = _now()
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
            games.append(finished(four[:2], four[2:], finished_at=_now() - _hours(back), rated=dice.random() < 0.9))
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


def assert_histogram() -> None:
    """Assert that the stored counts equal those of the rows."""
    generation = Ladder.objects.get(key=LADDER).generation
    counted: dict[tuple[str, int], int] = {}
    for row in Rating.objects.filter(generation=generation, on_global=True):
        step = (row.kind, row.score_milli // 4000)
        counted[step] = counted.get(step, 0) + 1
    stored = {(b.kind, b.bucket): b.count for b in RankBucket.objects.filter(generation=generation, count__gt=0)}
    assert stored == counted


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
    Ladder.objects.filter(key=LADDER).update(dirty_from=_now())
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


@pytest.mark.both_databases
def test_a_newcomer_to_a_ladder_is_seeded_from_another_ladder_of_the_game(at, people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    for _ in range(4):
        evening(at)
        finished(people[0:2], people[2:4])
    settled()
    known = ratings_of("player")[0]
    evening(at)
    finished(people[0:2], people[4:6], rules="tock/1")
    settled("tock:2")
    seed = RatedResult.objects.get(kind="seed", source=f"seed:{known.subject.key}")
    assert seed.start[0] == known.mu
    assert seed.start[1] == pytest.approx((known.sigma**2 + 0.0185) ** 0.5)
    assert RatedResult.objects.filter(kind="seed").count() == 2
    # A recomputation of one ladder does not change the other.
    stored, replayed = services.verify(ladder_key="tock:2")
    assert stored == replayed
    services.rebuild(ladder_key=LADDER, cause="test")
    assert services.verify(ladder_key="tock:2")[0] == stored


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_concurrent_first_games_write_the_seeds_of_newcomers_once(at, people, finished, settled) -> None:  # type: ignore[no-untyped-def]
    finished(people[0:2], people[2:4])
    settled()
    evening(at)
    start, failures = threading.Barrier(4), []
    sides = tuple(tuple(player.pk for player in people[index : index + 2]) for index in (0, 2))

    def work(source: str) -> None:
        start.wait(timeout=20)
        try:
            services.log_played(
                rules="tock/1", source=source, completed_at=_now(), sides=sides, ranks=(0, 1), reason="paper"
            )
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(f"paper:match{number}:1",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert failures == []
    assert RatedResult.objects.filter(kind="seed").count() == 4
    assert RatedResult.objects.filter(kind="result", ladder__key="tock:2").count() == 4
    settled("tock:2")
    stored, replayed = services.verify(ladder_key="tock:2")
    assert stored == replayed


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


def test_the_end_of_a_game_is_logged_by_the_subscriber(at, people) -> None:  # type: ignore[no-untyped-def]
    sides = (tuple(p.pk for p in people[0:2]), tuple(p.pk for p in people[2:4]))
    announcement = GameFinished(7, 7, "shawinigan/1", 2, sides, (0, 1), True, "played", _now())
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
        for name in ("rate_game", "rate_waiting", "rebuild_ladder", "expire_boards", "freeze_season")
    }
    beat = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {"ratings.tasks.rate_waiting", "ratings.tasks.expire_boards"} <= beat
