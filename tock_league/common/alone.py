"""What only one thread of all the site's processes does at a time: `alone` across its transactions, `in_turn` inside one."""

import threading
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, connection

CLASS = 7_462_003  # of PostgreSQL's locks that are held here
_here: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


@contextmanager
def alone(name: str) -> Iterator[bool]:
    """Hold the lock `name` during the block; give False, without waiting, where somebody else holds it.

    On PostgreSQL it belongs to the thread's connection and ends with it, however the process ends. On SQLite it is one of this
    process, which owns the file. The same thread must not ask twice.
    """
    if connection.vendor != "postgresql":
        ours = _here[name].acquire(blocking=False)
        try:
            yield ours
        finally:
            if ours:
                _here[name].release()
        return
    key = [CLASS, zlib.crc32(name.encode()) - 2**31]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", key)
        ours = cursor.fetchone()[0]
    try:
        yield ours
    finally:
        if ours:
            with suppress(DatabaseError), connection.cursor() as cursor:  # a lost connection holds nothing
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", key)


def in_turn(name: str) -> None:
    """Wait for the lock `name` and hold it until the transaction ends; call it inside `writing()`.

    On SQLite the process's write lock does the same already.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [CLASS, zlib.crc32(name.encode()) - 2**31])
