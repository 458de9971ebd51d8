"""The admin's pages of games: read-only, and without the body of any row.

Rows of a running game are secret, also from staff.
"""

from django.contrib import admin

from games.models import Game, Seating, Table
from tock_league.accounts.staff import ReadOnly


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ("slug", "name", "kind", "state", "rules", "starts_at")
    list_filter = ("kind", "state")
    fields = (
        *("slug", "name", "rules", "seats", "teams", "team_names", "kind", "state", "rated", "touch", "bots_allowed"),
        *("release", "best_of", "clocks", "referee_wait_s", "opens_at", "starts_at"),
    )


@admin.register(Seating)
class SeatingAdmin(ReadOnly):
    list_display = ("table", "seat", "player", "bot")
    fields = ("table", "seat", "player", "bot")


@admin.register(Game)
class GameAdmin(ReadOnly):
    """Not shown: `chain`. A hash of rows could reveal a hidden card, because one can try each of the few cards."""

    list_display = ("slug", "table", "number", "state", "reason", "finished_at")
    list_filter = ("state",)
    fields = (
        *("slug", "table", "number", "rules", "state", "ranks", "reason", "rated", "unrated_reason"),
        *("started_at", "finished_at"),
    )
