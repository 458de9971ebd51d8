"""Whose turn it is while they are away is told by a push: once a turn, to nobody who is at the table."""

from datetime import timedelta

import pytest
from django.core.cache import cache

from games.live import people
from games.models import Game, Table
from games.permissions import Login
from games.services import turns
from tests.notices.push_service import Browser
from tests.notices.world import told, with_login
from tock_league.common import clock
from tock_league.embedded.folder import new_push_key
from tock_league.notices import people as kept
from tock_league.notices.models import Notice
from tock_league.notices.services import add_device, choose

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def table(sat_table, settings, frozen_clock):
    settings.PUSH_KEY = new_push_key()
    cache.clear()
    sat_table.begin()
    for seat, player in enumerate(sat_table.players):
        with_login(player, f"s{seat}@example.org")
        if seat < 3:
            add_device(by=player, name="a", **Browser(str(seat)).subscription)
    return sat_table


def turn_of(table, seat: int) -> None:
    Game.objects.filter(table=table.table).update(turn=seat, decision=f"0.9{seat}", updated_at=clock.now())


def test_the_turn_of_somebody_who_is_away_is_told_once_after_a_while(table, frozen_clock):
    turn_of(table, 1)
    assert turns.call_away() == 0
    frozen_clock.advance(seconds=16)
    assert [turns.call_away(), turns.call_away()] == [1, 0]
    assert [told(player) for player in table.players] == [[], ["your_turn"], [], []]
    notice = Notice.objects.get()
    assert (notice.on_site, notice.mail, notice.push) == (False, "none", True)
    assert notice.address == f"/tables/{table.table.slug}/"
    turn_of(table, 2)
    frozen_clock.advance(seconds=16)
    assert turns.call_away() == 1
    assert kept.forget_old() == 0
    frozen_clock.advance(days=2)
    assert kept.forget_old() == 2  # of use for minutes only


def test_who_has_a_page_of_the_table_open_is_not_told(table, frozen_clock):
    player = table.players[1]
    turn_of(table, 1)
    frozen_clock.advance(seconds=16)
    people.mark({(Login("x", player.user_id, player_id=player.pk), table.table.pk)})
    assert turns.call_away() == 0
    cache.clear()
    assert turns.call_away() == 1


@pytest.mark.parametrize("still", ["no device", "frozen", "practice", "bot", "abandoned", "unwanted"])
def test_nobody_else_is_told(table, frozen_clock, still):
    seat = 3 if still == "no device" else 1
    turn_of(table, seat)
    frozen_clock.advance(seconds=16)
    if still == "frozen":
        Game.objects.update(frozen=True)
    elif still == "practice":
        Table.objects.update(kind=Table.Kind.PRACTICE)
    elif still == "bot":
        table.table.seatings.filter(seat=1).update(bot="club")
    elif still == "abandoned":
        frozen_clock.advance(minutes=10)
    elif still == "unwanted":
        choose(by=table.players[1], wanted={"your_turn": set()})
    assert turns.call_away() == 0


def test_a_finished_game_of_the_table_does_not_lend_its_turn(table, frozen_clock):
    old = Game.objects.get(table=table.table)
    Game.objects.filter(pk=old.pk).update(turn=2, state=Game.State.OVER)
    Game.objects.create(
        table=table.table,
        number=2,
        slug="second",
        rules=old.rules,
        month=old.month,
        state=Game.State.PLAYING,
        turn=1,
        decision="0.5",
    )
    Game.objects.update(updated_at=clock.now() - timedelta(seconds=20))
    assert turns.call_away() == 1
    assert told(table.players[1]) == ["your_turn"]
