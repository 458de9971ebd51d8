from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from . import services
from .models import Player, Role, User
from .permissions import SITE


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    list_display = ["email", "is_active", "is_staff", "last_login"]
    search_fields = ["email"]
    fields = ["email", "is_active", "is_staff", "is_superuser", "last_login", "date_joined"]
    readonly_fields = ["last_login", "date_joined"]


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    list_display = ["display_name", "slug", "language", "user"]
    search_fields = ["display_name", "slug"]


@admin.register(Role)
class RoleAdmin(admin.ModelAdmin):
    list_display = ["player", "name", "since", "until"]
    autocomplete_fields = ["player"]
    fields = ["player", "name"]

    def has_change_permission(self, request: HttpRequest, obj: Role | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Role | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Role, form: object, change: bool) -> None:
        """Give the role through the service; the site's administrators are allowed to."""
        role = services.give_role(player=obj.player, name=obj.name, by=SITE)
        obj.pk = role.pk

    @admin.action(description=_("End the chosen roles"))
    def end(self, request: HttpRequest, roles: QuerySet[Role]) -> None:
        for role in roles:
            services.end_role(role=role, by=SITE)

    actions = ["end"]
