"""A role that MFA_REQUIRED_ROLES names gives, without a second factor, exactly what an ended role gives: nothing."""

from functools import cache
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.signing import a_boss, set_up_factor, sign_in
from tests.competitions.world import FIRST_ROUND
from tock_league.accounts import permissions
from tock_league.accounts.apps import known_roles
from tock_league.accounts.models import Player, Role, User
from tock_league.accounts.permissions import ROLES, can, lacking_factor, offices_of
from tock_league.accounts.services import create_user
from tock_league.arbitration.models import PanelSeat
from tock_league.arbitration.selectors.referees.available import candidates
from tock_league.clubs.models import ClubRole
from tock_league.common import clock
from tock_league.competitions.models import CompetitionRole

from .expected import ROWS
from .things import THINGS
from .world import World, build

pytestmark = pytest.mark.django_db
HOLDERS = (
    *("officer", "club_organiser", "event_organiser", "organiser", "referee", "head_referee", "case_referee"),
    *("panel_member", "site_referee", "administrator", "superuser"),
)


@pytest.fixture
def world() -> World:
    with clock.frozen(FIRST_ROUND):
        world = build()
        for name in HOLDERS:
            player = Player.objects.get(pk=world.player(name).pk)
            if player.user is None:
                Player.objects.filter(pk=player.pk).update(user=create_user(email=f"{name}@example.org"))
            world.people[name] = Player.objects.select_related("user").get(pk=player.pk)
        return world


def allowed(world: World) -> set[tuple[str, str, str]]:
    """Return (action, thing, name) of what the holders may do, each thing in the first of its states.

    No thing makes an administrator, so each holder is asked about that once and not for every action.
    """
    found = set()
    asked_once = patch.object(permissions, "is_administrator", cache(permissions.is_administrator))
    with clock.frozen(FIRST_ROUND), asked_once:
        for row in (row for row in ROWS if row.thing != "captain's profile"):  # nobody's role
            if not row.who[row.states[0]].intersection(HOLDERS) and row.action != "role.give":
                continue  # only administrators may: one such action is enough
            thing = THINGS[row.thing](world, row.states[0])
            found |= {(row.action, row.thing, name) for name in HOLDERS if can(world.people[name], row.action, thing)}
    return found


def end_all_roles() -> None:
    for model in (Role, ClubRole, CompetitionRole):
        model.objects.filter(until__isnull=True).update(until=FIRST_ROUND)
    PanelSeat.objects.all().delete()
    User.objects.update(is_superuser=False)


def test_a_role_without_its_second_factor_gives_what_an_ended_role_gives(world: World, settings: Any) -> None:
    before = allowed(world)
    settings.MFA_REQUIRED_ROLES = list(ROLES)
    without = allowed(world)
    for name in HOLDERS:
        user = world.player(name).user
        assert user is not None
        set_up_factor(user)
    assert allowed(world) == before, "with the factor everything works as it did"
    end_all_roles()
    world.people |= {name: Player.objects.get(pk=world.player(name).pk) for name in HOLDERS}
    assert without == allowed(world)
    assert len(before - without) > 100


def test_each_name_of_the_setting_concerns_its_own_roles(world: World, settings: Any) -> None:
    asked = {
        "administrator": {"administrator", "superuser"},
        "organiser": {"club_organiser", "event_organiser", "organiser"},
        "head_referee": {"head_referee"},
        "club_officer": {"officer"},
        "panel": {"panel_member"},
    }
    for role, holders in asked.items():
        settings.MFA_REQUIRED_ROLES = [role]
        lacking = {name for name in HOLDERS if lacking_factor(world.player(name).user)}  # type: ignore[arg-type]
        assert lacking == holders, role
    settings.MFA_REQUIRED_ROLES = []
    assert not any(lacking_factor(world.player(name).user) for name in HOLDERS)  # type: ignore[arg-type]
    assert offices_of(world.player("officer").user) == {"club_officer"}  # type: ignore[arg-type]


def test_referees_without_the_second_factor_are_not_offered_for_cases(world: World, settings: Any) -> None:
    assert candidates(world.case)
    settings.MFA_REQUIRED_ROLES = ["referee", "head_referee"]
    assert candidates(world.case) == []
    user = world.player("site_referee").user
    assert user is not None
    set_up_factor(user)
    assert [person.pk for person in candidates(world.case)] == [world.player("site_referee").pk]


def test_a_role_that_does_not_exist_stops_the_start(settings: Any) -> None:
    settings.MFA_REQUIRED_ROLES = ["referee", "refree"]
    (error,) = known_roles()
    assert "'refree'" in error.msg
    assert "club_officer" in error.hint


class TestOnThePages:
    @pytest.fixture
    def boss(self, settings: Any) -> User:
        settings.MFA_REQUIRED_ROLES = list(ROLES)
        user = a_boss().user
        assert user is not None
        return user

    def test_sign_in_leads_to_the_page_that_sets_a_factor_up_and_names_the_role(
        self, client: Client, boss: User
    ) -> None:
        sign_in(client, boss)
        client.post(reverse("account_logout"))
        form = {"login": boss.email, "password": "le tock du mercredi soir", "next": "/clubs/"}
        answer = client.post(reverse("account_login"), form)
        assert answer["Location"] == reverse("accounts:protect") + "?next=%2Fclubs%2F"
        page = client.get(answer["Location"]).content.decode()
        assert "administrateur" in page or "administrator" in page
        assert 'href="/clubs/"' in page

    def test_a_refused_page_leads_there_too_and_works_once_the_factor_is_there(
        self, client: Client, boss: User
    ) -> None:
        sign_in(client, boss)
        for page in (reverse("pages:components"), "/staff/admin/", "/staff/admin/accounts/role/"):
            answer = client.get(page)
            assert answer.status_code == 302, page
            assert answer["Location"].startswith(reverse("accounts:protect")), page
        secret = set_up_factor(boss)
        client.post(reverse("account_logout"))
        sign_in(client, boss, secret=secret)
        for page in (reverse("pages:components"), "/staff/admin/", "/staff/admin/accounts/role/"):
            assert client.get(page).status_code == 200, page
        assert client.get(reverse("accounts:protect")).status_code == 302

    def test_programs_and_people_without_a_role_get_the_plain_refusal(self, client: Client, boss: User) -> None:
        sign_in(client, boss)
        page = reverse("pages:components")
        assert client.get(page, headers={"accept": "application/json"}).status_code == 403
        User.objects.filter(pk=boss.pk).update(is_staff=False, is_superuser=False)
        assert client.get(page).status_code == 403

    @pytest.mark.parametrize("onward", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
    def test_the_page_leads_on_only_within_the_site(self, client: Client, boss: User, onward: str) -> None:
        sign_in(client, boss)
        assert client.get(reverse("accounts:protect"), {"next": onward}).context["next"] == ""
        set_up_factor(boss)
        assert client.get(reverse("accounts:protect"), {"next": onward})["Location"] == reverse("mfa_index")
