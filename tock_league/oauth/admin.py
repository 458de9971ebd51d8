"""The admin's page of applications: found by name, owner or address; suspended and restored by the services."""

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import ReadOnly, asks_first, linked

from . import services
from .models import Application


@admin.register(Application)
class ApplicationAdmin(ReadOnly):
    list_display = ["name", linked("owner", _("owner")), "website", "kind", "people", "made_at", "suspended_at"]
    list_filter = ["kind", ("suspended_at", admin.EmptyFieldListFilter), "made_at"]
    list_select_related = ["owner"]
    search_fields = ["name", "client_id", "website", "owner__display_name", "owner__slug"]
    search_help_text = _("Name, number or website, or the owner’s name or public address")
    fields = ["name", "client_id", "owner", "website", "description", "redirects", "kind", "made_at", "suspended_at"]
    actions = ["suspend", "restore"]

    def has_suspend_permission(self, request: HttpRequest) -> bool:
        return can(player_of(request), "application.suspend")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Application]:
        in_use = Count("accesses", filter=Q(accesses__ended_at__isnull=True))
        return super().get_queryset(request).annotate(in_use=in_use)

    @admin.display(description=_("people"), ordering="in_use")
    def people(self, application: Application) -> int:
        """Return how many people let it act for them."""
        return application.in_use  # type: ignore[attr-defined]  # annotated

    @admin.action(description=_("Suspend: all that it may do ends at once"), permissions=["suspend"])
    @asks_first
    def suspend(self, request: HttpRequest, applications: QuerySet[Application]) -> None:
        by = player_of(request)
        self.each(request, applications, lambda one: services.suspend(by=by, application=one))

    @admin.action(description=_("Restore: may ask people again"), permissions=["suspend"])
    def restore(self, request: HttpRequest, applications: QuerySet[Application]) -> None:
        by = player_of(request)
        self.each(request, applications, lambda one: services.restore(by=by, application=one))
