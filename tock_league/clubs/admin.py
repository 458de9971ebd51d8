from django.contrib import admin

from .models import Club, Team


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):
    list_display = ["name", "town", "slug"]
    search_fields = ["name", "town"]


@admin.register(Team)
class TeamAdmin(admin.ModelAdmin):
    list_display = ["name", "club", "drawn"]
    search_fields = ["name"]
