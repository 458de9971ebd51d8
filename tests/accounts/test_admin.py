"""The admin shows no secret, writes through services that keep the journal, and asks for a fresh sign-in first."""

import json

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.accounts.signing import PASSWORD, a_boss, a_player, set_up_factor, sign_in
from tock_league.accounts import permissions
from tock_league.accounts.models import Player, Role, User
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_user, give_role
from tock_league.accounts.staff import ReadOnly
from tock_league.journal.models import JournalEntry

pytestmark = pytest.mark.django_db

# Every model that the admin shows: the fields that it shows, and those that it writes. A new model or field is added
# here by hand, after one has asked who may know it.
SHOWN = {
    "accounts.User": ("email is_active is_staff is_superuser last_login date_joined", ""),
    "accounts.Player": ("display_name slug language time_zone user bot", "display_name"),
    "accounts.Merge": ("former kept at by separated_at separated_by", ""),
    "accounts.Role": ("player name", "player name"),
    "arbitration.Case": ("number competition match state filed_at", ""),
    "clubs.Club": ("name town slug about has_talk", ""),
    "clubs.ClubRole": ("name player club since until given_by", ""),
    "clubs.Team": ("name slug club size drawn dissolved_at", ""),
    "clubs.TeamInvitation": ("team slot player state sent_by sent_at expires_at answered_by answered_at", ""),
    "common.OutboxRow": ("task due_at done_at attempts created_at", ""),
    "competitions.Competition": (
        "name slug kind state club division rules seats size seeding on_paper keeps_tables by_agreement starts_at"
        " entries_close_at check_in_from check_in_until is_rehearsal bots_allowed reason",
        "",
    ),
    "competitions.CompetitionRole": ("name player competition since until given_by outsider reason", ""),
    "competitions.Entry": ("slug name competition team player state reason seed queued_at final_rank", ""),
    "competitions.Match": (
        "slug competition number label state best_of mode starts_at decided_at table_no room table on_board",
        "",
    ),
    "competitions.Season": ("name slug club starts_on ends_on", ""),
    "imports.ImportedEvent": (
        "name slug club rules seats held_at teams matches imported_by imported_at",
        "",
    ),
    "journal.JournalStream": ("name length hash", ""),
    "oauth.Application": ("name client_id owner website description redirects kind made_at suspended_at", ""),
    "notices.Bounce": ("email user at code", ""),
    "games.Table": (
        "slug name rules seats teams team_names kind state rated touch bots_allowed release best_of clocks referee_wait_s"
        " opens_at starts_at",
        "",
    ),
    "games.Seating": ("table seat player bot", ""),
    "games.Game": ("slug table number rules state ranks reason rated unrated_reason started_at finished_at", ""),
    "upkeep.Drill": ("done_at ok seconds events note", ""),
}


@pytest.fixture
def boss(client):
    """Give the player of an administrator who has just signed in."""
    player = a_boss()
    sign_in(client, player.user)
    return player


def written():
    """Return the last entry of the journal, as its kind, actor and subject."""
    body = json.loads(bytes(JournalEntry.objects.latest("pk").body))
    return body["kind"], body["actor"], body.get("player")


def change(client, model, pk, **form):
    return client.post(reverse(f"admin:{model}_change", args=[pk]), form)


def act(client, model, action, *rows):
    form = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(reverse(f"admin:{model}_changelist"), form, follow=True)


def test_the_admin_shows_these_models_with_these_fields_and_nothing_else(rf, boss):
    request = rf.get("/")
    request.user = boss.user
    found = {}
    for model, page in admin.site._registry.items():
        assert isinstance(page, ReadOnly)
        shown = page.get_fields(request)
        writes = page.has_add_permission(request) or page.has_change_permission(request)
        fields = set(shown) - set(page.get_readonly_fields(request)) if writes else set()
        found[model._meta.label] = (" ".join(shown), " ".join(sorted(fields, reverse=True)))
        assert not page.has_delete_permission(request)
        assert not page.inlines
    assert found == SHOWN


@pytest.mark.parametrize(
    "path", ["mfa/authenticator/", "usersessions/usersession/", "account/emailaddress/", "auth/group/"]
)
def test_models_of_libraries_have_no_page(client, boss, path):
    assert client.get(f"/staff/admin/{path}").status_code == 404


def test_an_administrator_by_role_reads_every_page_once_let_in_and_others_read_none():
    pages = ["accounts/user/", "accounts/player/", "upkeep/drill/", "games/game/"]
    for name, wanted in (("administrator", 200), ("organiser", 403)):
        player = a_player(f"Chantal {name}", f"{name}@example.org")
        User.objects.filter(pk=player.user.pk).update(is_staff=True)
        give_role(player=player, name=name, by=SITE)
        let_in = Client()
        sign_in(let_in, player.user)
        welcome = let_in.get("/staff/admin/").content.decode()
        assert (player.display_name in welcome, player.user.username in welcome) == (True, False)
        assert [let_in.get(f"/staff/admin/{page}").status_code for page in pages] == [wanted] * len(pages)


