"""Further languages: which pages have them, how a visitor requests, keeps and leaves one (decision 10)."""

import re

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import translation

from tock_league.accounts.services import create_player, create_user
from tock_league.pages.languages import COOKIE

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
PRACTICE = "/practice/"
ENGLISH = {"accept-language": "en"}


def spoken(page) -> str:
    """Return the language that a page declares, and check that its header declares the same."""
    found = re.search(r'<html lang="([^"]+)"', page.content.decode())
    assert found
    assert page.headers["Content-Language"] == found[1]
    return found[1]


@pytest.fixture
def table(client, db) -> str:
    """Give the address of a practice table that this client has opened."""
    answer = client.post(PRACTICE, {"rules": "shawinigan/1", "table": "4-2", "level": "novice"})
    assert answer.status_code == 302
    return answer.url


def test_practice_speaks_spanish_when_asked_and_remembers_it(client, db):
    assert spoken(client.get(PRACTICE, headers=ENGLISH)) == "en"
    page = client.get(PRACTICE + "?lang=es", headers=ENGLISH)
    assert spoken(page) == "es"
    assert "Elija su juego" in page.content.decode()
    cookie = page.cookies[COOKIE]
    assert (cookie.value, cookie["path"], cookie["samesite"], bool(cookie["httponly"])) == ("es", "/", "Lax", True)
    assert spoken(client.get(PRACTICE, headers=ENGLISH)) == "es"


def test_a_table_its_texts_and_its_replay_speak_spanish(client, table):
    page = client.get(table + "?lang=es")
    assert spoken(page) == "es"
    boot = page.context["boot"]
    assert boot["lang"] == "es"
    assert f'{reverse("jsi18n")}?lang=es"' in page.content.decode()
    # The table's links to the replay and the rules keep the language without asking for it again.
    assert spoken(client.get(boot["replay_url"])) == "es"
    rules = client.get(boot["rules_page"])
    assert spoken(rules) == "es"
    assert "En resumen" in rules.content.decode()


def test_the_scripts_texts_are_those_of_the_page_and_not_of_the_cookie(client, db):
    spanish = client.get(reverse("jsi18n") + "?lang=es").content.decode()
    assert "Su turno" in spanish
    client.cookies[COOKIE] = "es"
    assert "Su turno" not in client.get(reverse("jsi18n"), headers=ENGLISH).content.decode()
    assert "Su turno" not in client.get(reverse("jsi18n") + "?lang=fr", headers=ENGLISH).content.decode()


def test_the_rest_of_the_site_stays_in_its_own_languages(client, db):
    client.get(PRACTICE + "?lang=es")
    for address in ("/", "/tonight/", reverse("competitions:list"), reverse("account_login")):
        assert spoken(client.get(address, headers=ENGLISH)) == "en"
        assert spoken(client.get(address + "?lang=es", headers=ENGLISH)) == "en"


def test_rules_are_read_in_spanish_without_choosing_it_for_the_tables(client, db):
    page = client.get(reverse("pages:rules", args=["tractor"]) + "?lang=es", headers=ENGLISH)
    assert spoken(page) == "es"
    assert COOKIE not in page.cookies
    assert 'href="/practice/?rules=tractor%2F1&amp;lang=es"' in page.content.decode()
    assert spoken(client.get(PRACTICE, headers=ENGLISH)) == "en"


def test_rules_in_a_language_of_the_site_lead_to_practice_in_it(client, db):
    page = client.get(reverse("pages:rules", args=["toc"]), headers=ENGLISH)
    assert 'href="/practice/?rules=toc%2F1"' in page.content.decode()


@pytest.mark.parametrize("wanted", ["de", "es-mx", "ES", "", "../../etc", "fr", "en", "e" * 5000])
def test_any_other_language_asked_for_is_the_sites_own_and_forgets_spanish(client, db, wanted):
    client.get(PRACTICE + "?lang=es")
    page = client.get(PRACTICE, {"lang": wanted}, headers=ENGLISH)
    assert spoken(page) == "en"
    assert page.cookies[COOKIE].value == ""
    assert spoken(client.get(PRACTICE, headers=ENGLISH)) == "en"


def test_a_forged_cookie_changes_nothing(client, db):
    client.cookies[COOKIE] = "../../etc/passwd"
    assert spoken(client.get(PRACTICE, headers=ENGLISH)) == "en"


def test_choosing_the_sites_language_forgets_spanish(client, db):
    page = client.get(PRACTICE + "?rules=toc%2F1&lang=es")
    # The link back drops the requested language and keeps the other parameters.
    assert 'name="next" value="/practice/?rules=toc%2F1"' in page.content.decode()
    client.post(reverse("set_language"), {"language": "en", "next": "/practice/?rules=toc%2F1"})
    assert spoken(client.get(PRACTICE)) == "en"


def test_a_page_offers_spanish_and_the_way_back(client, table):
    assert 'href="?lang=es"' in client.get(PRACTICE).content.decode()
    assert 'href="?lang=es"' in client.get(table).content.decode()
    assert f'href="?lang={settings.LANGUAGE_CODE}"' in client.get(table + "?lang=es").content.decode()
    assert 'href="?lang=es"' not in client.get("/").content.decode()


def test_refusals_of_practice_are_in_spanish(client, db):
    client.get(PRACTICE + "?lang=es")
    page = client.post(PRACTICE, {"rules": "hearts/1", "table": "4-2", "level": "novice"})
    assert page.status_code == 422
    assert spoken(page) == "es"
    assert "No existe" in page.content.decode()
    missing = client.get(reverse("games:table", args=["nowhere"]), headers={"accept": "text/html"})
    assert (missing.status_code, spoken(missing)) == (404, "es")


def test_a_player_whose_language_is_english_asks_for_spanish_at_the_table_alone(client, seated):
    client.force_login(seated, backend=BACKEND)
    assert spoken(client.get(PRACTICE)) == "en"
    assert spoken(client.get(PRACTICE + "?lang=es")) == "es"
    assert spoken(client.get("/")) == "en"


@pytest.fixture
def seated(db):
    """Give the login of a player who reads English."""
    login = create_user(email="rejean@example.org", password="x")
    return create_player(display_name="Réjean Lampron", user=login, language="en").user


def test_the_language_of_a_page_does_not_outlive_its_request(client, db):
    with translation.override("fr-ca"):
        client.get(PRACTICE + "?lang=es")
        assert translation.get_language() == "fr-ca"
