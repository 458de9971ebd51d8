"""Concurrent requests: real threads with connections of their own, on both databases."""

import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from games import store
from games.fold import Viewer, view
from games.models import Game, GameEvent
from games.selectors import replays
from games.services import beacon, bots, clocks, pulses
from games.services.requests import Answer
from tests.games.drand import Drand
from tock_league.common import clock

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
MANY = 6


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Run the works in threads that start together; return their results, in order."""
    barrier, found = threading.Barrier(len(works)), [None] * len(works)

    def run(place: int, work: Callable[[], Any]) -> None:
        barrier.wait(10)
        try:
            found[place] = work()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


@pytest.fixture
def turn(sat_table: Any) -> tuple[int, str, list[str]]:
    """Return the seat whose turn it is, its decision and its plays."""
    sat_table.all_ready()
    sat_table.exchange()
    (seat,) = sat_table.state.to_act
    return seat, sat_table.state.decision_id, view(sat_table.state, Viewer(seat))["legal"]


def test_the_round_of_the_beacon_is_written_once(
    settings: Any, frozen_clock: clock.Frozen, open_table: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    drand = Drand()
    settings.BEACON = {"urls": (), "chain": drand.chain.to_json()}
    sat = open_table()
    sat.all_ready()
    frozen_clock.advance(seconds=6)
    monkeypatch.setattr(beacon.source, "get", lambda _chain, round_: pulses.Pulse(round_, drand.sign(round_)))
    assert sum(at_once(*[clocks.claim_due] * MANY)) == 1
    assert [row.code for row in store.load(sat.game.pk)][5:] == ["sharing", "shared", "beacon", "draw", "play"]


def test_one_id_sent_six_times_at_once_acts_once(sat_table: Any, turn: tuple[int, str, list[str]]) -> None:
    seat, decision, lines = turn
    id, before = str(uuid.uuid4()), GameEvent.objects.count()
    send = lambda: sat_table.send(seat, "play", id=id, turn=decision, play=lines[0])  # noqa: E731
    answers: list[Answer] = at_once(*[send] * MANY)
    assert [answer.code for answer in answers] == [""] * MANY
    assert sorted(answer.dup for answer in answers) == [False] + [True] * (MANY - 1)
    assert len({answer.seq for answer in answers}) == 1
    assert GameEvent.objects.filter(command_id=id).count() == 1
    assert GameEvent.objects.count() - before <= 2


def test_of_six_concurrent_plays_in_one_turn_one_is_accepted(sat_table: Any, turn: tuple[int, str, list[str]]) -> None:
    seat, decision, lines = turn
    answers: list[Answer] = at_once(
        *[lambda line=line: sat_table.send(seat, "play", turn=decision, play=line) for line in (lines * MANY)[:MANY]]
    )
    assert sum(not answer.code for answer in answers) == 1
    assert {answer.code for answer in answers} <= {"", "stale_turn", "not_your_turn"}
    assert replays.faults(sat_table.game) == []


def test_four_seats_get_ready_at_once_and_are_dealt_one_deck(sat_table: Any) -> None:
    answers: list[Answer] = at_once(*[lambda seat=seat: sat_table.send(seat, "ready", turn="0.1") for seat in range(4)])
    assert [answer.code for answer in answers] == [""] * 4
    rows = store.load(sat_table.game.pk)
    assert [row.code for row in rows] == ["commit", *["ready"] * 4, "draw", "play"]


def test_several_processes_let_the_bots_play_each_turn_once(players: list[Any]) -> None:
    from games.services import tables
    from games.services.tables import SeatPlan

    plan = [SeatPlan(seat, player_id=player.pk, bot="novice") for seat, player in enumerate(players)]
    tables.open_match_table(rules="shawinigan/1", name="x", seat_plan=plan, bots_allowed=True)
    for _ in range(12):
        at_once(*[bots.act_due] * 3)
    game = Game.objects.select_related("table").get()
    rows = store.load(game.pk)
    assert len(rows) > 10
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert replays.faults(game) == []


def test_several_processes_carry_out_a_deadline_once(timed_table: Any, frozen_clock: clock.Frozen) -> None:
    timed_table.all_ready()
    frozen_clock.advance(seconds=21)
    done = at_once(*[clocks.claim_due] * 3)
    assert sum(done) == 1
    assert [row.code for row in store.load(timed_table.game.pk)].count("timeout") == 4
