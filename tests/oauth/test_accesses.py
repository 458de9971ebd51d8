"""What a person sees of the applications with access, and what ends it."""

import pytest
from allauth.account.signals import password_changed
from django.urls import reverse

from tests.accounts.signing import a_player
from tests.api.calling import code
from tock_league.accounts import services as accounts
from tock_league.accounts import tokens
from tock_league.accounts.models import Player, Token, User
from tock_league.accounts.permissions import SITE
from tock_league.common import clock
from tock_league.notices.models import Notice
from tock_league.oauth import services
from tock_league.oauth.models import Access, Code, Issued, Refresh
from tock_league.people import erasure, export, parts

from .world import Program, a_browser, an_application, answered, me, press, two_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> tuple[Player, Player]:
    return two_people()


@pytest.fixture
def player(people) -> Player:
    return people[1]


@pytest.fixture
def program(people) -> Program:
    return Program(an_application(people[0]))


def test_the_page_lists_applications_with_access_and_ends_them(program, player) -> None:
    given = program.connect(player)
    me(given["access_token"])
    browser, page = a_browser(player), reverse("oauth:accesses")
    assert page in browser.get(reverse("accounts:profile")).content.decode()
    shown = browser.get(page).content.decode()
    assert "Quilles" in shown
    assert "last used" in shown
    access = Access.objects.get()
    other = a_browser(a_player("Yvon Bellemare", "yvon@example.org"))
    assert "Quilles" not in other.get(page).content.decode()
    assert other.post(reverse("oauth:end", args=[access.pk])).status_code == 404
    assert me(given["access_token"]).status_code == 200
    browser.post(reverse("oauth:end", args=[access.pk]))
    assert code(me(given["access_token"])) == "token_revoked"
    assert program.refresh().json()["error"] == "invalid_grant"
    assert "Quilles" not in browser.get(page).content.decode().split("messages")[-1].split("</h1>")[-1]


def test_tokens_of_applications_are_not_among_the_personal_ones(program, player) -> None:
    program.connect(player)
    token = Token.objects.get()
    assert "Quilles" not in a_browser(player).get(reverse("accounts:tokens")).content.decode()
    assert not tokens.of(player.user)
    assert a_browser(player).post(reverse("accounts:revoke_token", args=[token.pk])).status_code == 404
    for _number in range(tokens.MOST):
        tokens.make(by=player.user, name="Programme", scopes=["read"], days=1)


def test_the_person_is_told_of_a_new_access_and_of_one_that_grows(program, player) -> None:
    program.connect(player, "read")
    program.connect(player, "read")
    [notice] = Notice.objects.filter(player=player)
    assert (notice.kind, notice.mail) == ("application_access", "waiting")
    assert notice.data == {"application": program.application.client_id}
    program.connect(player, "read play")
    assert Notice.objects.filter(player=player).count() == 2
    services.end_own(by=player.user, pk=Access.objects.get().pk)
    program.connect(player, "read")
    assert Notice.objects.filter(player=player).count() == 3
    shown = a_browser(player).get(reverse("notices:list")).content.decode()
    assert "Access for Quilles" in shown


def test_the_page_says_that_it_was_permitted_before_and_what_is_new(program, player) -> None:
    browser = a_browser(player)
    first = browser.get(program.address("read"), secure=True).content.decode()
    assert "You have let it act" not in first
    program.connect(player, "read")
    again = browser.get(program.address("read play"), secure=True).content.decode()
    assert "You have let it act" in again
    assert again.count(">new<") == 1
    assert browser.get(program.address("read"), secure=True).content.decode().count(">new<") == 0


def test_the_page_warns_where_the_answer_goes_elsewhere(people, player) -> None:
    made = an_application(
        people[0], redirects_to=["https://ailleurs.example.net/retour", "http://127.0.0.1/"], kind="public"
    )
    browser = a_browser(player)
    elsewhere = Program(made, redirect="https://ailleurs.example.net/retour")
    assert "another address than the website" in browser.get(elsewhere.address(), secure=True).content.decode()
    here = Program(made, redirect="http://127.0.0.1:5000/")
    assert "a program on this computer" in browser.get(here.address(), secure=True).content.decode()


def test_a_new_password_and_the_staff_end_what_applications_may_do(program, player) -> None:
    first = dict(program.connect(player))
    password_changed.send(sender=User, request=None, user=player.user)
    assert code(me(first["access_token"])) == "token_revoked"
    assert program.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    second = dict(program.connect(player))
    accounts.revoke_tokens(by=SITE, user=player.user)
    assert code(me(second["access_token"])) == "token_revoked"
    assert program.refresh(second["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_new_password_of_the_owner_leaves_what_others_permitted(program, people, player) -> None:
    given = program.connect(player)
    password_changed.send(sender=User, request=None, user=people[0].user)
    assert me(given["access_token"]).status_code == 200


def test_codes_and_tokens_are_purged_in_their_time(program, player) -> None:
    with clock.frozen(clock.now()) as hand:
        program.connect(player)
        hand.advance(seconds=3600 + 86400 + 60)
        services.forget()
        assert not Code.objects.exists()
        assert not Issued.objects.exists()
        assert not Token.objects.exists()
        assert program.refresh().status_code == 200
        hand.advance(days=92)
        services.forget()
        assert not Refresh.objects.exists()
        assert Access.objects.exists(), "the person still sees what was"
        hand.advance(days=30)
        services.forget()
        assert not Access.objects.exists()


def test_export_and_erasure(program, people, player) -> None:
    given = program.connect(player)
    [told] = export.data_of(parts.person_of(user=player.user))["accesses"]
    assert (told["application"], told["scopes"]) == ("Quilles", ["read", "play"])
    mine = export.data_of(parts.person_of(user=people[0].user))
    assert mine["applications"][0]["name"] == "Quilles"
    assert program.application.digest not in str(mine)
    erasure.erase(parts.person_of(user=player.user))
    assert not Access.objects.exists()
    assert code(me(given["access_token"])) == "token_unknown"
    assert answered(press(a_browser(people[0]), program.address(), people[0]))["code"]
