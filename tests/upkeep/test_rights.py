"""The role of the running site changes rows, but neither tables nor what was written once."""

from collections.abc import Iterator

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, transaction

from tock_league.journal.services import record
from tock_league.upkeep.rights import grant, written_once

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]
ROLE = "tock_app_of_this_test"


@pytest.fixture
def role(db: None) -> Iterator[str]:
    """Give a role with the rights of the site; it ends with the transaction of the test."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {ROLE}")
    grant(ROLE)
    return ROLE


def refused(statement: str) -> str:
    """Run a statement as the role; return the code of the refusal, "" when it is carried out."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL ROLE {ROLE}")
            cursor.execute(statement)
            transaction.set_rollback(True)
    except ProgrammingError as error:
        return str(getattr(error.__cause__, "sqlstate", ""))
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")
    return ""


DENIED = psycopg.errors.InsufficientPrivilege.sqlstate


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER journal_journalentry_no_update ON journal_journalentry",
        "ALTER TABLE journal_journalentry DISABLE TRIGGER ALL",
        "ALTER TABLE games_game ADD COLUMN more int",
        "UPDATE journal_journalentry SET hash = ''",
        "DELETE FROM arbitration_ruling",
        "UPDATE games_gameevent SET code = 'play'",
        "DELETE FROM games_gameevent",
        "TRUNCATE games_game CASCADE",
        "DROP TABLE games_gameevent",
        "CREATE TABLE mine (one int)",
        "CREATE OR REPLACE FUNCTION tock_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "SET session_replication_role = replica",
        "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999', now())",
        "INSERT INTO games_archivedrecord (game_id, rows, body, sha256, archived_at) VALUES (1, 1, '', '', now())",
        "UPDATE games_archivedrecord SET body = ''",
        "DELETE FROM games_archivedrecord",
        "COPY games_game TO '/tmp/stolen'",
    ],
)
def test_what_the_role_may_not_do(role: str, statement: str) -> None:
    assert refused(statement) == DENIED


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM django_migrations",
        "UPDATE games_game SET due_at = NULL",
        "DELETE FROM django_session",
        "SELECT nextval(pg_get_serial_sequence('games_gameevent', 'id'))",
        "SELECT * FROM journal_journalentry",
        "SELECT * FROM games_archivedrecord",
    ],
)
def test_what_the_role_may_do(role: str, statement: str) -> None:
    assert refused(statement) == ""


def test_the_role_writes_an_entry_of_the_journal(role: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL ROLE {role}")
    try:
        assert record("open", "role.given", body={"number": 1}).seq == 1
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")


def test_a_table_of_a_later_migration_can_be_read_and_added_to(role: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later (one int)")
    assert refused("INSERT INTO later VALUES (1)") == ""
    assert refused("UPDATE later SET one = 2") == DENIED
    assert "later" in grant(role)["changes"]
    assert refused("UPDATE later SET one = 2") == ""


def test_every_table_has_one_right(role: str) -> None:
    rights = grant(role)
    named = [table for tables in rights.values() for table in tables]
    assert len(named) == len(set(named))
    assert set(named) >= set(connection.introspection.table_names())
    assert set(rights["adds"]) >= written_once() >= {"journal_journalentry", "arbitration_ruling", "games_gameevent"}


def test_an_owner_and_a_stranger_are_refused() -> None:
    with pytest.raises(CommandError, match="owns the tables"):
        call_command("grant_rights", connection.settings_dict["USER"])
    with pytest.raises(CommandError, match="There is no role nobody_here"):
        call_command("grant_rights", "nobody_here")
