"""Tests of the browser fixtures: visitors are isolated from each other, and console errors are noticed."""

import pytest
from playwright.sync_api import expect

from tests.servers.browser import PHONE, Visitors
from tock_league.accounts import services

pytestmark = pytest.mark.browser


def test_two_people_have_sessions_of_their_own(visitors: Visitors) -> None:
    user = services.create_user(email="odette@tock.test", password="une phrase assez longue")
    services.create_player(display_name="Odette Hamelin", user=user)
    odette, guest = visitors.enter("Odette", user=user), visitors.enter("guest", screen=PHONE)
    page = odette.open("/profile/")
    expect(page.get_by_text("Odette Hamelin").first).to_be_visible()
    assert guest.open("/profile/").url.split("?")[0].endswith("/accounts/login/")
    assert guest.page.evaluate("screen.width") == 360


def test_the_consoles_complaints_are_kept(visitors: Visitors) -> None:
    guest = visitors.enter("guest")
    guest.open("/accounts/login/")
    guest.page.evaluate("console.error('the board is upside down')")
    assert any("upside down" in error for error in guest.errors)
    guest.tolerates_errors = True


@pytest.mark.parametrize(
    ("sink", "directive"),
    [
        ("document.body.innerHTML = '<b>x</b>'", "require-trusted-types-for"),
        ("new DOMParser().parseFromString('<b>x</b>', 'text/html')", "require-trusted-types-for"),
        ("trustedTypes.createPolicy('default', {createHTML: (x) => x})", "trusted-types"),
    ],
)
def test_a_script_that_writes_html_breaks_the_policy_and_is_noticed(
    visitors: Visitors, sink: str, directive: str
) -> None:
    guest = visitors.enter("guest")
    guest.open("/accounts/login/")
    guest.tolerates_errors = True
    tried = f"(() => {{ try {{ {sink} }} catch (error) {{ return error.name }} }})()"
    assert guest.page.evaluate(tried) == "TypeError"
    guest.page.wait_for_timeout(300)
    assert any(f"violates {directive}" in error for error in guest.errors), guest.errors
