"""From SQLite to PostgreSQL: everything with its ids, the triggers in force, and nothing when anything is wrong."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from tests import migrated
from tock_league.common import clock
from tock_league.journal.models import JournalEntry
from tock_league.upkeep import databases, figures, moving, postgresql
from tock_league.upkeep.errors import CannotDo

from .home import _fill
from .world import START

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
SQLITE = "django.db.backends.sqlite3"


@pytest.fixture(scope="module")
def folder(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the small site."""
    made = tmp_path_factory.mktemp("club")
    path = made / "tock.sqlite3"
    with django_db_blocker.unblock():
        settings = of_file(path)
        migrated.copy_of_file(path, settings)
        _fill(settings)
    return made


def of_file(path: Path) -> dict[str, Any]:
    return databases.here(ENGINE=SQLITE, NAME=path, OPTIONS={"init_command": "PRAGMA foreign_keys=ON;"})


@pytest.fixture
def target(home: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """An empty PostgreSQL database. Migrating it restores the tables of one that was migrated, which is faster."""
    schema = tmp_path / "schema"
    postgresql._run("pg_dump", home, ["-Fc", "--schema-only", f"--file={schema}"])
    with postgresql.another(databases.here()) as empty:

        def migrate() -> None:
            postgresql.load(schema, connection.settings_dict)
            with connection.cursor() as cursor:
                cursor.execute("INSERT INTO django_content_type (app_label, model) VALUES ('games', 'of_the_target')")

        monkeypatch.setattr(databases, "migrate", migrate)
        monkeypatch.setattr(moving, "verify", without_migrations)
        yield empty


def without_migrations() -> Any:
    """Verify without the part that asks for migrations, which the dump of a schema does not hold."""
    from tock_league.upkeep.verification import PARTS, verify

    return verify(PARTS[1:])


def moved(folder: Path, target: dict[str, Any]) -> list[str]:
    said: list[str] = []
    with databases.as_default(databases.opened(of_file(folder / "tock.sqlite3"))), clock.frozen(START) as hand:
        hand.advance(days=1)
        moving.move(databases.opened(target), say=said.append)
    return said


def test_everything_is_moved_and_proved_equal(folder: Path, target: dict[str, Any]) -> None:
    said = moved(folder, target)
    assert "rows in" in said[0]
    assert all(": good, " in line for line in said[2:])
    with databases.as_default(databases.opened(of_file(folder / "tock.sqlite3"))):
        wanted = figures.figures()
    with databases.as_default(databases.opened(target)):
        found = figures.figures()
        assert {key: found[key] for key in ("journal", "standings", "ratings")} == {
            key: wanted[key] for key in ("journal", "standings", "ratings")
        }
        for name, count in wanted["rows"].items():
            assert found["rows"][name] == count or name == "django_migrations", name
        # The triggers are there, and new rows get new ids.
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            JournalEntry.objects.filter(seq=1).update(seq=2)
        with transaction.atomic():
            from tock_league.accounts.services import create_player

            assert create_player(display_name="Une nouvelle").pk > 0
            transaction.set_rollback(True)
    with pytest.raises(CannotDo, match="is not empty"):
        moved(folder, target)


def test_nothing_is_moved_when_a_row_does_not_fit(folder: Path, target: dict[str, Any], tmp_path: Path) -> None:
    """SQLite takes texts that are too long, and rows whose other row is gone when keys are not enforced."""
    path = tmp_path / "tock.sqlite3"
    for sql, said in {
        "UPDATE games_game SET reason = 'a reason that is far too long for its column' WHERE id = 1": (
            r"Nothing was moved: value too long .*COPY games_game, line \d+, column reason"
        ),
        "UPDATE games_game SET table_id = 987 WHERE id = 1": "Nothing was moved: .*violates foreign key constraint",
        "UPDATE games_game SET epoch = 7 WHERE id = 1": "Nothing was moved: differences in games",
    }.items():
        path.write_bytes((folder / "tock.sqlite3").read_bytes())
        with sqlite3.connect(path) as database:
            database.execute(sql)
        database.close()
        with pytest.raises(CannotDo, match=said):
            moved(tmp_path, target)
        with databases.as_default(databases.opened(target)):
            assert connection.introspection.table_names() == []


@pytest.mark.parametrize("url", ["", "mysql://tock@localhost/tock", "postgres://", "tock"])
def test_only_the_address_of_a_postgresql_database_is_taken(url: str) -> None:
    with pytest.raises(CannotDo, match="postgres://user:password@host:5432/name"):
        moving.target_of(url)


def test_a_server_that_does_not_answer_is_a_sentence(folder: Path) -> None:
    with (
        databases.as_default(databases.opened(of_file(folder / "tock.sqlite3"))),
        pytest.raises(CannotDo, match=r"The database cannot be reached: .*refused"),
    ):
        moving.move(moving.target_of("postgres://tock@127.0.0.1:9/tock"), say=print)


def test_programs_that_are_missing_are_named(home: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CannotDo, match="pg_dump is not installed here"):
        postgresql._run("pg_dump", home, [])
