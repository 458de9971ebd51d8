"""What people who look for a game find: a quick seat, open tables, games to watch; and tables that close."""

from datetime import timedelta
from typing import Any

import pytest

from games.models import Game, Table
from games.permissions import NOBODY, may_see
from games.selectors import lobby, own
from games.services import casual
from tests.games.casual import (
    ANA,
    BEA,
    CLO,
    DAN,
    GUESTS,
    NAMES,
    begun,
    full,
    full_by_others,
    opened,
    player,
    seats,
    sit,
    table_of,
)
from tock_league.common import clock

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_quick_seat_brings_four_people_together_and_begins() -> None:
    codes = [casual.quick_seat(by=by, name=NAMES[by]).code for by in (ANA, BEA, ANA, CLO, DAN)]
    assert len(set(codes)) == 1
    assert seats(codes[0]) == ["Ana", "Béa", "Clo", "Dan"]
    assert Game.objects.count() == 1
    other = casual.quick_seat(by=GUESTS[4], name="Eve").code  # the next one opens the next table
    assert other != codes[0]
    # Another game, and a table at which nobody is any more, are no partners.
    assert casual.quick_seat(by=GUESTS[5], name="Fay", rules="tractor/1").code != other
    with clock.frozen(clock.now() + timedelta(minutes=5)):
        assert casual.quick_seat(by=GUESTS[6], name="Gus").code != other


# --- lists, who may see, and the end of tables


@pytest.mark.both_databases
def test_the_list_of_open_tables_filters_and_names_who_waits() -> None:
    opened()  # by link only
    shown = opened(by=BEA, listed=True)
    toc = opened(by=CLO, listed=True, rules="toc/1", touch=True)
    strict = opened(by=DAN, listed=True, touch=True)

    def codes(**filters: str) -> list[str]:
        return [table.code for table in lobby.open_tables(filters)]

    assert codes() == [shown, toc, strict]
    assert codes(rules="toc/1") == [toc]
    assert codes(seats="4", rated="no") == [shown, toc, strict]
    assert codes(seats="6") == codes(seats="six") == codes(rated="yes") == codes(rules="nothing") == []
    assert strict in codes(touch="strict")
    assert codes(touch="free")[0] == shown
    assert lobby.open_tables()[0].people == ["Béa"]
    assert lobby.open_tables()[0].free == 3
    with clock.frozen(clock.now() + timedelta(minutes=4)):
        assert codes() == []


def test_games_to_watch_are_listed_ones_and_show_what_spectators_may_see() -> None:
    code = full(listed=True)
    begun(code)
    begun(full_by_others(listed=True, seated_only=True), by=GUESTS[4])
    (found,) = lobby.watchable()
    assert found.slug == table_of(code).slug
    assert "hand" not in found.boot["snap"]["view"]


def test_a_board_to_watch_is_folded_once_for_all_who_look(django_assert_num_queries: Any) -> None:
    begun(full(listed=True))
    first = lobby.watchable()
    with django_assert_num_queries(2):  # the games, and who sits there
        assert lobby.watchable() == first


def test_running_games_of_people_are_listed_ones_alone() -> None:
    ana, bea = player("ana"), player("bea")
    for by, listed in ((ana, True), (bea, False)):
        code = casual.open_table(by=by, listed=listed).code
        begun(code, by=by, fill=True)
    assert lobby.watchable_of([]) == []
    (found,) = lobby.watchable_of([ana.player_id or 0, bea.player_id or 0])
    assert found.slug == Table.objects.get(casual__listed=True).slug


def test_a_table_for_its_seats_only_is_seen_by_them_alone() -> None:
    code = full(seated_only=True)
    game = begun(code)
    assert may_see(game.table, ANA)
    assert not may_see(game.table, GUESTS[4])
    assert not may_see(game.table, NOBODY)


def test_a_persons_room_is_among_the_running_tables() -> None:
    code = opened()
    (mine,) = own.running(ANA)
    assert (mine.slug, mine.waiting, mine.turn) == (table_of(code).slug, True, False)
    for seat, by in enumerate((BEA, CLO, DAN), start=1):
        sit(code, seat, by)
    begun(code)
    assert sum(own.running(by)[0].turn for by in (ANA, BEA, CLO, DAN)) <= 1
    casual.begin(code, by=ANA)
    assert len(own.running(ANA)) == 1


@pytest.mark.both_databases
def test_tables_whose_people_have_left_close_themselves() -> None:
    waiting, running = opened(), full_by_others()
    begun(running, by=GUESTS[4])
    assert casual.close_abandoned() == 0
    later = clock.now() + timedelta(minutes=16)
    with clock.frozen(later):
        casual.note_presence([(table_of(running).pk, 2), (table_of(waiting).pk, 3)])
        assert casual.close_abandoned() == 1
    assert table_of(waiting).state == Table.State.CLOSED
    assert table_of(running).state == Table.State.PLAYING
    with clock.frozen(later + timedelta(minutes=16)):
        assert casual.close_abandoned() == 1
    game = Game.objects.get(table__casual__code=running)
    assert (game.due_at, game.bot_at) == (None, None)
