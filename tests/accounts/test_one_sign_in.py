"""The admin has no sign-in of its own: everybody signs in at the site's page, with the second factor."""

from urllib.parse import unquote

import pytest
from django.urls import reverse

from tests.accounts.signing import PASSWORD, a_boss, code, set_up_factor
from tock_league.accounts.models import User
from tock_league.urls import admin_pages

pytestmark = pytest.mark.django_db
ADMIN = "/staff/admin/"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@pytest.fixture
def boss():
    """Give an administrator's login; a player belongs to it."""
    return a_boss().user


@pytest.mark.parametrize("path", [ADMIN, f"{ADMIN}login/", f"{ADMIN}accounts/user/"])
def test_a_password_alone_opens_no_page_of_the_admin_to_a_login_with_a_signing(client, boss, path):
    set_up_factor(boss)
    form = {"username": "chef@example.org", "login": "chef@example.org", "password": PASSWORD, "next": ADMIN}
    client.post(path, form)
    client.post(f"{ADMIN}login/", form)
    assert not client.get("/").wsgi_request.user.is_authenticated
    answer = client.get(path)
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login") + "?next=")


def test_the_admin_sends_visitors_to_the_sites_sign_in_and_the_code_opens_it(client, boss):
    secret = set_up_factor(boss)
    asked = client.get(ADMIN)
    assert unquote(asked.url) == f"{reverse('account_login')}?next={ADMIN}"
    first = client.post(asked.url, {"login": "chef@example.org", "password": PASSWORD, "next": ADMIN})
    assert first.url == reverse("mfa_authenticate")
    assert client.get(ADMIN).status_code == 302  # the password alone has opened nothing
    second = client.post(first.url, {"code": code(secret)})
    assert second.url == ADMIN
    assert client.get(ADMIN).status_code == 200


def test_a_signed_in_person_without_the_staff_flag_is_refused_by_the_admin(client, boss):
    User.objects.filter(pk=boss.pk).update(is_staff=False)
    client.force_login(boss, backend=BACKEND)
    for path in (ADMIN, f"{ADMIN}login/"):
        assert client.get(path).status_code == 403


def test_the_admin_signs_out_and_changes_passwords_on_the_sites_pages(client, boss):
    client.force_login(boss, backend=BACKEND)
    assert client.get(f"{ADMIN}password_change/").url == reverse("account_change_password")
    assert client.post(f"{ADMIN}logout/").url == reverse("account_logout")


def test_the_admin_exists_only_where_the_setting_says(settings):
    assert admin_pages("") == admin_pages(" / ") == []
    (pages,) = admin_pages("/desk-58c1")
    assert str(pages.pattern) == "desk-58c1/"
