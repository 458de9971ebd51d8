"""Tests of seeds: the first estimate of a newcomer to a ladder, from another ladder of the same game."""

import threading

import pytest
from django.db import connection

from ratings import services
from ratings.models import RatedResult
from tock_league.common import clock

from .announced import evening
from .replays import LADDER, ratings_of


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
                rules="tock/1", source=source, completed_at=clock.now(), sides=sides, ranks=(0, 1), reason="paper"
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
