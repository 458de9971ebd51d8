"""One consistent, read-only view of the whole database, while others go on writing."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let the block read one state of the database; inside an open transaction it reads what that one sees.

    Nobody waits for it: SQLite keeps the old pages in its log until the block ends, PostgreSQL the old rows. Statements
    of the block have no timeout, and writing in it fails.
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
            cursor.execute("SET LOCAL statement_timeout = 0")
            yield
