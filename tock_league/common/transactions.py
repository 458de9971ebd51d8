"""writing(): the only way to write to the database.

Locking. PostgreSQL: `atomic()`, rows locked by the service in the order competition, match, game, case, ladder,
and the journal's stream last.
SQLite: one writer at a time anyway, but its busy wait is unfair and a writer can starve for seconds; so one lock of this
process is taken before BEGIN IMMEDIATE and given back after COMMIT, in the thread that writes. Exactly one web process
owns a SQLite file (`serve` holds a lock file), hence a process-wide lock is enough. The lock is re-entrant: a service
may call another one, which joins the transaction that is open.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection, transaction

from . import space

_write_lock = threading.RLock()
_here = threading.local()  # `depth`: how many blocks of `writing` this thread is in


@contextmanager
def writing() -> Iterator[None]:
    """Run the block in one transaction; any exception rolls it back."""
    _here.depth = getattr(_here, "depth", 0) + 1
    try:
        if connection.vendor != "sqlite":
            with transaction.atomic():
                yield
            return
        with _write_lock, transaction.atomic():
            yield
    except DatabaseError as error:
        space.note(error)
        raise
    finally:
        _here.depth -= 1


def is_writing() -> bool:
    """Return whether this thread is inside `writing()`, and so reads what others do not see."""
    return getattr(_here, "depth", 0) > 0


@contextmanager
def writing_alone() -> Iterator[None]:
    """Keep the writers of this process out without a transaction, for statements that cannot run in one (VACUUM)."""
    with _write_lock:
        yield


class _Undo(Exception):
    """Ends the block of `rolled_back`."""


@contextmanager
def rolled_back() -> Iterator[None]:
    """Run the block in a transaction that is rolled back at its end, also when it succeeds.

    For previews: the block runs services and reads what they wrote. What waits for a commit (tasks, announcements,
    caches) does not happen. Locks that the block takes inside an open transaction are kept until that one ends.
    """
    try:
        with writing():
            yield
            raise _Undo
    except _Undo:
        pass


@contextmanager
def snapshot() -> Iterator[None]:
    """Let the block read one state of the database; inside an open transaction it reads what that one sees.

    Nobody waits for it: SQLite keeps the old pages in its log until the block ends, PostgreSQL the old rows. Statements
    of the block and the time between them have no limit, and writing in it fails.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only=ON")
            cursor.execute("BEGIN")  # not IMMEDIATE, as Django's own transactions here: nobody is kept from writing
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("ROLLBACK")
                cursor.execute("PRAGMA query_only=OFF")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            unhurried()
            yield


def unhurried() -> None:
    """Let the statements of the open transaction take as long as they need; for jobs that read whole tables."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")


def in_transaction() -> bool:
    """Return whether a transaction is open, so that `writing()` would join it."""
    return connection.in_atomic_block
