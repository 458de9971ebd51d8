"""The whole dance, as it should go: asked, allowed, changed for tokens, used, refreshed, given back."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.api.calling import code
from tock_league.accounts import tokens
from tock_league.accounts.models import Player, Token
from tock_league.common import clock
from tock_league.oauth.models import Access, Code, Refresh

from .world import SITE, Program, a_browser, an_application, answered, me, press, two_people

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> tuple[Player, Player]:
    return two_people()


@pytest.mark.parametrize("kind", ["confidential", "public"])
def test_an_application_gets_what_the_person_allows_and_nothing_is_stored_in_clear(people, kind) -> None:
    owner, player = people
    program = Program(an_application(owner, kind=kind))
    browser = a_browser(player)
    shown = browser.get(program.address(), secure=True).content.decode()
    assert "Quilles" in shown
    assert "Sylvain Otis" in shown
    told = answered(press(browser, program.address(), player))
    assert told["state"] == "etat-1"
    assert told["iss"] == SITE
    answer = program.change(told["code"])
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    given = answer.json()
    assert given["token_type"] == "Bearer"
    assert given["expires_in"] == 3600
    assert given["scope"] == "read play"
    said = me(given["access_token"]).json()
    assert said["player"] == {"slug": player.slug, "name": "Martine Gélinas"}
    assert said["scopes"] == ["read", "play"]
    stored = str([list(model.objects.values_list()) for model in (Code, Refresh, Token, Access)])
    for secret in (told["code"], given["access_token"], given["refresh_token"], program.verifier):
        assert secret not in stored


def test_a_refresh_token_gives_the_next_pair_and_keeps_its_scopes(people) -> None:
    program = Program(an_application(people[0]))
    first = dict(program.connect(people[1], "read play manage"))
    narrow = program.refresh(scope="read").json()
    assert narrow["scope"] == "read"
    assert me(narrow["access_token"]).json()["scopes"] == ["read"]
    assert me(first["access_token"]).status_code == 200, "the former one goes on for its hour"
    assert program.refresh().json()["scope"] == "read play manage"


def test_no_scope_means_read(people) -> None:
    program = Program(an_application(people[0]))
    assert answered(press(a_browser(people[1]), program.address(scope=None), people[1]))["code"]
    assert Code.objects.get().scopes == ["read"]


def test_tokens_and_accesses_end_in_their_time(people) -> None:
    program = Program(an_application(people[0]))
    with clock.frozen(clock.now()) as hand:
        given = program.connect(people[1])
        hand.advance(seconds=3600)
        assert code(me(given["access_token"])) == "token_expired"
        hand.advance(days=80)
        assert program.refresh().status_code == 200
        hand.advance(days=89)
        assert program.refresh().status_code == 200, "each use begins ninety days anew"
        hand.advance(days=90)
        assert program.refresh().json()["error"] == "invalid_grant"


def test_an_access_lasts_no_longer_than_a_token_of_the_person_could(people) -> None:
    program = Program(an_application(people[0]))
    with clock.frozen(clock.now()) as hand:
        program.connect(people[1])
        for _time in range(4):
            hand.advance(days=80)
            assert program.refresh().status_code == 200
        hand.advance(days=45)
        assert program.refresh().json()["error"] == "invalid_grant"
        access = Access.objects.get()
        assert access.ends_at - access.since == timedelta(days=tokens.LONGEST_DAYS)


def test_a_refused_request_tells_the_application_and_gives_nothing(people) -> None:
    program = Program(an_application(people[0]))
    told = answered(press(a_browser(people[1]), program.address(), people[1], "refuse"))
    assert (told["error"], told["state"], told["iss"]) == ("access_denied", "etat-1", SITE)
    assert not Access.objects.exists()


def test_an_application_gives_a_token_back(people) -> None:
    program = Program(an_application(people[0]))
    given = dict(program.connect(people[1]))
    assert program.send("revoke", token=given["access_token"]).status_code == 200
    assert code(me(given["access_token"])) == "token_revoked"
    second = program.refresh().json()
    assert program.send("revoke", token=second["refresh_token"], token_type_hint="anything").status_code == 200
    assert code(me(second["access_token"])) == "token_revoked"
    assert program.refresh(second["refresh_token"]).json()["error"] == "invalid_grant"
    assert program.send("revoke", token="tock_unknown").status_code == 200, "RFC 7009, 2.2"


def test_a_secret_may_be_shown_in_the_body(people) -> None:
    program = Program(an_application(people[0]))
    told = answered(press(a_browser(people[1]), program.address(), people[1]))
    assert program.change(told["code"], basic=False).status_code == 200


def test_a_program_on_a_computer_takes_the_port_that_it_gets(people) -> None:
    made = an_application(people[0], kind="public", redirects_to=["http://127.0.0.1/retour"])
    program = Program(made, redirect="http://127.0.0.1:54321/retour")
    answer = press(a_browser(people[1]), program.address(), people[1])
    assert answer["Location"].startswith("http://127.0.0.1:54321/retour?code=")
    assert program.change(answered(answer)["code"]).status_code == 200


def test_an_app_is_called_by_its_scheme(people) -> None:
    made = an_application(people[0], kind="public", redirects_to=["org.example.quilles:/retour"])
    program = Program(made, redirect="org.example.quilles:/retour")
    browser = a_browser(people[1])
    assert (
        "form-action 'self' org.example.quilles:"
        in browser.get(program.address(), secure=True)["Content-Security-Policy"]
    )
    assert press(browser, program.address(), people[1])["Location"].startswith("org.example.quilles:/retour?code=")


def test_the_metadata_names_what_works() -> None:
    answer = Client(headers={"origin": "https://elsewhere.example"}).get(
        "/.well-known/oauth-authorization-server", secure=True
    )
    told = answer.json()
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert told["issuer"] == SITE
    assert told["authorization_endpoint"] == f"{SITE}/oauth/authorize"
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert told["response_types_supported"] == ["code"]
    assert told["authorization_response_iss_parameter_supported"] is True
    for name in ("token_endpoint", "revocation_endpoint"):
        assert Client().get(told[name].removeprefix(SITE), secure=True).status_code == 405


def test_pages_of_other_sites_may_ask_for_tokens(people) -> None:
    program = Program(an_application(people[0], kind="public"))
    answer = program.send(
        grant_type="refresh_token", refresh_token="x", headers={"origin": "https://quilles.example.org"}
    )
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
