"""Rows that stay uncommitted for a moment, so that something can happen to a process in the middle of its transaction.

A trigger makes each insert into a game's record, or into the changes of ratings, take longer for the processes that `soak_hold`
names. A process of a house is called in PostgreSQL as in the house.
"""

import asyncio
import time
from collections.abc import Sequence

from .faults.house import House
from .faults.kinds import Broken

INSTALL = """
CREATE TABLE soak_hold (process text, seconds float8);
CREATE FUNCTION soak_hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_sleep(seconds) FROM soak_hold WHERE process = current_setting('application_name');
  RETURN NULL;
END $$;
"""
ON = "CREATE TRIGGER soak_hold AFTER INSERT ON %s FOR EACH STATEMENT EXECUTE FUNCTION soak_hold();"
RECORD, RATINGS = "games_gameevent", "ratings_ratingchange"
REMOVE = "DROP TABLE soak_hold; DROP FUNCTION soak_hold CASCADE"
HELD_S = 1.0  # how long an insert takes
CAUGHT_S = 15.0  # within which somebody must write such a row
ASLEEP = "SELECT application_name, pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' LIMIT 1"


def install(house: House, tables: Sequence[str] = (RECORD, RATINGS)) -> None:
    """Make inserts into the tables holdable."""
    house.asked(INSTALL + "".join(ON % table for table in tables))


async def caught(house: House, names: Sequence[str]) -> tuple[str, int]:
    """Return which of the processes has just begun an insert, and its backend. Raises Broken if none does."""
    for name in names:
        house.asked("INSERT INTO soak_hold VALUES (%s, %s)", name, HELD_S)
    until = time.monotonic() + CAUGHT_S
    try:
        while time.monotonic() < until:
            for name, pid in house.asked(ASLEEP):
                return str(name), int(str(pid))
            await asyncio.sleep(0.02)
    finally:
        house.asked("DELETE FROM soak_hold")
    raise Broken(f"none of {names} has written a row within {CAUGHT_S:.0f} s")
