"""The database refuses every change of a recorded entry, on both databases."""

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import checks
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from tock_league.common.transactions import writing
from tock_league.journal import chain
from tock_league.journal.models import JournalEntry
from tock_league.journal.services import record
from tock_league.journal.store import AppendOnly
from tock_league.journal.store.checks import missing
from tock_league.journal.store.operations import unique_keys

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
TABLE = JournalEntry._meta.db_table
ON_SQLITE, ON_POSTGRESQL = connection.vendor == "sqlite", connection.vendor == "postgresql"


@pytest.fixture
def entries() -> list[JournalEntry]:
    """Give three entries of one stream."""
    with writing():
        return [record("open", "role.given", body={"number": number}) for number in range(3)]


def forged(entry: JournalEntry, body: bytes = b"{}") -> dict[str, Any]:
    """Return the columns of an entry that replaces `entry`, with its correct hash."""
    return {
        "stream": entry.stream,
        "seq": entry.seq,
        "body": body,
        "prev_hash": entry.prev_hash,
        "hash": chain.next_hash(entry.prev_hash, body),
    }


def sql(statement: str, *values: Any) -> Callable[[JournalEntry], Any]:
    """Return an attack that runs one statement; a value may be a function of the entry."""

    def run(entry: JournalEntry) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement, [value(entry) if callable(value) else value for value in values])

    return run


def changed_and_saved(entry: JournalEntry) -> None:
    entry.body = b"{}"
    entry.save()


def pk(entry: JournalEntry) -> int:
    return entry.pk


def rehashed(entry: JournalEntry) -> str:
    return chain.next_hash(entry.prev_hash, b"{}")


INSERT = f"INTO {TABLE} (id, stream, seq, body, prev_hash, hash) VALUES (%s, %s, %s, %s, %s, %s)"
SAME_ID = (pk, "open", 2, b"{}", lambda entry: entry.prev_hash, rehashed)
NEW_ID = (900, "open", 2, b"{}", lambda entry: entry.prev_hash, rehashed)
NEXT_WITH_OLD_ID = (pk, "open", 4, b"{}", lambda entry: JournalEntry.objects.get(seq=3).hash, "0" * 64)
UPSERT = f"INSERT {INSERT} ON CONFLICT (stream, seq) DO UPDATE SET body = excluded.body, hash = excluded.hash"

ATTACKS: dict[str, Callable[[JournalEntry], Any]] = {
    "save of a changed row": changed_and_saved,
    "delete of a row": lambda entry: entry.delete(),
    "update of a queryset": lambda entry: JournalEntry.objects.update(seq=F("seq") + 10),
    "update of one column to itself": lambda entry: JournalEntry.objects.filter(pk=entry.pk).update(body=entry.body),
    "delete of a queryset": lambda entry: JournalEntry.objects.all().delete(),
    "quick delete without collecting": lambda entry: JournalEntry.objects.all()._raw_delete("default"),
    "bulk_update": lambda entry: JournalEntry.objects.bulk_update(
        [JournalEntry(pk=entry.pk, **forged(entry))], ["body", "hash"]
    ),
    "bulk_create over it": lambda entry: JournalEntry.objects.bulk_create([JournalEntry(**forged(entry))]),
    "bulk_create that upserts": lambda entry: JournalEntry.objects.bulk_create(
        [JournalEntry(**forged(entry))],
        update_conflicts=True,
        unique_fields=["stream", "seq"],
        update_fields=["body", "hash"],
    ),
    "bulk_create that leaves a gap": lambda entry: JournalEntry.objects.bulk_create(
        [JournalEntry(**forged(entry) | {"seq": 5})]
    ),
    "update_or_create": lambda entry: JournalEntry.objects.update_or_create(
        stream=entry.stream, seq=entry.seq, defaults={"body": b"{}"}
    ),
    "SQL UPDATE": sql(f"UPDATE {TABLE} SET body = %s WHERE id = %s", b"{}", pk),
    "SQL DELETE": sql(f"DELETE FROM {TABLE} WHERE id = %s", pk),
    "SQL DELETE of all": sql(f"DELETE FROM {TABLE}"),
    "SQL INSERT of a known place": sql(f"INSERT {INSERT}", *NEW_ID),
    "SQL INSERT of a known id": sql(f"INSERT {INSERT}", *SAME_ID),
    "SQL upsert": sql(UPSERT, *SAME_ID),
    "an entry in front of the first": sql(
        f"INSERT INTO {TABLE} (stream, seq, body, prev_hash, hash) VALUES ('open', 0, %s, %s, %s)", b"{}", "0" * 64, "1"
    ),
    "an entry linked to nothing": sql(
        f"INSERT INTO {TABLE} (stream, seq, body, prev_hash, hash) VALUES ('open', 4, %s, %s, %s)", b"{}", "0" * 64, "1"
    ),
}
if ON_POSTGRESQL:
    ATTACKS |= {
        "TRUNCATE": sql(f"TRUNCATE {TABLE} CASCADE"),
        "TRUNCATE of the texts and the entries": sql(f"TRUNCATE journal_privatetext, {TABLE} RESTART IDENTITY CASCADE"),
        "MERGE": sql(
            f"MERGE INTO {TABLE} AS t USING (SELECT %s::bigint AS id) AS s ON t.id = s.id WHEN MATCHED THEN DELETE", pk
        ),
        "a well linked entry with another hash": sql(
            f"INSERT INTO {TABLE} (stream, seq, body, prev_hash, hash) VALUES ('open', 4, %s, %s, %s)",
            b"{}",
            lambda entry: JournalEntry.objects.get(seq=3).hash,
            "0" * 64,
        ),
        "a first entry linked to zeros": sql(
            f"INSERT INTO {TABLE} (stream, seq, body, prev_hash, hash) VALUES ('new', 1, %s, %s, %s)",
            b"{}",
            "0" * 64,
            hashlib.sha256(b"tock-event-v1|" + bytes(32) + b"{}").hexdigest(),
        ),
    }
