"""The admin's pages of games: read-only, and without the body of any row.

Rows of a running game are secret, also from staff.
"""

from django.contrib import admin
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models import Game, Seating, Table
from tock_league.accounts.staff import ReadOnly, linked


@admin.register(Table)
class TableAdmin(ReadOnly):
    list_display = ("slug", "name", "kind", "state", "rules", "rated", "starts_at", "created_at")
    list_filter = ("kind", "state", "rules", "rated", "starts_at")
    search_fields = ("slug", "name", "seatings__player__display_name")
    fields = (
        *("slug", "name", "rules", "seats", "teams", "team_names", "kind", "state", "rated", "touch", "bots_allowed"),
        *("release", "best_of", "clocks", "referee_wait_s", "opens_at", "starts_at"),
    )

    def view_on_site(self, obj: Table) -> str:
        return reverse("games:table", args=[obj.slug])


@admin.register(Seating)
class SeatingAdmin(ReadOnly):
    """Not shown: the key of a guest's session."""

    list_display = ("seat", linked("table", _("table")), linked("player", _("player")), "bot")
    list_filter = ("table__kind", "table__state", ("player", admin.EmptyFieldListFilter))
    list_select_related = ("table", "player")
    search_fields = ("table__slug", "table__name", "player__display_name")
    fields = ("table", "seat", "player", "bot")


@admin.register(Game)
class GameAdmin(ReadOnly):
    """Not shown: `chain`. A hash of rows could reveal a hidden card, because one can try each of the few cards."""

    list_display = ("slug", linked("table", _("table")), "number", "rules", "state", "reason", "rated", "finished_at")
    list_filter = ("state", "rules", "rated", "finished_at")
    list_select_related = ("table",)
    search_fields = ("slug", "table__slug", "table__name")
    fields = (
        *("slug", "table", "number", "rules", "state", "ranks", "reason", "rated", "unrated_reason"),
        *("started_at", "finished_at"),
    )

    def view_on_site(self, obj: Game) -> str:
        return reverse("games:replay", args=[obj.slug])
