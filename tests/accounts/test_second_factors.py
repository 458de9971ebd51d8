"""Authenticator apps, passkeys and recovery codes: their pages, and how their secrets are kept."""

import json
import re

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from tests.accounts.signing import PASSWORD, a_boss, a_player, code, set_up_factor, sign_in
from tock_league.accounts.models import Player
from tock_league.accounts.seals import former_key_told, sealed_with_a_former_key

pytestmark = pytest.mark.django_db
PAGES = (
    *("mfa_index", "mfa_list_webauthn", "mfa_add_webauthn", "mfa_activate_totp", "mfa_generate_recovery_codes"),
    *("mfa_reauthenticate", "account_reauthenticate", "accounts:protect"),
)


@pytest.fixture
def oceane(client):
    player = a_player("Océane Trudel", "oceane@example.org")
    sign_in(client, player.user)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return player


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_the_sites_own_and_without_inline_script(client, oceane, page):
    if "reauthenticate" in page or page == "mfa_generate_recovery_codes":
        set_up_factor(oceane.user)
    text = client.get(reverse(page)).content.decode()
    assert 'class="skip"' in text
    scripts = re.findall(r"<script\b([^>]*)>", text)
    assert [tag for tag in scripts if "src=" not in tag and 'type="application/json"' not in tag] == []
    assert not re.search(r"<style|\son\w+=|javascript:", text)


def test_secrets_are_encrypted_in_the_database_and_older_rows_still_work(client, oceane, settings):
    secret = set_up_factor(oceane.user)
    rows = {row.type: json.dumps(row.data) for row in Authenticator.objects.all()}
    assert secret not in rows["totp"]
    assert all("sealed:" in row for row in rows.values())
    assert get_adapter().decrypt(secret) == secret  # a row from before
    sealed = get_adapter().encrypt(secret)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a new key", [settings.SECRET_KEY]
    assert get_adapter().decrypt(sealed) == secret
    settings.SECRET_KEY_FALLBACKS = []
    assert get_adapter().decrypt(sealed) != secret


def test_a_factor_sealed_with_a_lost_key_takes_no_code_and_breaks_no_page(client, oceane, settings, caplog):
    secret = set_up_factor(oceane.user)
    row = Authenticator.objects.get(user=oceane.user, type="totp")
    row.data = {"secret": get_adapter().encrypt(secret)}
    row.save()
    codes = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
    assert sealed_with_a_former_key() == 0
    former, settings.SECRET_KEY = settings.SECRET_KEY, "a new key"
    assert sealed_with_a_former_key() == 1
    assert "sealed with the former key: 1" in former_key_told()[0]
    browser = Client(headers={"accept-language": "en"})
    browser.post(reverse("account_login"), {"login": oceane.user.email, "password": PASSWORD})
    for tried in (code(secret), codes[0]):
        answer = browser.post(reverse("mfa_authenticate"), {"code": tried})
        assert answer.status_code == 200
        assert "This site has lost the key of codes" in answer.content.decode()
    assert not browser.get("/").wsgi_request.user.is_authenticated
    assert "SECRET_KEY_FALLBACKS" in caplog.text
    boss = a_boss()
    Player.objects.update(language="en")
    browser.force_login(oceane.user)  # as with a passkey
    shown = browser.get(reverse("mfa_index")).content.decode()
    assert "Recovery codes" in shown
    assert "lost the key of this app" in shown
    assert "lost the key of these codes" in shown
    assert "codes are left" not in shown
    browser.force_login(boss.user)
    logins = browser.get("/staff/admin/accounts/user/").content.decode()
    assert "Remove the second factors" in logins
    assert logins.count("sealed with a lost key") == 1
    browser = Client(headers={"accept-language": "en"})
    browser.post(reverse("account_login"), {"login": oceane.user.email, "password": PASSWORD})
    settings.SECRET_KEY_FALLBACKS = [former]
    assert former_key_told() == []
    assert former_key_told(moved=True) != []
    assert "Incorrect code." in browser.post(reverse("mfa_authenticate"), {"code": "1"}).content.decode()
    browser.post(reverse("mfa_authenticate"), {"code": codes[0]})
    assert browser.get("/").wsgi_request.user.is_authenticated


def test_a_recovery_code_opens_the_account_once(client, oceane):
    set_up_factor(oceane.user)
    codes = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
    for expected in (True, False):
        browser = Client()
        browser.post(reverse("account_login"), {"login": oceane.user.email, "password": PASSWORD})
        browser.post(reverse("mfa_authenticate"), {"code": codes[0]})
        assert browser.get("/").wsgi_request.user.is_authenticated is expected


def test_a_code_of_the_app_is_not_accepted_twice(client, oceane):
    secret = set_up_factor(oceane.user)
    shown = code(secret)
    for expected in (True, False):
        browser = Client()
        browser.post(reverse("account_login"), {"login": oceane.user.email, "password": PASSWORD})
        browser.post(reverse("mfa_authenticate"), {"code": shown})
        assert browser.get("/").wsgi_request.user.is_authenticated is expected


def test_a_second_factor_is_neither_added_nor_removed_without_a_fresh_sign_in(client):
    player = a_player("Gilles Roy", "gilles@example.org")
    secret = set_up_factor(player.user)
    sign_in(client, player.user, secret=secret)
    session = client.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 3600
    session.save()
    for page in ("mfa_deactivate_totp", "mfa_generate_recovery_codes", "mfa_add_webauthn"):
        assert "reauthenticate" in client.post(reverse(page), {})["Location"]
    assert Authenticator.objects.filter(user=player.user).count() == 2


IN_FORM = {"id": "eHh4eA", "rawId": "eHh4eA", "type": "public-key", "response": {}}
DATA = {"clientDataJSON": "e30", "authenticatorData": "eHh4eA", "signature": "eA", "userHandle": "MQ"}
MALFORMED = [
    "true", "1e3", '"x"', '["x"]', '{"x": 1}', "1" * 5000, "[" * 3000, '"\\ud800"', json.dumps(IN_FORM),
    *(json.dumps({**IN_FORM, **{name: value}}) for name in IN_FORM for value in (None, 1, [], {}, "é", "=")),
    *(json.dumps({**IN_FORM, "response": {**DATA, **more}}) for more in ({}, {"userHandle": 1}, {"userHandle": "eHh4"},
      {"clientDataJSON": "!"}, {"clientDataJSON": "W10"}, {"authenticatorData": ""}, {"authenticatorData": "eHh4" * 20})),
    json.dumps({**IN_FORM, "response": {"clientDataJSON": "e30", "attestationObject": "eHh4eA"}}),
    json.dumps({**IN_FORM, "response": {"clientDataJSON": "e30", "attestationObject": "oWF4GP8"}}),
]  # fmt: skip


@pytest.mark.parametrize("name", ["mfa_login_webauthn", "mfa_reauthenticate_webauthn", "mfa_add_webauthn"])
def test_a_passkey_that_is_no_passkey_is_refused(client, oceane, name):
    set_up_factor(oceane.user)
    device = Client(raise_request_exception=False) if "login" in name else client
    device.raise_request_exception = False
    address = reverse(name)
    broken = []
    for credential in MALFORMED:
        device.get(address, headers={"x-requested-with": "XMLHttpRequest"})  # begins, so that an answer is expected
        answer = device.post(address, {"credential": credential, "name": "x"})
        if answer.status_code not in (200, 302, 400, 403, 429):
            broken.append((credential[:80], answer.status_code))
    assert broken == []
    assert not Authenticator.objects.filter(type="webauthn").exists()
