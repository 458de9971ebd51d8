"""What somebody might try at the endpoints, each refused as the standards say (RFC 6749, 7636, 9207, 9700)."""

import logging
import secrets

import pytest
from django.test import Client, override_settings

from tests.accounts.signing import a_player
from tests.api.calling import code
from tock_league.accounts import services as accounts
from tock_league.accounts.models import Player, Token
from tock_league.accounts.permissions import SITE as BY_SITE
from tock_league.common import clock
from tock_league.oauth import services
from tock_league.oauth.models import Access, Code
from tock_league.oauth.services import server
from tock_league.people import erasure, parts

from .world import RETURN, SITE, Program, a_browser, an_application, answered, me, press, two_people

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


@pytest.mark.parametrize(
    "changed",
    [
        {"client_id": "abcdefgh23456789"},
        {"client_id": "\x00' or 1"},
        {"client_id": None},
        {"redirect_uri": None},
        {"redirect_uri": "https://evil.example/retour"},
        {"redirect_uri": f"{RETURN}/.."},
        {"redirect_uri": f"{RETURN}?next=https://evil.example"},
        {"redirect_uri": RETURN + "#x"},
        {"redirect_uri": RETURN.replace("https", "http")},
        {"redirect_uri": RETURN.upper()},
        {"redirect_uri": 'https://evil.example/"\\é'},
        {"redirect_uri": [RETURN, "https://evil.example/"]},
        {"client_id": ["abcdefgh23456789", "abcdefgh23456789"]},
    ],
)
def test_nobody_is_redirected_to_an_address_that_is_not_the_applications(program, player, changed) -> None:
    browser = a_browser(player)
    for answer in (
        browser.get(program.address(**changed), secure=True),
        press(browser, program.address(**changed), player),
    ):
        assert answer.status_code == 400
        assert "Location" not in answer
        assert "No access" in answer.content.decode()
    assert not Access.objects.exists()


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "x" * 43 + "\n"}, "invalid_request"),
        ({"code_challenge": "x" * 42}, "invalid_request"),
        ({"scope": "read everything"}, "invalid_scope"),
        ({"scope": 'read "'}, "invalid_request"),
        ({"scope": ["read", "manage"]}, "invalid_request"),
        ({"scope": "read " * 300}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unsupported_response_type"),
        ({"response_type": None}, "invalid_request"),
    ],
)
def test_other_faults_are_told_to_the_application_with_state_and_issuer(program, player, changed, error) -> None:
    browser = a_browser(player)
    for answer in (
        browser.get(program.address(**changed), secure=True),
        press(browser, program.address(**changed), player),
    ):
        assert answer["Location"].startswith(RETURN + "?")
        told = answered(answer)
        assert (told["error"], told["state"], told["iss"]) == (error, "etat-1", SITE)
        assert "code" not in told
    assert not Access.objects.exists()


def test_a_visitor_signs_in_first(program) -> None:
    answer = Client().get(program.address(), secure=True)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/?next=/oauth/authorize")


def test_a_session_left_open_is_asked_again_before_an_application_gets_more(program, player) -> None:
    stale = a_browser(player, fresh=False)
    assert stale.get(program.address(), secure=True)["Location"].startswith("/accounts/reauthenticate/")
    press(stale, program.address(), player)
    assert not Access.objects.exists()
    program.connect(player, "read")
    assert stale.get(program.address("read"), secure=True).status_code == 200
    assert stale.get(program.address("read play"), secure=True)["Location"].startswith("/accounts/reauthenticate/")


def test_the_page_is_in_no_frame_and_its_form_leads_to_the_application_only(program, player) -> None:
    answer = a_browser(player).get(program.address(), secure=True)
    policy = answer["Content-Security-Policy"]
    assert "form-action 'self' https://quilles.example.org;" in policy + ";"
    assert "frame-ancestors 'none'" in policy
    assert answer["X-Frame-Options"] == "DENY"
    assert "no-store" in answer["Cache-Control"]


