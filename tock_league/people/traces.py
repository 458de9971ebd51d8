"""What a deleted row leaves in the files of the database: SQLite keeps its bytes in free pages until they are used again."""

import logging

from django.db import DatabaseError, connection

from games.models import Game
from tock_league.common.transactions import writing_alone

log = logging.getLogger(__name__)


def wipe() -> bool:
    """Rewrite a SQLite database without the free pages; return whether it was done.

    Not while a game runs, because nobody can write for the second that it takes: the daily run does it then. PostgreSQL
    uses the space of dead rows again after its own VACUUM.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return False
    if Game.objects.filter(state=Game.State.PLAYING).exists():
        return False
    try:
        with writing_alone(), connection.cursor() as cursor:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except DatabaseError as error:  # somebody reads: tomorrow
        log.warning("the database was not rewritten after an erasure: %s", error)
        return False
    return True
