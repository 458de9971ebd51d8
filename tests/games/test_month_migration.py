"""The migration that gives rows their months, over tables that are filled: nothing is lost, each row lies where it belongs."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from tock_league.upkeep import databases, postgresql

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
BEFORE, MONTHS = ("games", "0007_unopened_commitments"), ("games", "0008_months")
YEARS_END = datetime(2025, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)
COLUMNS = "id, game_id, seq, epoch, kind, code, body, actor, command_id, body_hash, at, chain"


@pytest.fixture
def used(tmp_path: Path) -> Iterator[Any]:
    """Give the models of a database before the migration, which is the default one meanwhile."""
    with ExitStack() as stack:
        here = databases.here(NAME=tmp_path / "used.sqlite3")
        if connection.vendor == "postgresql":
            stack.enter_context(databases.as_default(databases.opened(databases.here())))  # without a transaction
            here = stack.enter_context(postgresql.another(databases.here()))
        stack.enter_context(databases.as_default(databases.opened(here)))
        yield migrated(BEFORE)


def migrated(to: tuple[str, str]) -> Any:
    """Migrate the present database by the files that the squashed ones replace; return its models."""
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    return executor.migrate([to]).apps


def found(sql: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def test_every_row_keeps_what_it_was_and_gets_the_month_in_which_its_game_began(used: Any) -> None:
    game_of, event_of = used.get_model("games", "Game"), used.get_model("games", "GameEvent")
    table = used.get_model("games", "Table").objects.create(
        slug="t1", name="Table", rules="shawinigan/1", seats=4, teams=2, kind="match"
    )
    began = {"g1": YEARS_END, "g2": datetime(2026, 1, 1, tzinfo=UTC), "g3": datetime(2019, 2, 28, 12, tzinfo=UTC)}
    for number, (slug, at) in enumerate(began.items(), start=1):
        game = game_of.objects.create(table=table, number=number, slug=slug, rules="shawinigan/1", last_seq=3)
        for seq in (2, 1, 3):  # the first row is not the one that was written first
            event_of.objects.create(
                game=game, seq=seq, kind="act" if seq == 1 else "play", code="play", actor="seat:0",
                body={"text": "é\u2028☃", "n": [seq, None, 1e-9]}, command_id=f"c{seq}" if seq > 1 else None,
                body_hash="b" * 64 if seq > 1 else "", at=int(at.timestamp() * 1000) + (seq - 1) * 86_400_000 * 20,
                chain=f"{seq}" * 64,
            )  # fmt: skip
    game_of.objects.create(table=table, number=4, slug="g4", rules="shawinigan/1")
    game_of.objects.filter(slug="g4").update(created_at=datetime(2025, 10, 31, 23, 30, tzinfo=UTC))
    rows = found(f"SELECT {COLUMNS} FROM games_gameevent ORDER BY id")  # nosec B608

    event_of = migrated(MONTHS).get_model("games", "GameEvent")

    assert found(f"SELECT {COLUMNS} FROM games_gameevent ORDER BY id") == rows  # nosec B608
    assert found("SELECT slug, month FROM games_game ORDER BY slug") == [
        ("g1", 202512), ("g2", 202601), ("g3", 201902), ("g4", 202510),
    ]  # fmt: skip
    assert found("SELECT g.slug, e.month, count(*) FROM games_gameevent e JOIN games_game g ON g.id = e.game_id"
                 " GROUP BY 1, 2 ORDER BY 1") == [("g1", 202512, 3), ("g2", 202601, 3), ("g3", 201902, 3)]  # fmt: skip
    if connection.vendor == "postgresql":
        lie = "SELECT tableoid::regclass::text, month FROM games_gameevent GROUP BY 1, 2"
        assert found(lie + " ORDER BY 2") == [(f"games_gameevent_{month}", month) for month in (201902, 202512, 202601)]
    row = {"kind": "play", "code": "play", "actor": "seat:0", "body": {}, "at": 1, "chain": "4" * 64}
    game = rows[0][1]
    for wrong in ({"seq": 3}, {"seq": 4, "command_id": "c2"}):
        with pytest.raises(IntegrityError):
            event_of.objects.create(game_id=game, month=202512, **row, **wrong)
    assert event_of.objects.create(game_id=game, month=202512, seq=4, **row).pk > max(each[0] for each in rows)
