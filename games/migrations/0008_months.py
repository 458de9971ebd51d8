"""Every row of a record carries the month of its game, and PostgreSQL partitions the rows by it (docs/decisions/0036).

All in one transaction: a migration that is stopped has changed nothing. A million rows take some ten seconds on SQLite,
where Django copies the table, and on PostgreSQL, where the rows move into the partitions.
"""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.exceptions import IrreversibleError

from ._partitions import partition

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
        partition(editor)

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
