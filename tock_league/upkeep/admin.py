"""The admin's pages of what keeps the site up: restore drills, tasks that wait, chains of the journal. They only read."""

from django.contrib import admin
from django.urls import reverse

from tock_league.accounts.staff import ReadOnly
from tock_league.common.models import OutboxRow
from tock_league.journal.models import JournalStream

from .models import Drill


@admin.register(Drill)
class DrillAdmin(ReadOnly):
    list_display = ["done_at", "ok", "seconds", "events", "note"]
    list_filter = ["ok", "done_at"]
    fields = ["done_at", "ok", "seconds", "events", "note"]


@admin.register(OutboxRow)
class OutboxRowAdmin(ReadOnly):
    """Not shown: key and body of a task, which name people."""

    list_display = ["task", "due_at", "done_at", "attempts", "created_at"]
    list_filter = [("done_at", admin.EmptyFieldListFilter), "task"]
    search_fields = ["task"]
    fields = ["task", "due_at", "done_at", "attempts", "created_at"]
    ordering = ["-created_at"]


@admin.register(JournalStream)
class JournalStreamAdmin(ReadOnly):
    list_display = ["name", "length", "hash"]
    search_fields = ["name"]
    fields = ["name", "length", "hash"]

    def view_on_site(self, obj: JournalStream) -> str:
        return reverse("journal:stream", args=[obj.name])
