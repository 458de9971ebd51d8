"""What a deleted row leaves in the files of the database: SQLite keeps its bytes in free pages until they are used again."""

import logging

from django.db import DatabaseError, connection

from games.models import Game, Table
from tock_league.common.transactions import writing_alone

log = logging.getLogger(__name__)


def wipe(*, nobody_plays: bool = False) -> bool:
    """Rewrite a SQLite database without the free pages; return whether none is left. Always True on PostgreSQL.

    Not while a game runs, because nobody can write for the second that it takes: the next run does it then. Practice has no
    clock, and a game that a visitor has left never ends: it is not waited for.
    `nobody_plays`: whatever the rows say, as in a copy. PostgreSQL uses the space of dead rows again after its own VACUUM.
    """
    if connection.vendor != "sqlite":
        return True
    if connection.in_atomic_block:
        return False
    running = Game.objects.filter(state=Game.State.PLAYING).exclude(table__kind=Table.Kind.PRACTICE)
    if not nobody_plays and running.exists():
        return False
    try:
        with writing_alone(), connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            busy, *_pages = cursor.fetchone()
    except DatabaseError as error:  # somebody reads: tomorrow
        log.warning("the database was not rewritten after an erasure: %s", error)
        return False
    return not busy
