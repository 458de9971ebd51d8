"""Every row of a record carries the month of its game, and PostgreSQL partitions the rows by it (docs/decisions/0036).

All in one transaction: a migration that is stopped has changed nothing. A million rows take some ten seconds on SQLite,
where Django copies the table, and on PostgreSQL, where the rows move into the partitions.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.exceptions import IrreversibleError

FIRST_ROW = "(SELECT e.at FROM games_gameevent e WHERE e.game_id = games_game.id AND e.seq = 1)"
MONTH = {  # of the game's first row; of the game's row where there is none
    "sqlite": (
        f"CAST(strftime('%Y%m', coalesce(datetime({FIRST_ROW} / 1000, 'unixepoch'), created_at)) AS INTEGER)"  # nosec B608
    ),
    "postgresql": (
        f"to_char(coalesce(to_timestamp({FIRST_ROW} / 1000.0), created_at) AT TIME ZONE 'UTC', 'YYYYMM')::integer"  # nosec B608
    ),
}
EVENTS = "UPDATE games_gameevent SET month = (SELECT month FROM games_game WHERE id = game_id)"

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


def fill(apps: Any, editor: Any) -> None:
    """Write the months; on PostgreSQL those of the rows follow when they move into the partitions."""
    with editor.connection.cursor() as cursor:
        if editor.connection.vendor == "postgresql":
            cursor.execute("SET LOCAL statement_timeout = 0")  # the site's own is two seconds
        cursor.execute(f"UPDATE games_game SET month = {MONTH[editor.connection.vendor]}")  # nosec B608
        if editor.connection.vendor == "sqlite":
            cursor.execute(EVENTS)


class Partitioned(migrations.AlterField):
    """The last change of the table on SQLite; on PostgreSQL it becomes a partitioned one instead."""

    def database_forwards(self, app_label: str, editor: Any, before: Any, after: Any) -> None:
        if editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, editor, before, after)
            return
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

    def database_backwards(self, app_label: str, editor: Any, before: Any, after: Any) -> None:
        raise IrreversibleError("Restore the copy that was made before this migration.")


class Migration(migrations.Migration):
    dependencies = [("games", "0007_unopened_commitments")]

    operations = [
        migrations.AddField("game", "month", models.PositiveIntegerField(null=True)),
        migrations.AddField("gameevent", "month", models.PositiveIntegerField(null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField("game", "month", models.PositiveIntegerField()),
        # The copied table has no index of this column alone: that of `event_seq` begins with it.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "gameevent",
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="games.game",
                    ),
                )
            ]
        ),
        Partitioned("gameevent", "month", models.PositiveIntegerField()),
    ]
