"""Games under a time cap at tables: the call, the end by marbles or steps, sudden death, what stops the clock, the record."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from games import store, verifier
from games.families.tock.table import Tock
from games.fold import SPECTATOR, Setup, TimeCap, caps, fold, view
from games.models import Game, Table
from games.selectors import replays
from games.selectors.games import certificate
from games.services import clocks, records, referee, tables
from games.services.tables import SeatPlan
from tests.games.conftest import Sat
from tock_league.common import clock
from tock_league.common.errors import Refused

pytestmark = pytest.mark.django_db
SECONDS = 600


@pytest.fixture
def capped(open_table: Callable[..., Sat], frozen_clock: clock.Frozen) -> Callable[..., Sat]:
    """Return a function that opens a table whose games have a cap of ten minutes, and deals."""

    def build(**more: Any) -> Sat:
        settings = {"seconds": SECONDS} | {key: more.pop(key) for key in ("call", "counts", "tie") if key in more}
        sat = open_table(cap=TimeCap(**settings), **more)
        sat.all_ready()
        return sat

    return build


def one(sat: Sat) -> None:
    """Let a seat that must act do so."""
    if sat.state.phase == "give":
        sat.exchange()
    else:
        sat.play_on(1)


def call(sat: Sat, frozen_clock: clock.Frozen) -> None:
    """Let the time be up, and the scheduler make the call."""
    assert sat.state.cap is not None
    frozen_clock.advance(seconds=(sat.state.cap.due - clock.now_ms()) / 1000 + 0.01)
    assert clocks.claim_due() == 1


def codes(sat: Sat) -> list[str]:
    return [row.code for row in store.load(sat.game.pk)]


def test_the_call_comes_at_the_cap_and_stop_ends_the_game_at_once(
    capped: Callable[..., Sat], frozen_clock: clock.Frozen
) -> None:
    sat = capped(call="stop")
    for _ in range(9):
        one(sat)
    state = sat.state
    assert (sat.game.due_kind, view(state, SPECTATOR)["cap"]["due"]) == ("cap", clock.ms(sat.game.due_at))
    frozen_clock.advance(seconds=(state.cap.due - clock.now_ms()) / 1000 - 1)
    assert clocks.claim_due() == 0
    call(sat, frozen_clock)
    ended = sat.state
    assert codes(sat)[-3:] == ["cap", "time", "open"]
    assert ended.result.reason == "time"
    assert ended.result.ranks == tuple(caps.ranks_by(caps.reached(state), ()))
    assert ended.position == state.position  # nothing is played for the end
    game = sat.game
    assert (game.state, game.reason, game.rated, game.unrated_reason) == ("over", "time", False, "by_time")
    found = certificate(game.pk)
    assert (found.reason, found.reached) == ("time", caps.reached(state))


def test_the_last_deal_is_played_to_its_end(capped: Callable[..., Sat], frozen_clock: clock.Frozen) -> None:
    sat = capped(call="deal")
    for _ in range(6):
        one(sat)
    call(sat, frozen_clock)
    assert sat.state.result is None
    assert view(sat.state, SPECTATOR)["cap"]["called"] is True
    begun, cards = len(sat.state.deals), sum(view(sat.state, SPECTATOR)["count"])
    plays = 0
    while sat.state.result is None:
        assert len(sat.state.deals) == begun
        plays += sat.state.phase != "give"  # a call at the beginning of a deal finds its exchange ahead
        one(sat)
    assert plays <= cards
    assert codes(sat)[-2:] == ["time", "open"]
    # The hand was played out: the row before the end is the play that used the last cards.
    before = store.state_at(sat.game, sat.game.last_seq - 3)
    assert sum(view(before, SPECTATOR)["count"]) == 1


def test_one_more_turn_is_the_turn_under_way_and_one_for_each_seat(
    capped: Callable[..., Sat], frozen_clock: clock.Frozen
) -> None:
    sat = capped(call="turn")
    one(sat)
    call(sat, frozen_clock)
    seats = []
    while sat.state.result is None:
        seats.append(min(sat.state.to_act))
        one(sat)
    first = seats[0]
    turns = [seat for place, seat in enumerate(seats) if place == 0 or seats[place - 1] != seat]
    assert turns == [(first + step) % 4 for step in range(5)]


def test_equal_sides_are_a_tie_or_play_on_to_the_next_marble_home(
    capped: Callable[..., Sat], frozen_clock: clock.Frozen
) -> None:
    tied = capped(call="stop", tie="allowed")
    call(tied, frozen_clock)
    assert tied.state.result.ranks == (0, 0)
    assert Table.objects.get(pk=tied.table.pk).state == "finished"
    sudden = capped(call="stop", tie="next_home")
    call(sudden, frozen_clock)
    assert codes(sudden)[-2:] == ["cap", "extra"]
    assert view(sudden.state, SPECTATOR)["cap"]["extra"] is True
    while sudden.state.result is None:
        before = sum(caps.reached(sudden.state))
        one(sudden)
    assert before == 0 < sum(caps.reached(sudden.state))
    assert sorted(sudden.state.result.ranks) == [0, 1]


def test_one_more_deal_until_a_side_is_ahead(
    capped: Callable[..., Sat], frozen_clock: clock.Frozen, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat = capped(call="deal", tie="one_deal")
    # Equal at the end of three deals, with a new deck after the third one.
    monkeypatch.setattr(Tock, "reached", lambda self, state, counts: (2, 1 if len(state.deals) > 4 else 2))
    call(sat, frozen_clock)
    deals: list[int] = []
    while sat.state.result is None:
        if codes(sat).count("extra") > len(deals):
            deals.append(len(sat.state.deals))
        one(sat)
    assert (deals, len(sat.state.deals)) == ([2, 3, 4], 5)
    assert sat.state.result.ranks == (0, 1)


def test_a_decisive_table_plays_another_game_after_a_tie(
    capped: Callable[..., Sat], frozen_clock: clock.Frozen
) -> None:
    sat = capped(call="stop", decisive=True)
    call(sat, frozen_clock)
    assert [game.reason for game in Game.objects.filter(table=sat.table).order_by("number")] == ["time", ""]
    assert Table.objects.get(pk=sat.table.pk).state == "playing"


def test_steps_decide_where_the_cap_counts_them(capped: Callable[..., Sat], frozen_clock: clock.Frozen) -> None:
    sat = capped(call="stop", counts="steps")
    while not any(caps.reached(sat.state)):
        one(sat)
    walked = caps.reached(sat.state)
    assert walked != caps.reached(sat.state, caps.MARBLES)
    call(sat, frozen_clock)
    best = [team for team, rank in enumerate(sat.state.result.ranks) if rank == 0]
    assert best == [team for team, steps in enumerate(walked) if steps == max(walked)]


def test_the_clock_stands_still_at_a_frozen_table(capped: Callable[..., Sat], frozen_clock: clock.Frozen) -> None:
    sat = capped(call="stop")
    one(sat)
    due = sat.state.cap.due
    referee.freeze(game_id=sat.game.pk, ref="f1")
    left = view(sat.state, SPECTATOR)["cap"]["left"]
    frozen_clock.advance(seconds=100)
    referee.resume(game_id=sat.game.pk, ref="r1")
    assert sat.state.cap.due == due + 110_000  # the countdown of ten seconds too
    assert view(sat.state, SPECTATOR)["cap"]["due"] - clock.now_ms() == left + 10_000


@pytest.mark.both_databases
def test_the_call_is_made_once(capped: Callable[..., Sat], frozen_clock: clock.Frozen) -> None:
    sat = capped(call="deal")
    one(sat)
    call(sat, frozen_clock)
    assert clocks.claim_due() == 0
    assert codes(sat).count("cap") == 1


def test_the_record_replays_to_the_same_end_and_tells_a_changed_one(
    capped: Callable[..., Sat], frozen_clock: clock.Frozen
) -> None:
    sat = capped(call="deal", counts="steps")
    for _ in range(4):
        one(sat)
    call(sat, frozen_clock)
    while sat.state.result is None:
        one(sat)
    game = sat.game
    rows = store.load(game.pk)
    again = fold(store.setup_of(game), rows)
    assert (again.result, again.position) == (sat.state.result, sat.state.position)
    lines = [json.loads(json.dumps(line)) for line in replays.lines(game)]
    verifier.Check(lines[0], lines[1:]).run()
    plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(sat.players)]
    elsewhere = {"rules": "shawinigan/1", "name": "Draveurs - Pieux", "seat_plan": plan, "clocks": None}
    same = TimeCap(SECONDS, "deal", "steps")

    def taken(changed: list[dict[str, Any]], cap: TimeCap = same) -> Game:
        Game.objects.filter(pk=game.pk).update(slug="before")
        table = tables.reserve_match_table(**elsewhere, cap=cap)
        return records.import_record(record=records.read_lines(changed), table=table)

    with pytest.raises(Refused) as error:
        taken(lines, TimeCap(SECONDS, "stop", "steps"))
    assert error.value.code == "record_shape"
    for place, line in enumerate(lines):
        if line.get("code") in ("cap", "time"):
            bodies = {"cap": {"call": "stop"}, "time": {**line["body"], "ranks": [0, 0], "counts": [1, 1]}}
            wrong = [*lines[:place], {**line, "body": bodies[line["code"]]}, *lines[place + 1 :]]
            with pytest.raises(Refused):
                taken(wrong)
    brought = taken(lines)
    assert (brought.reason, brought.ranks) == ("time", game.ranks)


def test_games_without_a_cap_keep_their_digest_and_their_views(open_table: Callable[..., Sat]) -> None:
    setup = Setup(game="g7q2", rules="shawinigan/1", seats=4, teams=2)
    assert setup.digest == Setup(game="g7q2", rules="shawinigan/1", seats=4, teams=2, cap=None).digest
    assert setup.digest != Setup(game="g7q2", rules="shawinigan/1", seats=4, teams=2, cap=TimeCap(600)).digest
    assert "cap" not in view(open_table().state, SPECTATOR)


@pytest.mark.parametrize(
    "wrong", [{"seconds": 0}, {"seconds": 1.5}, {"call": "whistle"}, {"counts": "cards"}, {"tie": "coin"}]
)
def test_a_cap_out_of_range_is_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        TimeCap(**{"seconds": 600} | wrong)