def test_nobody_allows_by_a_page_of_another_site_or_by_the_form_of_another_person(program, people, player) -> None:
    browser = Client(enforce_csrf_checks=True, raise_request_exception=False)
    browser.force_login(player.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert press(browser, program.address(), player).status_code == 403
    other = press(a_browser(player), program.address(), people[0])
    assert other.status_code == 409
    assert a_browser(player).post(program.address(), {"decision": "yes"}, secure=True).status_code == 200
    assert not Access.objects.exists()


def test_a_code_serves_once_and_a_second_use_ends_what_the_first_one_gave(program, player) -> None:
    told = answered(press(a_browser(player), program.address(), player))
    given = program.change(told["code"]).json()
    newer = program.refresh(given["refresh_token"]).json()
    again = program.change(told["code"])
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    for one in (given, newer):
        assert code(me(one["access_token"])) == "token_revoked"
    assert program.refresh(newer["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_code_used_again_does_not_end_what_another_consent_gave(program, player) -> None:
    browser = a_browser(player)
    first = answered(press(browser, program.address(), player))["code"]
    program.change(first)
    other = program.connect(player)
    program.change(first)
    assert me(other["access_token"]).status_code == 200


def test_a_code_lives_a_minute(program, player) -> None:
    with clock.frozen(clock.now()) as hand:
        told = answered(press(a_browser(player), program.address(), player))
        hand.advance(seconds=60)
        assert program.change(told["code"]).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_verifier": None}, "invalid_request"),
        ({"code_verifier": secrets.token_urlsafe(48)}, "invalid_grant"),
        ({"code_verifier": "short"}, "invalid_request"),
        ({"redirect_uri": None}, "invalid_grant"),
        ({"redirect_uri": "https://quilles.example.org/"}, "invalid_grant"),
        ({"code": "tock_code_unknown"}, "invalid_grant"),
        ({"code": None}, "invalid_request"),
        ({"code": "\x00"}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": None}, "unsupported_grant_type"),
        ({"client_id": "abcdefgh23456789"}, "invalid_request"),
        ({"code_verifier": ["x" * 43, "x" * 43]}, "invalid_request"),
    ],
)
def test_a_stolen_code_gives_nothing_and_is_not_lost_to_its_owner(program, player, changed, error) -> None:
    told = answered(press(a_browser(player), program.address(), player))
    body = {
        "grant_type": "authorization_code", "code": told["code"], "redirect_uri": RETURN,
        "code_verifier": program.verifier, **changed,
    }  # fmt: skip
    answer = program.send(**body)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
    assert answer["Cache-Control"] == "no-store"
    assert not Token.objects.exists()
    assert program.change(told["code"]).status_code == 200


def test_a_code_or_token_of_another_application_gives_nothing_and_ends_nothing(people, program, player) -> None:
    other = Program(an_application(people[0], name="Pétanque"), verifier=program.verifier)
    told = answered(press(a_browser(player), program.address(), player))
    assert other.change(told["code"]).json()["error"] == "invalid_grant"
    given = dict(program.change(told["code"]).json())
    assert other.change(told["code"]).json()["error"] == "invalid_grant"
    assert other.refresh(given["refresh_token"]).json()["error"] == "invalid_grant"
    for token in (given["access_token"], given["refresh_token"]):
        assert other.send("revoke", token=token).status_code == 200, "RFC 7009: as for an unknown token"
    assert me(given["access_token"]).status_code == 200
    newer = program.refresh().json()
    assert other.refresh(given["refresh_token"]).json()["error"] == "invalid_grant", "used, and not the other's to end"
    assert me(newer["access_token"]).status_code == 200


def test_a_refresh_token_used_twice_ends_the_whole_access(program, player) -> None:
    first = dict(program.connect(player))
    second = program.refresh().json()
    assert program.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert program.refresh(second["refresh_token"]).json()["error"] == "invalid_grant"
    for one in (first, second):
        assert code(me(one["access_token"])) == "token_revoked"
    assert Access.objects.get().ended_at is not None


@pytest.mark.parametrize("scope", ["read play manage", "read everything", "manage"])
def test_no_refresh_gives_more_than_the_person_allowed(program, player, scope) -> None:
    program.connect(player, "read play")
    answer = program.refresh(scope=scope)
    assert answer.json()["error"] == "invalid_scope"
    assert program.refresh().status_code == 200, "a refused request uses nothing up"


def test_refresh_token_code_and_secret_open_nothing_in_the_api(program, player) -> None:
    told = answered(press(a_browser(player), program.address(), player))
    given = program.change(told["code"]).json()
    for secret in (given["refresh_token"], told["code"], program.made.secret):
        assert code(me(secret)) == "token_unknown"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Basic ////"},
        {"authorization": "Basic gICAgDo="},
        {"authorization": "Basic Og=="},
        {"authorization": "Bearer tock_x"},
    ],
)
def test_a_confidential_application_shows_its_secret(program, player, headers) -> None:
    given = program.connect(player)
    body = {"grant_type": "refresh_token", "refresh_token": given["refresh_token"]}
    named = {**body, "client_id": program.application.client_id}
    client = Client(headers=headers, raise_request_exception=False)
    for sent in (body, named, {**named, "client_secret": "tock_secret_wrong"}):
        answer = client.post("/oauth/token", sent, secure=True)
        assert answer.status_code in (400, 401)
        assert answer.json()["error"] == "invalid_client" or (headers and "client_secret" in sent)
    assert program.send(grant_type="refresh_token", refresh_token=given["refresh_token"], client_secret="x").json()[
        "error"
    ] == ("invalid_request")
    assert program.refresh().status_code == 200


def test_secrets_in_the_address_count_for_nothing(program, player) -> None:
    given = program.connect(player)
    address = (
        f"/oauth/token?grant_type=refresh_token&refresh_token={given['refresh_token']}"
        f"&client_id={program.application.client_id}&client_secret={program.made.secret}"
    )
    assert Client().post(address, secure=True).json()["error"] == "unsupported_grant_type"


