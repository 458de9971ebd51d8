"""The admin's page of addresses to which no mail can be sent. Their owners say that they work again, on their own page."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.staff import ReadOnly, linked

from .models import Bounce


@admin.register(Bounce)
class BounceAdmin(ReadOnly):
    list_display = ["email", linked("user", _("login")), "at", "code"]
    list_filter = ["code", "at"]
    list_select_related = ["user"]
    search_fields = ["email", "user__player__display_name"]
    fields = ["email", "user", "at", "code"]