if ON_SQLITE:
    ATTACKS |= {
        "REPLACE": sql(f"REPLACE {INSERT}", *SAME_ID),
        "INSERT OR REPLACE of a known place": sql(f"INSERT OR REPLACE {INSERT}", *NEW_ID),
        "INSERT OR REPLACE of a known id at the end": sql(f"INSERT OR REPLACE {INSERT}", *NEXT_WITH_OLD_ID),
        "UPDATE OR REPLACE": sql(f"UPDATE OR REPLACE {TABLE} SET seq = 3 WHERE id = %s", pk),
        "UPDATE OR IGNORE": sql(f"UPDATE OR IGNORE {TABLE} SET body = %s WHERE id = %s", b"{}", pk),
    }


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_refused_and_changes_nothing(entries: list[JournalEntry], name: str) -> None:
    before = list(JournalEntry.objects.values_list("pk", "stream", "seq", "hash"))
    with pytest.raises(IntegrityError), transaction.atomic():
        ATTACKS[name](JournalEntry.objects.get(seq=2))
    assert list(JournalEntry.objects.values_list("pk", "stream", "seq", "hash")) == before
    assert [bytes(entry.body) for entry in JournalEntry.objects.all()] == [bytes(entry.body) for entry in entries]


# "OR IGNORE" is SQLite's own spelling.
@pytest.mark.parametrize("name", ["ON CONFLICT DO NOTHING", *(["OR IGNORE"] if ON_SQLITE else [])])
def test_an_insert_that_would_be_passed_over_writes_nothing(entries: list[JournalEntry], name: str) -> None:
    statement = f"INSERT OR IGNORE {INSERT}" if name == "OR IGNORE" else f"INSERT {INSERT} {name}"
    with contextlib.suppress(IntegrityError), transaction.atomic():
        sql(statement, *SAME_ID)(entries[1])
    assert [entry.hash for entry in JournalEntry.objects.all()] == [entry.hash for entry in entries]


# Only SQLite has a file that another program may open, so this test does not exist on PostgreSQL.
if ON_SQLITE:

    @pytest.mark.django_db(transaction=True)
    def test_a_program_that_opens_the_file_is_refused_too(entries: list[JournalEntry]) -> None:
        other = sqlite3.connect(connection.settings_dict["NAME"], timeout=20)
        try:
            for statement in (
                f"UPDATE {TABLE} SET body = x'7b7d'",
                f"DELETE FROM {TABLE}",
                f"REPLACE INTO {TABLE} SELECT id, stream, seq, x'7b7d', prev_hash, hash FROM {TABLE} WHERE seq = 2",
            ):
                with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                    other.execute(statement)
                other.rollback()
        finally:
            other.close()
        assert JournalEntry.objects.count() == 3


@pytest.mark.postgresql
def test_a_database_role_that_may_only_append_cannot_touch_the_triggers(entries: list[JournalEntry]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE tock_app")
        cursor.execute(f"GRANT SELECT, INSERT ON {TABLE} TO tock_app")
        cursor.execute("SET ROLE tock_app")
        for statement in (
            f"UPDATE {TABLE} SET seq = 1",
            f"DELETE FROM {TABLE}",
            f"TRUNCATE {TABLE}",
            f"ALTER TABLE {TABLE} DISABLE TRIGGER ALL",
            f"DROP TRIGGER {TABLE}_no_update ON {TABLE}",
            "SET session_replication_role = replica",
        ):
            with pytest.raises(Exception, match=r"permission denied|must be owner"), transaction.atomic():
                cursor.execute(statement)
        cursor.execute("RESET ROLE")


def test_after_all_migrations_no_trigger_is_missing() -> None:
    assert [*missing()] == []
    assert [found.id for found in checks.run_checks(databases=["default"]) if found.id == "journal.E001"] == []


@pytest.fixture
def without_a_trigger() -> Iterator[str]:
    """Give the name of a trigger that is dropped for the duration of the test."""
    name = f"{TABLE}_no_delete"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f'DROP TRIGGER "{name}"' + (f" ON {TABLE}" if ON_POSTGRESQL else ""))
        yield name
        transaction.set_rollback(True)


def test_the_system_check_names_a_trigger_that_is_missing(without_a_trigger: str) -> None:
    assert [*missing()] == [(TABLE, without_a_trigger)]
    (found,) = [one for one in checks.run_checks(databases=["default"]) if one.id == "journal.E001"]
    assert without_a_trigger in found.msg


class Editor:
    """The part of a schema editor that the operation needs; SQLite's own does not start inside a transaction."""

    connection = connection

    def execute(self, statement: str, params: Any = ()) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement, params)


def test_the_operation_can_be_run_again_over_a_table_that_has_lost_its_triggers(without_a_trigger: str) -> None:
    from django.db.migrations.loader import MigrationLoader

    state = MigrationLoader(connection).project_state()
    AppendOnly("JournalEntry", chained=True).database_forwards("journal", Editor(), state, state)
    assert [*missing()] == []
    with pytest.raises(IntegrityError), transaction.atomic():
        record("open", "role.given", body={}).delete()


def test_every_key_by_which_replace_could_delete_is_stopped() -> None:
    assert sorted(map(tuple, unique_keys(JournalEntry))) == [("hash",), ("id",), ("stream", "seq")]
