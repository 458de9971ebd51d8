"""The admin's page of imported events."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import ReadOnly, asks_first, linked

from . import services
from .models import ImportedEvent


@admin.register(ImportedEvent)
class ImportedEventAdmin(ReadOnly):
    list_display = [
        "name", linked("club", _("club")), "held_at", "teams", "matches", linked("imported_by", _("imported by")),
        "imported_at",
    ]  # fmt: skip
    list_filter = ["held_at", "imported_at"]
    list_select_related = ["club", "imported_by"]
    search_fields = ["name", "slug", "club__name"]
    fields = ["name", "slug", "club", "rules", "seats", "held_at", "teams", "matches", "imported_by", "imported_at"]
    actions = ["remove"]

    def has_manage_permission(self, request: HttpRequest) -> bool:
        return can(player_of(request), "login.manage")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImportedEvent]:
        return super().get_queryset(request).defer("body")

    def view_on_site(self, obj: ImportedEvent) -> str:
        return reverse("imports:one", args=[obj.slug])

    @admin.action(description=_("Remove the chosen events"), permissions=["manage"])
    @asks_first
    def remove(self, request: HttpRequest, events: QuerySet[ImportedEvent]) -> None:
        self.each(request, events, lambda event: services.remove(by=player_of(request), event=event))
