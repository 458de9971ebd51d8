"""Signing up, in and out, and resetting a password, through the pages."""

import re

import pytest
from django.urls import reverse

from tock_league.accounts.models import Player, User
from tock_league.accounts.services import create_player, create_user

from .letters import delivered

pytestmark = pytest.mark.django_db
PASSWORD = "le tock du mercredi soir"


@pytest.fixture
def martine():
    return create_player(
        display_name="Martine Gélinas", user=create_user(email="martine@example.org", password=PASSWORD)
    )


def sign_up(client, **changed):
    form = {"display_name": "Océane Trudel", "email": "oceane@example.org", "birth_year": 1984, "language": "fr"}
    form["password1"] = PASSWORD
    return client.post(reverse("account_signup"), {**form, **changed})


@pytest.mark.both_databases
def test_signing_up_makes_a_login_and_a_player_and_signs_in(client):
    answer = sign_up(client, language="en")
    assert answer.status_code == 302
    user = User.objects.get(email="oceane@example.org")
    assert (user.player.display_name, user.player.language) == ("Océane Trudel", "en")
    assert user.player.time_zone == "America/Toronto"
    page = client.get(reverse("accounts:profile"))
    assert page.status_code == 200
    assert page.wsgi_request.user == user


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"password1": "onze-signes"}, "password1"),
        ({"password1": "password1234"}, "password1"),
        ({"password1": "oceane@example.org"}, "password1"),
        ({"password1": ""}, "password1"),
        ({"display_name": "O"}, "display_name"),
        ({"display_name": "x" * 41}, "display_name"),
        ({"display_name": "Océane\u202eledurT"}, "display_name"),
        ({"email": "oceane"}, "email"),
        ({"birth_year": ""}, "birth_year"),
        ({"birth_year": "84"}, "birth_year"),
        ({"birth_year": "2100"}, "birth_year"),
        ({"language": "xx"}, "language"),
    ],
    ids=[
        "eleven signs",
        "common",
        "like the address",
        "none",
        "one letter",
        "too long",
        "reversed text",
        "no address",
        "no year",
        "a year of two digits",
        "a year to come",
        "no language",
    ],
)
def test_a_bad_sign_up_names_the_field_and_writes_nothing(client, changed, field):
    answer = sign_up(client, **changed)
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [field]
    assert f'href="#id_{field}"' in answer.content.decode()
    assert not User.objects.exists()
    assert not Player.objects.exists()


def test_a_password_of_twelve_characters_is_accepted(client):
    assert sign_up(client, password1="douze-signes").status_code == 302


@pytest.mark.both_databases
def test_an_address_has_one_account_in_every_spelling(client, martine):
    sign_up(client, email="Martine@Example.org")
    assert User.objects.count() == 1
    assert Player.objects.count() == 1


def test_signing_in_and_out(client, martine):
    refused = client.post(reverse("account_login"), {"login": "martine@example.org", "password": "le mauvais mot"})
    assert refused.status_code == 200
    assert refused.context["form"].non_field_errors()
    welcome = client.post(reverse("account_login"), {"login": "MARTINE@example.org", "password": PASSWORD})
    assert welcome.status_code == 302
    assert client.get("/").wsgi_request.user.is_authenticated
    assert client.get(reverse("account_logout")).status_code == 200  # asks for confirmation first
    assert client.get("/").wsgi_request.user.is_authenticated
    client.post(reverse("account_logout"))
    assert not client.get("/").wsgi_request.user.is_authenticated


def test_a_known_and_an_unknown_address_get_the_same_refusal(client, martine):
    texts = []
    for address in ("martine@example.org", "nobody@example.org"):
        answer = client.post(reverse("account_login"), {"login": address, "password": "le mauvais mot"})
        texts.append(str(answer.context["form"].non_field_errors()))
    assert texts[0] == texts[1]


def test_a_forgotten_password_is_set_anew_by_mail(client, martine):
    assert client.post(reverse("account_reset_password"), {"email": "martine@example.org"}).status_code == 302
    assert client.get(reverse("account_reset_password_done")).status_code == 200
    (letter,) = delivered()
    assert letter.to == ["martine@example.org"]
    link = re.search(r"https?://[^/]+(/accounts/password/reset/key/\S+)", letter.body)[1]
    page = client.get(link, follow=True)
    action = page.request["PATH_INFO"]
    new = "une autre phrase de passe"
    too_short = client.post(action, {"password1": "court", "password2": "court"})
    assert "password1" in too_short.context["form"].errors
    assert client.post(action, {"password1": new, "password2": new}).status_code == 302
    assert User.objects.get().check_password(new)
    assert client.get(reverse("account_reset_password_from_key_done")).status_code == 200
    again = client.get(link, follow=True)
    assert again.context["token_fail"]


def test_the_letter_about_a_password_is_in_the_language_of_the_account(client, martine):
    martine.language = "en"
    martine.save()
    client.post(reverse("account_reset_password"), {"email": "martine@example.org"}, headers={"accept-language": "fr"})
    (letter,) = delivered()
    assert "Password" in letter.subject


def test_pages_for_members_send_visitors_to_sign_in_and_back(client):
    answer = client.get(reverse("accounts:profile"))
    assert answer.status_code == 302
    assert answer.url == "/accounts/login/?next=/profile/"


@pytest.mark.parametrize(
    "name",
    [
        "account_login",
        "account_signup",
        "account_reset_password",
        "account_change_password",
        "account_email",
        "mfa_index",
    ],
)
def test_every_account_page_uses_the_sites_layout(client, martine, name):
    if name not in ("account_login", "account_signup", "account_reset_password"):
        client.force_login(martine.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = client.get(reverse(name)).content.decode()
    assert 'class="skip"' in page
    assert "look/site.css" in page
    assert "<style" not in page
    assert " onclick" not in page


@pytest.mark.both_databases
def test_after_five_wrong_passwords_the_account_is_locked_and_a_page_says_so(client, martine):
    wrong = {"login": "martine@example.org", "password": "le mauvais mot"}
    statuses = [client.post(reverse("account_login"), wrong).status_code for _attempt in range(5)]
    assert statuses == [200, 200, 200, 200, 429]
    locked = client.post(reverse("account_login"), {**wrong, "password": PASSWORD})
    assert locked.status_code == 429
    assert 'class="skip"' in locked.content.decode()
    assert not client.get("/").wsgi_request.user.is_authenticated


def test_wrong_passwords_for_one_address_do_not_lock_others_behind_the_same_router(client, martine):
    wrong = {"login": "rejean@example.org", "password": "le mauvais mot"}
    assert [client.post(reverse("account_login"), wrong).status_code for _attempt in range(6)][-1] == 429
    answer = client.post(reverse("account_login"), {"login": "Martine@Example.org", "password": PASSWORD})
    assert answer.status_code == 302
    assert client.get("/").wsgi_request.user == martine.user
