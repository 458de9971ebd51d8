"""The admin's pages of games: read-only, and without the body of any row.

Rows of a running game are secret, also from staff.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Game, Seating, Table


class ReadOnly(admin.ModelAdmin):
    """A model admin that can only read."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ("slug", "name", "kind", "state", "rules", "starts_at")
    list_filter = ("kind", "state")


@admin.register(Seating)
class SeatingAdmin(ReadOnly):
    list_display = ("table", "seat", "player", "bot")
    exclude = ("guest_key",)


@admin.register(Game)
class GameAdmin(ReadOnly):
    list_display = ("slug", "table", "number", "state", "reason", "last_seq", "finished_at")
    list_filter = ("state",)
    # A hash of rows could reveal a hidden card: one can try each of the few cards.
    exclude = ("chain",)