def test_a_player_is_not_moved_to_another_login(client, boss):
    victim, free = a_player("Océane Trudel", "oceane@example.org"), create_user(email="free@example.org")
    change(client, "accounts_player", victim.pk, display_name="Océane T.", user=free.pk, language="en")
    victim.refresh_from_db()
    assert (victim.user.email, victim.language, victim.display_name) == ("oceane@example.org", "fr", "Océane T.")
    assert written() == ("player.renamed", f"player:{boss.slug}", f"player:{victim.slug}")


def test_staff_rights_and_addresses_are_not_changed_by_the_form_of_a_login(client, boss):
    user = a_player("Océane Trudel", "oceane@example.org").user
    form = {"email": "x@example.org", "is_active": "on", "is_staff": "on", "is_superuser": "on", "password": "x"}
    assert change(client, "accounts_user", user.pk, **form).status_code == 403
    user.refresh_from_db()
    assert (user.email, user.is_staff, user.is_superuser) == ("oceane@example.org", False, False)
    assert client.post(reverse("admin:accounts_user_add"), form).status_code == 403


def test_what_is_done_to_a_login_is_in_the_journal(client, boss):
    player = a_player("Océane Trudel", "oceane@example.org")
    for action, kind in [
        ("let_in", "login.let_in"),
        ("shut_out", "login.shut_out"),
        ("deactivate", "login.deactivated"),
        ("activate", "login.activated"),
    ]:
        act(client, "accounts_user", action, player.user)
        assert written() == (kind, f"player:{boss.slug}", f"player:{player.slug}")
        before = JournalEntry.objects.count()
        act(client, "accounts_user", action, player.user)
        assert JournalEntry.objects.count() == before  # a repetition changes nothing


def test_lost_factors_are_removed_by_another_administrator_and_sessions_end(client, boss):
    player = a_player("Océane Trudel", "oceane@example.org")
    secret = set_up_factor(player.user)
    there = Client()
    sign_in(there, player.user, secret=secret)
    act(client, "accounts_user", "remove_factors", player.user)
    assert written() == ("login.factors_removed", f"player:{boss.slug}", f"player:{player.slug}")
    assert there.get(reverse("accounts:profile")).status_code == 302
    assert not permissions.has_factor(player.user)
    sign_in(Client(), player.user)


def test_administrators_do_not_shut_out_themselves(client, boss):
    set_up_factor(boss.user)
    for action in ("deactivate", "shut_out", "remove_factors"):
        act(client, "accounts_user", action, boss.user)
    assert permissions.has_factor(boss.user)
    boss.user.refresh_from_db()
    assert boss.user.is_active
    assert boss.user.is_staff


def test_an_administrator_gives_and_ends_roles_in_the_own_name(client, boss):
    player = a_player("Gaston Pronovost", "gaston@example.org")
    form = {"player": player.pk, "name": "organiser"}
    assert client.post(reverse("admin:accounts_role_add"), form).status_code == 302
    assert written() == ("role.given", f"player:{boss.slug}", f"player:{player.slug}")
    role = Role.objects.get(player=player)
    assert role.given_by == boss
    assert permissions.can(player, "season.create")
    assert client.post(reverse("admin:accounts_role_delete", args=[role.pk])).status_code == 403
    act(client, "accounts_role", "end", role)
    assert not permissions.can(player, "season.create")
    assert written() == ("role.ended", f"player:{boss.slug}", f"player:{player.slug}")


def test_a_superuser_without_a_player_reads_and_does_not_write(client):
    user = a_boss().user
    Player.objects.filter(user=user).update(user=None)
    other = a_player("Gaston Pronovost", "gaston@example.org")
    sign_in(client, user)
    assert client.get(reverse("admin:accounts_user_changelist")).status_code == 200
    assert client.post(reverse("admin:accounts_role_add"), {"player": other.pk, "name": "organiser"}).status_code == 403
    act(client, "accounts_user", "deactivate", other.user)
    other.user.refresh_from_db()
    assert other.user.is_active
    assert not Role.objects.exists()


def test_a_write_asks_for_the_password_again_and_then_goes_on(client, boss, settings):
    other = a_player("Gaston Pronovost", "gaston@example.org")
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= settings.ACCOUNT_REAUTHENTICATION_TIMEOUT + 60
    session.save()
    asked = client.post(reverse("admin:accounts_role_add"), {"player": other.pk, "name": "organiser"})
    assert asked.status_code == 302
    assert asked.url.startswith(reverse("account_reauthenticate"))
    assert not Role.objects.exists()
    assert client.get(reverse("admin:accounts_role_changelist")).status_code == 200  # reading does not ask
    page = reverse("admin:accounts_role_add")
    done = client.post(reverse("account_reauthenticate"), {"password": PASSWORD, "next": page})
    assert done.url == reverse("admin:accounts_role_changelist")
    assert Role.objects.get().given_by == boss
