"""The language of a page: kept in a player's account and on a visitor's browser, changed by the switch on every page
(decision 53)."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.accounts.services import choose_language, create_player, create_user
from tock_league.common.errors import NotAllowed, Refused

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
PRACTICE = "/practice/"
COOKIE = settings.LANGUAGE_COOKIE_NAME
ENGLISH = {"accept-language": "en"}
NEXT = re.compile(r'name="next"\s+value="([^"]*)"')


def spoken(page: Any) -> str:
    """Return the language that a page declares, and check that its header declares the same."""
    found = re.search(r'<html lang="([^"]+)"', page.content.decode())
    assert found
    assert page.headers["Content-Language"] == found[1]
    return found[1]


def choose(client: Client, language: str, back: str = "/") -> Any:
    return client.post(reverse("set_language"), {"language": language, "next": back})


@pytest.fixture
def rejean(client: Client) -> Player:
    """Give a signed-in player who reads English."""
    player = create_player(
        display_name="Réjean Lampron", user=create_user(email="rejean@example.org", password=None), language="en"
    )
    client.force_login(player.user, backend=BACKEND)  # type: ignore[arg-type]
    return player


@pytest.mark.parametrize(
    "address", ["/", "/tonight/", PRACTICE, "/accounts/login/", "/privacy/", "/competitions/", "/nowhere/"]
)
def test_every_page_speaks_the_language_that_a_visitor_has_chosen(client: Client, address: str) -> None:
    assert spoken(client.get(address, headers=ENGLISH)) == "en"
    assert spoken(client.get(address, headers={"accept-language": "es-MX,es;q=0.9"})) == "es"
    answer = choose(client, "es", address)
    assert (answer.status_code, answer.url) == (302, address)
    cookie = answer.cookies[COOKIE]
    assert (cookie.value, cookie["path"], cookie["samesite"]) == ("es", "/", "Lax")
    assert spoken(client.get(address, headers=ENGLISH)) == "es"


def test_a_player_s_language_is_kept_in_the_account_and_goes_to_every_browser(client: Client, rejean: Player) -> None:
    assert spoken(client.get("/")) == "en"
    choose(client, "es")
    rejean.refresh_from_db()
    assert rejean.language == "es"
    assert spoken(client.get("/")) == "es"
    other = Client(headers={"accept-language": "fr"})
    other.force_login(rejean.user, backend=BACKEND)  # type: ignore[arg-type]
    assert spoken(other.get("/")) == "es"
    # The cookie of somebody else on a shared computer does not count.
    other.cookies[COOKIE] = "fr-ca"
    assert spoken(other.get("/")) == "es"


def test_the_switch_keeps_the_page_and_its_query(client: Client) -> None:
    page = client.get("/practice/?rules=toc%2F1&lang=es").content.decode()
    assert set(NEXT.findall(page)) == {"/practice/?rules=toc%2F1"}
    assert re.findall(r'<button\s+name="language"\s+value="([^"]+)"', page) == ["fr-ca", "en"] * 2


def test_the_switch_on_the_answer_to_a_form_leads_back_to_the_form(client: Client) -> None:
    here = f"http://testserver{PRACTICE}?rules=toc%2F1"
    page = client.post(PRACTICE, {"rules": "hearts/1"}, headers={"referer": here, "accept-language": "es"})
    assert (page.status_code, spoken(page)) == (422, "es")
    assert "No existe" in page.content.decode()
    assert set(NEXT.findall(page.content.decode())) == {here}
    assert choose(client, "en", here).url == here


@pytest.mark.parametrize("wanted", ["de", "es-mx", "ES", "", "../../etc", "fr_CA", "e" * 5000, "\x00"])
def test_a_language_that_the_site_does_not_have_changes_nothing(client: Client, rejean: Player, wanted: str) -> None:
    answer = choose(client, wanted)
    assert answer.status_code == 302
    assert COOKIE not in answer.cookies
    rejean.refresh_from_db()
    assert rejean.language == "en"
    assert spoken(client.get("/", {"lang": wanted})) == "en"
    assert spoken(Client().get("/", {"lang": wanted}, headers=ENGLISH)) == "en"


def test_the_switch_leads_to_no_other_site_and_answers_no_link(client: Client) -> None:
    assert choose(client, "es", "https://evil.example/").url == "/"
    assert client.get(reverse("set_language")).status_code == 405
    forged = Client(enforce_csrf_checks=True)
    assert choose(forged, "es").status_code == 403


def test_a_forged_cookie_changes_nothing(client: Client) -> None:
    client.cookies[COOKIE] = "../../etc/passwd"
    assert spoken(client.get("/", headers=ENGLISH)) == "en"


def test_only_the_own_language_is_chosen_and_only_one_that_the_site_has(rejean: Player) -> None:
    with pytest.raises(NotAllowed):
        choose_language(by=create_player(display_name="Odile Caron"), player=rejean, language="es")
    with pytest.raises(Refused) as error:
        choose_language(by=rejean, player=rejean, language="de")
    assert error.value.field == "language"


def test_a_link_shows_one_page_in_a_language_and_keeps_nothing(client: Client, rejean: Player) -> None:
    for visitor in (client, Client(headers=ENGLISH)):
        page = visitor.get(reverse("pages:rules", args=["tractor"]) + "?lang=es")
        assert spoken(page) == "es"
        assert '<article class="rules" lang="es">' in page.content.decode()
        assert page.cookies.get(COOKIE) is None
        assert spoken(visitor.get("/")) == "en"
    assert spoken(client.get("/?lang=fr")) == spoken(client.get("/?lang=fr-ca")) == "fr-ca"


def test_the_pages_to_read_name_their_languages_to_search_engines(client: Client) -> None:
    page = client.get("/privacy/").content.decode()
    links = re.findall(r'<link\s+rel="alternate"\s+hreflang="(\w+)"\s+href="([^"]+)"', page)
    assert links == [(code, f"http://testserver/privacy/?lang={code}") for code in ("fr", "en", "es")]


def test_a_table_and_its_scripts_speak_the_language_of_the_page(client: Client) -> None:
    choose(client, "es")
    table = client.post(PRACTICE, {"rules": "shawinigan/1", "table": "4-2", "level": "novice"})["Location"]
    page = client.get(table)
    assert (spoken(page), page.context["boot"]["lang"]) == ("es", "es")
    texts = f"{reverse('jsi18n')}?lang=es"
    assert f'src="{texts}"' in page.content.decode()
    assert "Su turno" in client.get(texts).content.decode()
    # The page's own language counts, not what was chosen in another window meanwhile.
    assert "Su turno" not in client.get(reverse("jsi18n") + "?lang=fr").content.decode()
    assert spoken(client.get(page.context["boot"]["replay_url"])) == "es"


def test_who_signs_up_is_offered_the_language_of_the_page(client: Client) -> None:
    form = client.get(reverse("account_signup"), headers={"accept-language": "es"}).context["form"]
    assert form["language"].value() == "es"
