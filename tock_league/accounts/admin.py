from django.contrib import admin

from .models import Player, Role, User


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
    autocomplete_fields = ["player", "given_by"]
