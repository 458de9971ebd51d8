"""The month of a game: each of its rows carries it, and PostgreSQL keeps each month's rows in a partition of their own."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from games import store
from games.models import Game, GameEvent
from games.selectors import replays
from games.services import audit, months, play
from games.store import months as partitions
from games.store.locked import _check_text
from tock_league.common import clock

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
LAST_EVENING = datetime(2026, 12, 31, 23, 50, tzinfo=UTC)


def where(game: Game) -> set[str]:
    """Return the tables in which the rows of a game lie."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tableoid::regclass::text FROM games_gameevent WHERE game_id = %s", [game.pk])
        return {name for (name,) in cursor.fetchall()}


@pytest.mark.parametrize(
    ("month", "by", "wanted"),
    [(202612, 1, 202701), (202701, -1, 202612), (202611, 3, 202702), (202601, -13, 202412), (202605, 0, 202605)],
)
def test_months_are_counted_over_the_turn_of_the_year(month: int, by: int, wanted: int) -> None:
    assert partitions.after(month, by) == wanted
    assert partitions.month_of(clock.ms(LAST_EVENING)) == 202612
    assert partitions.month_of(clock.ms(datetime(2027, 1, 1, tzinfo=UTC))) == 202701


def test_a_game_over_the_turn_of_the_year_stays_in_its_month(open_table: Callable[..., Any]) -> None:
    """The next game of the table is January's, and a command of December's game is still known there."""
    with clock.frozen(LAST_EVENING) as hand:
        sat = open_table(best_of=3)
        sat.begin()
        first = sat.game
        hand.advance(minutes=20)
        ended = play.Request(sat.table.pk, 0, "c0", "0.1", "resign", {}, sat.person(0), game=first.slug)
        assert not play.submit_one(ended).code
        assert not sat.send(1, "resign", turn="0.1").code or sat.game != first
        second = sat.game
        assert (first.month, second.month) == (202612, 202701)
        for game in (first, second):
            game.refresh_from_db()
            assert set(GameEvent.objects.filter(game=game).values_list("month", flat=True)) == {game.month}
        assert play.submit_one(ended).dup
        assert store.answered(sat.table.pk, "c0") is not None
        assert replays.faults(first) == []
        assert list(audit.of_game(first)) == []
        if connection.vendor == "postgresql":
            months.make(months.present())
            assert where(first) == {"games_gameevent_202612"}
            assert where(second) == {"games_gameevent_202701"}


def test_no_row_can_have_another_month_than_its_game(sat_table: Any) -> None:
    game = sat_table.game
    other = partitions.after(game.month)
    if connection.vendor == "postgresql":
        with pytest.raises(IntegrityError, match="event_game_month"), transaction.atomic():
            GameEvent.objects.filter(game=game, seq=1).update(month=other)
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    else:
        GameEvent.objects.filter(game=game, seq=1).update(month=other)
        wanted = f"row {game.slug} 1, month: is {other}, that of the game is {game.month}"
        assert [str(each).split(", ", 1)[1] for each in audit.differences()] == [wanted]


@pytest.mark.parametrize("column", ["seq", "command_id"])
def test_numbers_and_commands_stay_unique_in_a_game(sat_table: Any, column: str) -> None:
    sat_table.send(0, "ready", id="c1")
    row = GameEvent.objects.get(game=sat_table.game, command_id="c1")
    row.pk = None
    if column == "seq":
        row.command_id = "c2"
    else:
        row.seq = 1000
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


@pytest.mark.postgresql
def test_a_month_without_a_partition_refuses_nothing_and_gets_one_later(open_table: Callable[..., Any]) -> None:
    month = partitions.after(partitions.month_of(clock.now_ms()), 12)
    with clock.frozen(datetime(month // 100, month % 100, 15, tzinfo=UTC)):
        sat = open_table()
        sat.begin()
        assert where(sat.game) == {partitions.REST}
        before = store.rows_of(sat.game)
        assert months.keep_ready() == [partitions.after(month, ahead) for ahead in range(4)]
        assert months.keep_ready() == []
        assert where(sat.game) == {f"games_gameevent_{month}"}
        assert store.load(sat.game.pk) == store.rows_of(sat.game) == before
        sat.play_on(3)
        assert len(store.rows_of(sat.game)) > len(before)
        assert replays.faults(sat.game) == []


@pytest.mark.postgresql
def test_the_partitions_of_the_coming_months_are_there_after_migrate() -> None:
    present = partitions.month_of(clock.now_ms())
    assert {partitions.after(present, ahead) for ahead in range(partitions.AHEAD + 1)} <= set(partitions.partitions())


@pytest.mark.postgresql
@pytest.mark.parametrize("month", [202613, 202600, 0, 999912])
def test_the_function_makes_no_partition_for_what_is_no_month_or_far_ahead(month: int) -> None:
    with pytest.raises(DatabaseError, match=r"no month|too far ahead"), transaction.atomic():
        partitions.make([month])


@pytest.mark.postgresql
def test_only_past_partitions_without_rows_are_dropped(open_table: Callable[..., Any]) -> None:
    with clock.frozen(datetime(2025, 3, 1, tzinfo=UTC)):
        game = open_table().game
    present = partitions.month_of(clock.now_ms())
    assert partitions.make([202502, 202503]) == [202502, 202503]
    assert where(game) == {"games_gameevent_202503"}
    assert partitions.drop_empty([202502, 202503, present, 199901]) == [202502]
    assert where(game) == {"games_gameevent_202503"}
    assert 202502 not in partitions.partitions()


@pytest.mark.postgresql
def test_the_statements_of_a_play_look_into_the_months_of_the_table_alone() -> None:
    month = partitions.month_of(clock.now_ms())
    texts = [
        _check_text("postgresql", month, month) % ("1", "'c'", "'k'", "1", "1", "1", "1", "1"),
        store.rows._read_text("postgresql", month) % (1, 0, 9),
    ]
    for text in texts:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {text}")
            plan = "\n".join(line for (line,) in cursor.fetchall())
        assert f"games_gameevent_{month}" in plan
        assert plan.count(" on games_gameevent") == 1, plan


@pytest.mark.postgresql
def test_a_role_that_may_change_no_tables_makes_partitions_all_the_same() -> None:
    month = partitions.after(partitions.month_of(clock.now_ms()), 7)
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE tock_weak; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO tock_weak")
        cursor.execute("SET LOCAL ROLE tock_weak")
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            cursor.execute("CREATE TABLE public.mine (id integer)")
        with pytest.raises(DatabaseError, match="must be owner"), transaction.atomic():
            cursor.execute(f"DROP TABLE {partitions.REST}")
        assert partitions.make([month]) == [month]
        assert partitions.drop_empty([month]) == []  # it is not past
        cursor.execute("RESET ROLE")
    assert month in partitions.partitions()
