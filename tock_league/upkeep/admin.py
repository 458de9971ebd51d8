"""The admin's page of restore drills, which only reads."""

from django.contrib import admin

from tock_league.accounts.staff import ReadOnly

from .models import Drill


@admin.register(Drill)
class DrillAdmin(ReadOnly):
    list_display = ["done_at", "ok", "seconds", "events", "note"]
    list_filter = ["ok"]
    fields = ["done_at", "ok", "seconds", "events", "note"]