def test_a_renewed_secret_replaces_the_former_one(people, program, player) -> None:
    given = program.connect(player)
    made = services.renew_secret(by=people[0], client_id=program.application.client_id)
    assert program.refresh().status_code == 401
    program.made = made
    assert program.refresh(given["refresh_token"]).status_code == 200


def all_is_over(program: Program, player: Player, given: dict[str, str], *, code_of: str = "token_revoked") -> None:
    assert code(me(given["access_token"])) == code_of
    assert program.refresh(given["refresh_token"]).json()["error"] in ("invalid_grant", "invalid_client")


def test_a_suspended_application_may_do_nothing_until_it_asks_again(people, program, player) -> None:
    given = dict(program.connect(player))
    told = answered(press(a_browser(player), program.address(), player))
    services.suspend(by=BY_SITE, application=program.application)
    all_is_over(program, player, given)
    assert program.change(told["code"]).json()["error"] == "invalid_client"
    assert a_browser(player).get(program.address(), secure=True).status_code == 400
    services.restore(by=BY_SITE, application=program.application)
    all_is_over(program, player, given)
    assert program.change(told["code"]).json()["error"] == "invalid_grant"
    program.connect(player)


def test_a_deleted_application_or_an_erased_owner_leaves_nothing(people, program, player) -> None:
    given = dict(program.connect(player))
    services.delete(by=people[0], client_id=program.application.client_id)
    all_is_over(program, player, given, code_of="token_unknown")
    program = Program(an_application(people[0]))
    given = dict(program.connect(player))
    erasure.erase(parts.person_of(user=people[0].user))
    all_is_over(program, player, given, code_of="token_unknown")
    assert not Access.objects.exists()


def test_an_owner_who_is_shut_out_takes_the_application_along(people, program, player) -> None:
    given = dict(program.connect(player))
    accounts.set_active(by=BY_SITE, user=people[0].user, active=False)
    all_is_over(program, player, given)
    assert a_browser(player).get(program.address(), secure=True).status_code == 400


def test_a_closed_account_gives_nothing_more(program, player) -> None:
    given = dict(program.connect(player))
    accounts.set_active(by=BY_SITE, user=player.user, active=False)
    all_is_over(program, player, given, code_of="token_unknown")


def test_plain_http_is_refused(program, player) -> None:
    answer = a_browser(player).get(program.address())
    assert answer.status_code == 400
    assert "encrypted" in answer.content.decode()
    assert Client().post("/oauth/token", {"grant_type": "refresh_token"}).json()["error"] == "insecure_transport"
    with override_settings(SECURE_SSL_REDIRECT=True, SECURE_REDIRECT_EXEMPT=[r"^oauth/(token|revoke)$"]):
        assert Client().post("/oauth/token").status_code == 403, "no redirect hides that a secret was sent in the clear"


def test_an_address_and_an_application_get_no_more_than_their_share(program, player, monkeypatch) -> None:
    with clock.frozen(clock.now()) as hand:
        program.connect(player)
        hand.advance(seconds=60)
        monkeypatch.setattr(server, "ISSUED_A_MINUTE", 2)
        answers = [program.refresh().status_code for _time in range(3)]
        assert answers == [200, 200, 429]
        for _time in range(130):
            answer = Client(REMOTE_ADDR="192.0.2.9").post("/oauth/token", secure=True)
        assert answer.status_code == 429
        assert int(answer["Retry-After"]) <= 60
    with clock.frozen(clock.now()) as hand:
        hand.advance(seconds=120)
        assert program.refresh().status_code == 200, "what was refused for the limit used nothing up"


def test_no_secret_is_in_a_log(program, player, caplog) -> None:
    with caplog.at_level(logging.INFO):
        given = dict(program.connect(player))
        newer = program.refresh().json()
        program.refresh(given["refresh_token"])
    held = [*given.values(), *newer.values(), program.made.secret, program.verifier, program.state]
    assert not [one for one in held if len(str(one)) > 5 and str(one) in caplog.text]


def test_what_a_token_may_not_do_an_application_may_not_do(program, player) -> None:
    given = program.connect(player, "read play manage")
    holder = Client(headers={"authorization": f"Bearer {given['access_token']}"}, raise_request_exception=False)
    for page in ("/profile/tokens/", "/profile/applications/", "/profile/access/", program.address()):
        assert holder.get(page, secure=True)["Location"].startswith("/accounts/login/"), "a token is no session"
    assert Code.objects.count() == 1
    assert not Token.objects.filter(personal=True).exists()


def test_a_child_answers_for_no_program_and_a_bot_for_none(people) -> None:
    child = a_player("Petit Jean", "jean@example.org", birth_year=clock.now().year - 9)
    with pytest.raises(Exception, match="child_office"):
        an_application(child)
