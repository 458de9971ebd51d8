"""Opening tables: reserved seats, refusals, practice with bots that sit down and play automatically."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings

from games.models import Game, GameEvent, Seating, Table
from games.permissions import NOBODY, Person, seat_of
from games.selectors import tables as reader
from games.services import bots, tables
from games.services.tables import SeatPlan
from tock_league.common import clock
from tock_league.common.errors import Refused


def plan(*players: Any) -> list[SeatPlan]:
    return [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]


@pytest.mark.both_databases
def test_a_match_table_reserves_its_seats_and_commits_to_its_deals(sat_table: Any) -> None:
    table, game = sat_table.table, sat_table.game
    assert (table.state, game.state, game.number, game.last_seq) == ("open", "seating", 1, 1)
    assert [seat_of(table.pk, sat_table.person(seat)) for seat in range(4)] == [0, 1, 2, 3]
    assert seat_of(table.pk, NOBODY) is None
    assert seat_of(table.pk, Person(player_id=0, guest_key="")) is None
    (row,) = GameEvent.objects.filter(game=game)
    assert row.code == "commit"
    assert len(row.body["root"]) == 64


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"best_of": 2}, "best_of_even"),
        ({"best_of": 0}, "best_of_even"),
        ({"rules": "poker/1"}, "unknown_rules"),
        ({"team_names": ["a", "b", "c"]}, "bad_table"),
        ({"teams": 3}, "bad_table"),
        ({"teams": 2, "team_names": ["a", "b", "c"]}, "bad_teams"),
        ({"full_ranking": True}, "full_ranking"),
        ({"first_dealer": "home"}, "first_dealer"),
    ],
)
def test_an_impossible_table_is_refused(players: list[Any], change: dict[str, Any], code: str) -> None:
    wanted = {"rules": "shawinigan/1", "name": "x", "seat_plan": plan(*players)} | change
    with pytest.raises(Refused) as caught:
        tables.open_match_table(**wanted)
    assert caught.value.code == code
    assert caught.value.field
    assert not Table.objects.exists()


def test_seats_must_be_given_once_each_to_different_people(players: list[Any]) -> None:
    first, second, third, fourth = plan(*players)
    for wrong in (
        [first, second, third],
        [first, second, third, third],
        [first, second, third, SeatPlan(3, player_id=players[0].pk)],
        [first, second, third, SeatPlan(3)],
    ):
        with pytest.raises(Refused):
            tables.open_match_table(rules="shawinigan/1", name="x", seat_plan=wrong)
    with pytest.raises(Refused) as caught:
        tables.open_match_table(
            rules="shawinigan/1", name="x", seat_plan=[first, second, third, SeatPlan(3, bot="club")]
        )
    assert caught.value.code == "bots_refused"
    assert fourth.seat == 3


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_at_a_practice_table_bots_sit_down_and_play_by_themselves(players: list[Any]) -> None:
    table = tables.open_practice(player=players[0])
    assert [bool(seating.bot) for seating in Seating.objects.filter(table=table)] == [False, True, True, True]
    while bots.act_due():
        pass
    sat = _sat(table, players)
    assert sat.state.ready == (False, True, True, True)
    sat.send(0, "ready")
    while bots.act_due():
        pass
    assert sat.state.sealed.keys() | {0} == {0, 1, 2, 3}
    moves = 0
    while sat.game.state != Game.State.OVER:
        if 0 in sat.state.to_act:
            assert not sat.send(0, "play", play=sat.choose(0)).code
            moves += 1
        bots.act_due()
    assert moves > 10
    game = Game.objects.get()
    assert (game.rated, game.unrated_reason, game.bot_at) == (False, "practice", None)


def _sat(table: Table, players: list[Any]) -> Any:
    from .conftest import Sat

    return Sat(table, players)


def test_a_bot_thinks_before_it_plays(players: list[Any], frozen_clock: clock.Frozen) -> None:
    with override_settings(TOCK_BOT_PACE_MS=900):
        tables.open_practice(player=players[0])
        assert bots.act_due() == 0
        frozen_clock.advance(milliseconds=899)
        assert bots.act_due() == 0
        frozen_clock.advance(milliseconds=1)
        assert bots.act_due() == 1


def test_a_bot_that_plays_for_a_person_is_shown_with_the_persons_name(players: list[Any]) -> None:
    seats = [*plan(*players[:3]), SeatPlan(3, player_id=players[3].pk, bot="club")]
    table = tables.open_match_table(rules="shawinigan/1", name="x", seat_plan=seats, bots_allowed=True)
    assert seat_of(table.pk, Person(player_id=players[3].pk)) is None
    assert reader.seats_of(table.pk)[3].to_json() == {"name": "Réal", "player": players[3].slug, "bot": "club"}


def test_an_unknown_level_is_refused(players: list[Any]) -> None:
    with pytest.raises(Refused) as caught:
        tables.open_practice(player=players[0], level="genius")
    assert caught.value.field == "level"


def test_a_table_in_play_cannot_be_rescheduled(sat_table: Any) -> None:
    sat_table.all_ready()
    with pytest.raises(Refused) as caught:
        tables.reschedule(sat_table.table, clock.now() + timedelta(days=1))
    assert caught.value.code == "begun"


def test_the_lobby_shows_matches_that_wait_or_play(sat_table: Any, players: list[Any]) -> None:
    tables.open_practice(player=players[0])
    assert reader.lobby() == [sat_table.table]


def test_the_page_of_a_table_is_read_in_few_queries(sat_table: Any, django_assert_num_queries: Any) -> None:
    sat_table.all_ready()
    game = sat_table.game
    # Seats, to find the viewer's; seats with names; whether a referee is on duty; the game's rows.
    with django_assert_num_queries(4):
        reader.page(sat_table.table, game, sat_table.person(0), now=clock.now_ms())
