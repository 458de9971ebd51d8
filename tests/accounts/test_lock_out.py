"""Wrong passwords: guessing ends soon, and nobody can keep a named person out by guessing."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.letters import delivered
from tests.accounts.signing import PASSWORD, a_player
from tock_league.accounts import devices
from tock_league.settings import base

pytestmark = [pytest.mark.django_db]
HOME, STRANGE = "192.0.2.7", "198.51.100.9"


@pytest.fixture(autouse=True)
def real_limits(settings):
    settings.ACCOUNT_RATE_LIMITS = base.ACCOUNT_RATE_LIMITS


@pytest.fixture
def martine():
    return a_player("Martine Gélinas", "martine@example.org").user


def browser(address):
    return Client(REMOTE_ADDR=address)


def tries(client, password="le mauvais mot", address="martine@example.org"):
    """Try to sign in; return whether it worked."""
    client.post(reverse("account_login"), {"login": address, "password": password})
    return "_auth_user_id" in client.session


def sign_out(client):
    client.post(reverse("account_logout"))


def test_a_stranger_who_guesses_does_not_keep_a_person_out_elsewhere(martine):
    stranger = browser(STRANGE)
    for _guess in range(6):
        assert not tries(stranger)
    assert tries(browser(HOME), PASSWORD)


def test_a_guesser_is_stopped_after_five_even_with_the_right_password(martine):
    stranger = browser(STRANGE)
    for _guess in range(5):
        tries(stranger)
    assert not tries(stranger, PASSWORD)
    assert not tries(browser(STRANGE), PASSWORD)  # the address counts, not the browser


def test_a_stranger_behind_the_same_router_does_not_lock_a_device_that_has_signed_in_before(martine):
    own, stranger = browser(HOME), browser(HOME)
    assert tries(own, PASSWORD)
    sign_out(own)
    for _guess in range(8):
        tries(stranger)
    assert not tries(browser(HOME), PASSWORD)
    assert tries(own, PASSWORD)


def test_guessing_from_many_addresses_ends_and_leaves_three_ways_in(martine, settings):
    settings.ACCOUNT_RATE_LIMITS = {**base.ACCOUNT_RATE_LIMITS, "login_wrong": "10/m/ip,8/h/key"}
    own = browser(HOME)
    assert tries(own, PASSWORD)
    sign_out(own)
    for number in range(8):
        tries(browser(f"203.0.113.{number}"))
    assert not tries(browser("203.0.113.99"), PASSWORD), "the guessers cannot go on"
    assert tries(own, PASSWORD), "a device that has signed in before"
    fresh = browser("192.0.2.200")
    assert not tries(fresh, PASSWORD)
    fresh.post(reverse("account_reset_password"), {"email": "martine@example.org"})
    link = next(word for word in delivered()[-1].body.split() if "/reset/key/" in word).split("testserver", 1)[1]
    page = fresh.get(link, follow=True)
    new = "une autre phrase de passe"
    fresh.post(page.request["PATH_INFO"], {"password1": new, "password2": new})
    assert tries(fresh, new), "the link in the mail"
    assert "webauthn" in settings.MFA_SUPPORTED_TYPES, "a passkey: nothing can be guessed there"


def test_the_guesses_of_one_address_do_not_use_up_what_all_addresses_may(martine, settings):
    settings.ACCOUNT_RATE_LIMITS = {**base.ACCOUNT_RATE_LIMITS, "login_wrong": "100/m/ip,8/h/key"}
    stranger = browser(STRANGE)
    for _guess in range(12):
        tries(stranger)
    assert tries(browser(HOME), PASSWORD)


def test_an_attackers_own_account_does_not_make_a_device_known_to_another(martine):
    a_player("Rémi", "remi@example.org")
    stranger = browser(STRANGE)
    assert tries(stranger, PASSWORD, "remi@example.org")
    sign_out(stranger)
    for _guess in range(5):
        tries(stranger)
    assert not tries(stranger, PASSWORD)


def test_a_stolen_or_forged_cookie_of_a_device_opens_nothing_and_counts_its_own_guesses(martine):
    own = browser(HOME)
    assert tries(own, PASSWORD)
    cookie = own.cookies[devices.cookie_name()].value
    thief = browser(STRANGE)
    thief.cookies[devices.cookie_name()] = cookie
    answers = [thief.post(reverse("account_login"), {"login": martine.email, "password": "x"}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 429, 429]
    forged = browser("198.51.100.77")
    forged.cookies[devices.cookie_name()] = cookie[:-2] + "xx"
    for _guess in range(5):
        tries(forged)
    assert not tries(forged, PASSWORD)


def test_one_stranger_in_the_hall_does_not_keep_the_hall_from_signing_in(martine, settings):
    settings.ACCOUNT_RATE_LIMITS = {**base.ACCOUNT_RATE_LIMITS, "login_wrong": "5/m/ip,100/h/key"}
    hall = browser(HOME)
    assert tries(hall, PASSWORD)
    sign_out(hall)
    stranger = browser(HOME)
    for number in range(7):
        tries(stranger, address=f"nobody{number}@example.org")
    assert tries(hall, PASSWORD)


def test_a_hall_full_of_people_signs_in_through_one_router(martine):
    people = [martine, *(a_player(f"Joueur {n}", f"joueur{n}@example.org").user for n in range(25))]
    assert all(tries(browser(HOME), PASSWORD, person.email) for person in people)


def test_an_ipv6_network_counts_as_one_address(martine):
    for number in range(5):
        tries(browser(f"2001:db8:1:2::{number}"))
    assert not tries(browser("2001:db8:1:2:ffff::9"), PASSWORD)
    assert tries(browser("2001:db8:1:3::1"), PASSWORD)


def test_other_spellings_of_an_address_are_counted_together(martine):
    stranger = browser(STRANGE)
    for address in ("MARTINE@example.org", "martine@EXAMPLE.org ", "martine@example.org", "Martine@example.org"):
        tries(stranger, address=address)
    tries(stranger)
    assert not tries(stranger, PASSWORD)
    assert devices.counted("Marti\u017fe\u212a@Example.org") == "martisek@example.org"


def test_the_right_password_forgets_the_wrong_ones_of_this_device(martine):
    own = browser(HOME)
    for _round in range(3):
        for _slip in range(3):
            assert not tries(own)
        assert tries(own, PASSWORD)
        sign_out(own)
