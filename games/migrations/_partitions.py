"""Partitions of the table of a record's rows, by the month of the game; PostgreSQL only (docs/decisions/0036)."""

from typing import Any

# The table of before becomes the partitions' data and goes. The unique constraints keep their names; PostgreSQL wants the
# month in them, and the foreign key makes them as exact as they were without it: a game has one month.
PARTITIONED = """
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE games_game ADD CONSTRAINT game_month UNIQUE (id, month);
ALTER TABLE games_gameevent RENAME TO games_gameevent_before;
CREATE TABLE games_gameevent (LIKE games_gameevent_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING IDENTITY)
    PARTITION BY RANGE (month);
ALTER TABLE games_gameevent ALTER COLUMN month SET NOT NULL;
CREATE TABLE games_gameevent_rest PARTITION OF games_gameevent DEFAULT;
"""
FILLED = """
INSERT INTO games_gameevent OVERRIDING SYSTEM VALUE
    SELECT {columns} FROM games_gameevent_before e JOIN games_game g ON g.id = e.game_id;
SELECT setval(pg_get_serial_sequence('games_gameevent', 'id'), greatest((SELECT max(id) FROM games_gameevent_before), 1));
DROP TABLE games_gameevent_before;
ALTER TABLE games_gameevent
    ADD CONSTRAINT games_gameevent_pkey PRIMARY KEY (id, month),
    ADD CONSTRAINT event_seq UNIQUE (game_id, seq, month),
    ADD CONSTRAINT event_command UNIQUE (game_id, command_id, month),
    ADD CONSTRAINT event_game_month FOREIGN KEY (game_id, month) REFERENCES games_game (id, month)
        DEFERRABLE INITIALLY DEFERRED;
"""

# With the rights of the tables' owner, as the site's own user may not change tables. Whoever may connect may call them:
# they make a partition of some month, and drop one without rows, and nothing else. Locks are waited for a second at most,
# because plays would queue behind them; the partition for all other months is locked first, which plays hardly use.
FUNCTIONS = """
CREATE FUNCTION tock_event_month(wanted integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE part text := 'games_gameevent_' || wanted;
BEGIN
    IF wanted NOT BETWEEN 200001 AND 999912 OR wanted % 100 NOT BETWEEN 1 AND 12 THEN
        RAISE EXCEPTION 'no month: %', wanted;
    END IF;
    IF wanted > to_char(now() AT TIME ZONE 'UTC' + interval '2 years', 'YYYYMM')::integer
        AND NOT EXISTS (SELECT FROM games_game WHERE month = wanted) THEN
        RAISE EXCEPTION 'too far ahead: %', wanted;
    END IF;
    LOCK TABLE games_gameevent_rest IN ACCESS EXCLUSIVE MODE;
    IF to_regclass(part) IS NOT NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE games_gameevent INCLUDING ALL EXCLUDING IDENTITY)', part);
    EXECUTE format('WITH gone AS (DELETE FROM games_gameevent_rest WHERE month = %s RETURNING *)'
        ' INSERT INTO %I SELECT * FROM gone', wanted, part);
    EXECUTE format('ALTER TABLE games_gameevent ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
        part, wanted, wanted + 1);
    RETURN true;
END $$;

CREATE FUNCTION tock_drop_event_month(unwanted integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE part text := 'games_gameevent_' || unwanted; filled boolean;
BEGIN
    IF unwanted >= to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')::integer OR to_regclass(part) IS NULL THEN
        RETURN false;
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', part) INTO filled;
    IF filled THEN
        RETURN false;
    END IF;
    LOCK TABLE games_gameevent IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('SELECT EXISTS (SELECT FROM %I)', part) INTO filled;
    IF NOT filled THEN
        EXECUTE format('DROP TABLE %I', part);
    END IF;
    RETURN NOT filled;
END $$;
"""


def partition(editor: Any) -> None:
    """Make the table of rows, which is there with all its columns, a partitioned one; its rows move into the partitions.

    Its indexes, its unique constraints and the foreign key to the game are made here, whether or not the table has them.
    """
    name = "games_gameevent"
    # What a CREATE TABLE of the same migration has left for its end would make a second foreign key.
    editor.deferred_sql = [sql for sql in editor.deferred_sql if isinstance(sql, str) or not sql.references_table(name)]
    with editor.connection.cursor() as cursor:
        cursor.execute(PARTITIONED)
        cursor.execute("SELECT * FROM games_gameevent LIMIT 0")
        names = [column.name for column in cursor.description]
        listed = ", ".join("g.month" if name == "month" else f'e."{name}"' for name in names)
        cursor.execute(FUNCTIONS)
        cursor.execute("SELECT DISTINCT month FROM games_game ORDER BY month")
        for (month,) in cursor.fetchall():
            cursor.execute("SELECT tock_event_month(%s)", [month])
        cursor.execute(FILLED.format(columns=listed))
        cursor.execute("ANALYZE games_gameevent")
