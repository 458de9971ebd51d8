"""The admin's pages of seasons, competitions, entries, matches and offices: to find them, and to see how they are connected.

They read. An organiser's page of the site changes them; it checks what the admin would not, and keeps the journal.
"""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tock_league.accounts.permissions import can
from tock_league.accounts.selectors import player_of
from tock_league.accounts.staff import ReadOnly, asks_first, linked

from .models import Competition, CompetitionRole, Entry, Match, Season
from .services.seasons import lifecycle, roles


@admin.register(Season)
class SeasonAdmin(ReadOnly):
    list_display = ["name", linked("club", _("club")), "starts_on", "ends_on", "slug"]
    list_select_related = ["club"]
    list_filter = ["starts_on"]
    search_fields = ["name", "slug"]
    fields = ["name", "slug", "club", "starts_on", "ends_on"]


@admin.register(Competition)
class CompetitionAdmin(ReadOnly):
    list_display = [
        "name", "kind", "state", linked("club", _("club")), "rules", "starts_at", "organise", "created_at",
    ]  # fmt: skip
    list_filter = ["state", "kind", "rules", "on_paper", "is_rehearsal", "starts_at"]
    list_select_related = ["club"]
    search_fields = ["name", "slug", "club__name"]
    fields = [
        *("name", "slug", "kind", "state", "club", "division", "rules", "seats", "size", "seeding", "on_paper"),
        "keeps_tables",
        "by_agreement",
        *("starts_at", "entries_close_at", "check_in_from", "check_in_until", "is_rehearsal", "bots_allowed", "reason"),
    ]
    actions = ["archive"]

    def has_manage_permission(self, request: HttpRequest) -> bool:
        return can(player_of(request), "login.manage")

    @admin.display(description=_("Organise"))
    def organise(self, found: Competition) -> str:
        """Return a link to the page on which the competition is changed."""
        return format_html('<a href="{}">{}</a>', reverse("competitions:organise", args=[found.slug]), "→")

    def view_on_site(self, obj: Competition) -> str:
        return reverse("competitions:competition", args=[obj.slug])

    @admin.action(description=_("Archive the chosen competitions that are finished"), permissions=["manage"])
    @asks_first
    def archive(self, request: HttpRequest, found: QuerySet[Competition]) -> None:
        by, to = player_of(request), Competition.State.ARCHIVED
        self.each(request, found, lambda competition: lifecycle.advance(by=by, competition=competition, to=to))


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    list_display = [
        "slug", linked("competition", _("competition")), linked("team", _("team")), linked("player", _("player")),
        "state", "seed", "final_rank",
    ]  # fmt: skip
    list_filter = ["state", "competition__state", "competition__kind"]
    list_select_related = ["competition", "team", "player"]
    search_fields = ["slug", "team__name", "player__display_name", "competition__name"]
    fields = ["slug", "name", "competition", "team", "player", "state", "reason", "seed", "queued_at", "final_rank"]

    def view_on_site(self, obj: Entry) -> str:
        return reverse("competitions:entry", args=[obj.slug])


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = [
        "slug", linked("competition", _("competition")), "round_number", "number", "label", "state", "starts_at",
        "table_no", linked("table", pgettext_lazy("of a match", "table")),
    ]  # fmt: skip
    list_filter = ["state", "label", "starts_at"]
    list_select_related = ["competition", "round", "table"]
    search_fields = ["slug", "competition__name", "side_rows__entry__team__name"]
    fields = [
        *("slug", "competition", "number", "label", "state", "best_of", "mode", "starts_at", "decided_at"),
        *("table_no", "room", "table", "on_board"),
    ]

    @admin.display(description=_("round"), ordering="round__number")
    def round_number(self, match: Match) -> int:
        return match.round.number

    def view_on_site(self, obj: Match) -> str:
        return reverse("competitions:match", args=[obj.slug])


@admin.register(CompetitionRole)
class CompetitionRoleAdmin(ReadOnly):
    list_display = [
        "name", linked("player", _("player")), linked("competition", _("competition")), "since", "until", "outsider",
        linked("given_by", _("given by")),
    ]  # fmt: skip
    list_filter = ["name", "outsider", ("until", admin.EmptyFieldListFilter)]
    list_select_related = ["player", "competition", "given_by"]
    search_fields = ["player__display_name", "competition__name"]
    fields = ["name", "player", "competition", "since", "until", "given_by", "outsider", "reason"]
    actions = ["end"]

    def has_manage_permission(self, request: HttpRequest) -> bool:
        return can(player_of(request), "login.manage")

    @admin.action(description=_("End the chosen roles"), permissions=["manage"])
    @asks_first
    def end(self, request: HttpRequest, held: QuerySet[CompetitionRole]) -> None:
        self.each(request, held, lambda role: roles.end(by=player_of(request), role=role))
