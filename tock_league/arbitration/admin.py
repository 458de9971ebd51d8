"""The admin's page of cases: which there are and how they stand. What was said in them is on their pages, for those concerned."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.staff import ReadOnly, linked

from .models import Case


@admin.register(Case)
class CaseAdmin(ReadOnly):
    list_display = ["number", linked("competition", _("competition")), linked("match", _("match")), "state", "filed_at"]
    list_filter = ["state", "filed_at"]
    list_select_related = ["competition", "match"]
    search_fields = ["number", "competition__name", "match__slug"]
    fields = ["number", "competition", "match", "state", "filed_at"]
