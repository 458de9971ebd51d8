"""Passkeys in a browser: set one up, sign in with it, and give it as the second factor. The CSP holds on every page."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.urls import reverse

from tests.accounts.signing import PASSWORD, a_player, code
from tests.servers.browser import PHONE, Visitor, Visitors, overflow

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


def with_passkeys(visitor: Visitor) -> None:
    """Give the browser a device that keeps passkeys and agrees to everything; browsers allow them at localhost."""
    visitor.base = visitor.base.replace("127.0.0.1", "localhost")
    device = visitor.context.new_cdp_session(visitor.page)
    device.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    more = {"isUserVerified": True, "automaticPresenceSimulation": True}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options | more})


def shown(page: Any, name: str) -> None:
    """Check that the page called `name` is open, is the site's own and does not scroll sideways."""
    page.wait_for_url(lambda url: urlsplit(url).path == reverse(name))
    assert page.locator(".skip").count() == 1
    assert overflow(page) == 0


def test_a_passkey_is_set_up_and_signs_in_and_where_it_cannot_the_page_says_why(visitors: Visitors) -> None:
    person = a_player("Océane Trudel", "oceane@example.org")
    visitor = visitors.enter("Océane", screen=PHONE)
    with_passkeys(visitor)
    page = visitor.open(reverse("account_login"))
    page.fill("#id_login", person.user.email)
    page.fill("#id_password", PASSWORD)
    page.click("form[action$='login/'] button.primary")
    page.wait_for_url(visitor.base + "/")

    visitor.open(reverse("mfa_index"))
    shown(page, "mfa_index")
    page.click(f"a[href='{reverse('mfa_add_webauthn')}']")
    shown(page, "account_reauthenticate")
    page.fill("#id_password", PASSWORD)
    page.click("form[action$='reauthenticate/'] button.primary")
    shown(page, "mfa_add_webauthn")
    page.check("#id_passwordless")
    page.click("#mfa_webauthn_add")
    shown(page, "mfa_view_recovery_codes")
    page.check("#codes_saved")
    visitor.open(reverse("mfa_list_webauthn"))
    shown(page, "mfa_list_webauthn")
    assert page.locator(".tag.good").count() == 1
    visitor.open(reverse("mfa_activate_totp"))
    shown(page, "mfa_activate_totp")
    assert page.eval_on_selector("img[src^='data:image/svg']", "image => image.naturalWidth") > 0
    secret = page.input_value("#authenticator_secret")
    page.fill("#id_code", code(secret))
    page.click("form[action$='activate/'] button.primary")
    shown(page, "mfa_index")

    visitor.context.clear_cookies()
    visitor.open(reverse("account_login"))
    page.click("#passkey_login")
    page.wait_for_url(visitor.base + "/")
    assert page.locator("details.who-menu").count() == 1

    visitor.context.clear_cookies()
    visitor.open(reverse("account_login"))
    page.fill("#id_login", person.user.email)
    page.fill("#id_password", PASSWORD)
    page.click("form[action$='login/'] button.primary")
    shown(page, "mfa_authenticate")
    page.click("#mfa_webauthn_authenticate")
    page.wait_for_url(visitor.base + "/")

    visitor.open(reverse("mfa_reauthenticate_webauthn") + "?next=/profile/")
    shown(page, "mfa_reauthenticate_webauthn")
    page.click("#mfa_webauthn_reauthenticate")
    shown(page, "accounts:profile")

    visitor.base = visitor.base.replace("localhost", "127.0.0.1")  # where browsers keep no passkeys: the page says why
    visitor.open(reverse("account_login"))
    assert page.locator("#passkey-trouble").is_hidden()
    page.click("#passkey_login")
    page.wait_for_selector("#passkey-trouble [data-when=insecure]")
