"""Concurrent calls and rulings: real threads with connections of their own, on both databases."""

import uuid
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games import store
from games.fold import SPECTATOR, view
from games.models import SeatView
from games.selectors import replays
from games.services import clocks, referee, tables
from tests.games.conftest import Sat, appoint_referee
from tests.games.test_races import at_once
from tock_league.accounts.services import create_player
from tock_league.common import clock
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
MANY = 6


def tried(work: Callable[[], Any]) -> Callable[[], Any]:
    """Return `work`, with the code of a refusal as its result."""

    def run() -> Any:
        try:
            return work()
        except Refused as refused:
            return refused.code

    return run


def codes(sat: Sat) -> Counter[str]:
    return Counter(row.code for row in store.load(sat.game.pk))


@pytest.fixture
def seat(refereed_table: Sat) -> int:
    """The seat that is to play."""
    return refereed_table.begin()


def test_of_four_concurrent_calls_one_freezes_the_table(refereed_table: Sat, seat: int) -> None:
    turn = refereed_table.state.decision_id
    answers = at_once(*[lambda n=n: refereed_table.send(n, "dispute", turn=turn) for n in range(4)])
    assert Counter(answer.code for answer in answers) == {"": 1, "frozen": 3}
    assert codes(refereed_table)["dispute"] == codes(refereed_table)["freeze"] == 1
    assert replays.faults(refereed_table.game) == []


def test_one_call_sent_six_times_at_once_is_one_call(refereed_table: Sat, seat: int) -> None:
    turn, id = refereed_table.state.decision_id, str(uuid.uuid4())
    answers = at_once(*[lambda: refereed_table.send(seat, "dispute", turn=turn, id=id)] * MANY)
    assert {answer.code for answer in answers} == {""}
    assert sum(answer.dup for answer in answers) == MANY - 1
    assert refereed_table.state.calls[seat] == 1


def test_a_concurrent_call_and_play_are_serialised(refereed_table: Sat, seat: int) -> None:
    """A play that commits before the call stands; a play after it is refused as frozen and may be retried."""
    turn, line = refereed_table.state.decision_id, refereed_table.choose(seat)
    played, called = at_once(
        lambda: refereed_table.send(seat, "play", turn=turn, play=line),
        lambda: refereed_table.send((seat + 2) % 4, "dispute", turn=turn),
    )
    assert not called.code
    assert (played.code, played.retry) in (("", False), ("frozen", True))
    assert ("play" in [row.code for row in store.load(refereed_table.game.pk, after=played.seq - 1)]) == (
        not played.code
    )
    assert refereed_table.state.frozen is not None
    assert replays.faults(refereed_table.game) == []


def test_of_a_concurrent_call_and_resignation_one_is_accepted(refereed_table: Sat, seat: int) -> None:
    turn = refereed_table.state.decision_id
    resigned, called = at_once(
        lambda: refereed_table.send(seat, "resign", turn=turn),
        lambda: refereed_table.send((seat + 1) % 4, "dispute", turn=turn),
    )
    outcomes = (resigned.code, called.code)
    assert outcomes in (("", "stale_turn"), ("frozen", ""))
    state = refereed_table.state
    assert (state.result is None) == (state.frozen is not None)
    assert replays.faults(refereed_table.game) == []


def test_of_two_concurrent_freezes_one_is_accepted(refereed_table: Sat, seat: int) -> None:
    game = refereed_table.game.pk
    answers = at_once(*[tried(lambda n=n: referee.freeze(game_id=game, ref=f"TL-1/{n}")) for n in range(2)])
    assert sorted(answer == "frozen" for answer in answers) == [False, True]
    assert codes(refereed_table)["freeze"] == 1


def test_the_same_effect_six_times_at_once_is_one_penalty(refereed_table: Sat, seat: int) -> None:
    game, other = refereed_table.game.pk, (seat + 2) % 4
    answers = at_once(*[lambda: referee.penalise(game_id=game, seat=other, at=3, ref="TL-2026-000007/1/1")] * MANY)
    assert len({answer.seq for answer in answers}) == 1
    assert sum(answer.dup for answer in answers) == MANY - 1
    assert sum(view(refereed_table.state, SPECTATOR)["owed"]) == 1


def test_of_two_concurrent_rewinds_of_a_turn_one_is_accepted(refereed_table: Sat, seat: int) -> None:
    game, to = refereed_table.game.pk, refereed_table.state.decision
    refereed_table.play_on(1)
    refereed_table.call(seat)
    answers = at_once(*[tried(lambda n=n: referee.rewind(game_id=game, to=to, ref=f"TL-1/{n}")) for n in range(2)])
    assert sorted(answer == "rewind_too_far" for answer in answers) == [False, True]
    assert refereed_table.state.epoch == 1
    assert replays.faults(refereed_table.game) == []


def test_a_concurrent_ruling_and_deadline_resume_the_game_once(
    refereed_table: Sat, seat: int, frozen_clock: Any
) -> None:
    refereed_table.call(seat)
    frozen_clock.advance(seconds=301)
    game = refereed_table.game.pk
    at_once(
        tried(lambda: referee.resume(game_id=game, ref="TL-1/1")),
        clocks.claim_due,
        clocks.claim_due,
    )
    found = codes(refereed_table)
    assert found["resume"] == 1
    assert found["mark"] <= 1
    assert refereed_table.state.frozen is None
    assert replays.faults(refereed_table.game) == []


def test_of_four_concurrently_granted_views_one_stays_open(refereed_table: Sat, seat: int) -> None:
    with writing():
        looker = create_player(display_name="Roland")
    game, until = refereed_table.game.pk, clock.now() + timedelta(minutes=5)
    at_once(
        *[
            lambda n=n: referee.grant_view(game_id=game, player_id=looker.pk, seat=n, until=until, ref=f"TL-1/{n}")
            for n in range(4)
        ]
    )
    assert codes(refereed_table)["seat_view"] == 4
    assert SeatView.objects.filter(ended_at__isnull=True).count() == 1


def test_a_table_closed_while_its_game_waits_for_the_referee_stays_closed(
    refereed_table: Sat, seat: int, frozen_clock: Any
) -> None:
    refereed_table.call(seat)
    frozen_clock.advance(seconds=301)

    def close() -> None:
        with writing():
            tables.close(refereed_table.table)

    at_once(close, clocks.claim_due)
    refereed_table.table.refresh_from_db()
    assert refereed_table.table.state == "closed"
    refused = refereed_table.send(seat, "play", play=refereed_table.choose(seat))
    assert (refused.code, refused.why) == ("frozen", "closed")
    close()
    assert clocks.claim_due() == 0


def test_concurrent_appointments_leave_one_of_the_two_lists(timed_table: Sat) -> None:
    first = appoint_referee(timed_table)
    with writing():
        second = create_player(display_name="Roland")
    lists = [[(first.pk, "referee")], [(second.pk, "head_referee"), (first.pk, "referee")]]
    at_once(*[lambda roles=roles: referee.appoint(table_id=timed_table.table.pk, roles=roles) for roles in lists])
    left = sorted(timed_table.table.roles.values_list("player_id", "role"))
    assert left in [sorted(roles) for roles in lists]
