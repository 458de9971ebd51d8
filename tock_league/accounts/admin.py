"""The admin's pages of people. They write through services, in the name of the signed-in administrator's player.

A login without a player only reads here; it gets a player on its profile page. No page moves a player to another login.
"""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from . import seals, services
from .models import Merge, Player, Role, User
from .permissions import can
from .selectors import player_of
from .staff import ReadOnly, linked


def _manages(request: HttpRequest) -> bool:
    return can(player_of(request), "login.manage")


@admin.register(User)
class UserAdmin(ReadOnly):
    list_display = [
        "email", linked("player", _("player")), "is_active", "is_staff", "is_superuser", "second_factor", "last_login",
        "date_joined",
    ]  # fmt: skip
    list_filter = ["is_active", "is_staff", "is_superuser", "last_login"]
    list_select_related = ["player"]
    search_fields = ["email", "player__display_name", "player__slug"]
    search_help_text = _("Address, name or public address of a player")
    fields = ["email", "is_active", "is_staff", "is_superuser", "last_login", "date_joined"]
    actions = ["deactivate", "activate", "let_in", "shut_out", "remove_factors", "revoke_tokens"]

    def has_manage_permission(self, request: HttpRequest) -> bool:
        return _manages(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("authenticator_set")

    @admin.display(description=_("second factor"))
    def second_factor(self, user: User) -> str:
        """Return whether there is one, and whether its key was lost: then it takes no code, and has to be removed."""
        factors = user.authenticator_set.all()  # type: ignore[attr-defined]
        if any(seals.is_lost(each.data) for each in factors):
            return gettext("sealed with a lost key")
        return gettext("yes") if factors else gettext("no")

    @admin.action(description=_("Deactivate: may no longer sign in"), permissions=["manage"])
    def deactivate(self, request: HttpRequest, users: QuerySet[User]) -> None:
        self.each(request, users, lambda user: services.set_active(by=player_of(request), user=user, active=False))

    @admin.action(description=_("Activate: may sign in again"), permissions=["manage"])
    def activate(self, request: HttpRequest, users: QuerySet[User]) -> None:
        self.each(request, users, lambda user: services.set_active(by=player_of(request), user=user, active=True))

    @admin.action(description=_("Let into the admin"), permissions=["manage"])
    def let_in(self, request: HttpRequest, users: QuerySet[User]) -> None:
        self.each(request, users, lambda user: services.set_staff(by=player_of(request), user=user, staff=True))

    @admin.action(description=_("Shut out of the admin"), permissions=["manage"])
    def shut_out(self, request: HttpRequest, users: QuerySet[User]) -> None:
        self.each(request, users, lambda user: services.set_staff(by=player_of(request), user=user, staff=False))

    @admin.action(description=_("Remove the second factors, and sign out everywhere"), permissions=["manage"])
    def remove_factors(self, request: HttpRequest, users: QuerySet[User]) -> None:
        self.each(request, users, lambda user: services.remove_factors(by=player_of(request), user=user))

    @admin.action(description=_("Revoke all access tokens"), permissions=["manage"])
    def revoke_tokens(self, request: HttpRequest, users: QuerySet[User]) -> None:
        self.each(request, users, lambda user: services.revoke_tokens(by=player_of(request), user=user))


@admin.register(Player)
class PlayerAdmin(ReadOnly):
    list_display = ["display_name", "slug", "language", linked("user", _("login")), "bot", "created_at"]
    list_filter = ["language", ("user", admin.EmptyFieldListFilter), ("bot", admin.EmptyFieldListFilter)]
    list_select_related = ["user"]
    search_fields = ["display_name", "slug", "user__email"]
    search_help_text = _("Name, public address or e-mail address")
    fields = ["display_name", "slug", "language", "time_zone", "user", "bot"]
    readonly_fields = ["slug", "language", "time_zone", "user", "bot"]
    actions = ["ask_birth_year_again", "merge"]

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return _manages(request)

    def has_manage_permission(self, request: HttpRequest) -> bool:
        return _manages(request)

    @admin.action(description=_("Ask for the year of birth again"), permissions=["manage"])
    def ask_birth_year_again(self, request: HttpRequest, players: QuerySet[Player]) -> None:
        by = player_of(request)
        self.each(request, players, lambda player: services.ask_birth_year_again(by=by, player=player))

    @admin.action(description=_("Merge: the two chosen players are one person"), permissions=["manage"])
    def merge(self, request: HttpRequest, players: QuerySet[Player]) -> HttpResponse | None:
        """Lead to the page that shows what will happen, and asks."""
        chosen = list(players.order_by("pk")[:3])
        if len(chosen) != 2:
            self.message_user(request, gettext("Choose two players."), messages.ERROR)
            return None
        return redirect("accounts:merge", player=chosen[0].slug, other=chosen[1].slug)

    def view_on_site(self, obj: Player) -> str:
        return reverse("pages:player", args=[obj.slug])

    def save_model(self, request: HttpRequest, obj: Player, form: object, change: bool) -> None:
        services.rename_player(by=player_of(request), player=obj, display_name=obj.display_name)


@admin.register(Merge)
class MergeAdmin(ReadOnly):
    list_display = [
        "former",
        "kept",
        "at",
        linked("by", _("by")),
        "separated_at",
        linked("separated_by", _("separated by")),
    ]
    list_filter = [("separated_at", admin.EmptyFieldListFilter)]
    list_select_related = ["former", "kept", "by", "separated_by"]
    search_fields = ["former__display_name", "former__slug", "kept__display_name", "kept__slug"]
    fields = ["former", "kept", "at", "by", "separated_at", "separated_by"]
    actions = ["separate"]

    def has_manage_permission(self, request: HttpRequest) -> bool:
        return can(player_of(request), "player.merge")

    @admin.action(description=_("Separate: they are two people"), permissions=["manage"])
    def separate(self, request: HttpRequest, merges: QuerySet[Merge]) -> HttpResponse | None:
        """Lead to the page that shows what will happen, and asks."""
        chosen = list(merges[:2])
        if len(chosen) != 1:
            self.message_user(request, gettext("Choose one merge."), messages.ERROR)
            return None
        return redirect("accounts:separate", pk=chosen[0].pk)


@admin.register(Role)
class RoleAdmin(ReadOnly):
    list_display = ["name", linked("player", _("player")), "since", "until", linked("given_by", _("given by"))]
    list_filter = ["name", ("until", admin.EmptyFieldListFilter)]
    list_select_related = ["player", "given_by"]
    search_fields = ["player__display_name", "player__slug"]
    autocomplete_fields = ["player"]
    fields = ["player", "name"]
    actions = ["end"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return can(player_of(request), "role.give")

    def has_give_permission(self, request: HttpRequest) -> bool:
        return can(player_of(request), "role.give")

    def save_model(self, request: HttpRequest, obj: Role, form: object, change: bool) -> None:
        role = services.give_role(player=obj.player, name=obj.name, by=player_of(request))
        obj.pk = role.pk

    @admin.action(description=_("End the chosen roles"), permissions=["give"])
    def end(self, request: HttpRequest, roles: QuerySet[Role]) -> None:
        self.each(request, roles, lambda role: services.end_role(role=role, by=player_of(request)))
