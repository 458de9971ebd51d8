"""Letters that tell a person about a change of their password, address or second factor."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.letters import delivered
from tests.accounts.signing import PASSWORD, a_player, set_up_factor, sign_in

pytestmark = pytest.mark.django_db
NEW = "une autre phrase de passe"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def browser(settings):
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    return Client(REMOTE_ADDR="192.0.2.7", HTTP_USER_AGENT=FIREFOX)


def test_a_new_password_is_told_by_a_letter_with_place_and_way_out(browser):
    person = a_player("Océane Trudel", "oceane@example.org")
    sign_in(browser, person.user)
    browser.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    [letter] = delivered()
    assert letter.to == ["oceane@example.org"]
    assert "Firefox, Windows" in letter.body
    assert "192.0.2.7" in letter.body
    assert reverse("account_reset_password") in letter.body
    assert NEW not in letter.body


def test_a_removed_authenticator_app_is_told_in_the_language_of_the_account(browser):
    person = a_player("Océane Trudel", "oceane@example.org")
    secret = set_up_factor(person.user)
    sign_in(browser, person.user, secret=secret)
    browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    browser.post(reverse("set_language"), {"language": "en"})
    browser.post(reverse("mfa_deactivate_totp"))
    assert "Authenticator app deactivated." in delivered()[-1].body
