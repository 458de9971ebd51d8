"""The admin's pages of clubs, teams and who holds what there. They read; what they do, services do, which keep the journal."""

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import ReadOnly, asks_first, linked

from . import services
from .models import Club, ClubRole, Team, TeamInvitation


@admin.register(Club)
class ClubAdmin(ReadOnly):
    list_display = ["name", "town", "slug", "members", "has_talk", "created_at"]
    list_filter = ["has_talk"]
    search_fields = ["name", "town", "slug"]
    fields = ["name", "town", "slug", "about", "has_talk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        now = Count("memberships", filter=Q(memberships__until__isnull=True))
        return super().get_queryset(request).annotate(members_now=now)

    @admin.display(description=_("Members"), ordering="members_now")
    def members(self, club: Club) -> int:
        return int(club.members_now)  # type: ignore[attr-defined]

    def view_on_site(self, obj: Club) -> str:
        return reverse("pages:club", args=[obj.slug])


class WithManagers(ReadOnly):
    """Pages whose actions are for those who may do anything: administrators with a player of their own."""

    def has_manage_permission(self, request: HttpRequest) -> bool:
        return can(player_of(request), "login.manage")


@admin.register(Team)
class TeamAdmin(WithManagers):
    list_display = ["name", linked("club", _("club")), "size", "drawn", "dissolved_at", "created_at"]
    list_filter = ["drawn", "size", ("dissolved_at", admin.EmptyFieldListFilter)]
    list_select_related = ["club"]
    search_fields = ["name", "slug", "club__name"]
    fields = ["name", "slug", "club", "size", "drawn", "dissolved_at"]
    actions = ["dissolve"]

    def view_on_site(self, obj: Team) -> str:
        return reverse("pages:team", args=[obj.slug])

    @admin.action(description=_("Dissolve the chosen teams"), permissions=["manage"])
    @asks_first
    def dissolve(self, request: HttpRequest, teams: QuerySet[Team]) -> None:
        self.each(request, teams, lambda team: services.dissolve(by=player_of(request), team=team))


@admin.register(ClubRole)
class ClubRoleAdmin(WithManagers):
    list_display = [
        "name", linked("player", _("player")), linked("club", _("club")), "since", "until",
        linked("given_by", _("given by")),
    ]  # fmt: skip
    list_filter = ["name", ("until", admin.EmptyFieldListFilter)]
    list_select_related = ["player", "club", "given_by"]
    search_fields = ["player__display_name", "club__name"]
    fields = ["name", "player", "club", "since", "until", "given_by"]
    actions = ["end"]

    @admin.action(description=_("End the chosen roles"), permissions=["manage"])
    @asks_first
    def end(self, request: HttpRequest, roles: QuerySet[ClubRole]) -> None:
        self.each(request, roles, lambda role: services.end_role(by=player_of(request), role=role))


@admin.register(TeamInvitation)
class TeamInvitationAdmin(WithManagers):
    """Not shown: the digest of a link's secret."""

    list_display = [
        linked("team", _("team")), "slot", linked("player", _("player")), "state", "sent_at", "expires_at",
        linked("sent_by", pgettext_lazy("an invitation", "sent by")),
    ]  # fmt: skip
    list_display_links = ["slot"]
    list_filter = ["state", "sent_at"]
    list_select_related = ["team", "player", "sent_by"]
    search_fields = ["team__name", "player__display_name"]
    fields = ["team", "slot", "player", "state", "sent_by", "sent_at", "expires_at", "answered_by", "answered_at"]
    actions = ["revoke"]

    @admin.action(description=_("Take the chosen invitations back"), permissions=["manage"])
    def revoke(self, request: HttpRequest, invitations: QuerySet[TeamInvitation]) -> None:
        by = player_of(request)
        self.each(request, invitations, lambda invitation: services.revoke(by=by, invitation=invitation))
