"""The admin's pages of clubs and teams: read-only. They are changed on the site's own pages, which keep the journal."""

from django.contrib import admin

from tock_league.accounts.staff import ReadOnly

from .models import Club, Team


@admin.register(Club)
class ClubAdmin(ReadOnly):
    list_display = ["name", "town", "slug"]
    search_fields = ["name", "town"]
    fields = ["name", "town", "slug"]


@admin.register(Team)
class TeamAdmin(ReadOnly):
    list_display = ["name", "club", "drawn"]
    search_fields = ["name"]
    fields = ["name", "club", "drawn"]
