"""A person comes from a second site, allows or refuses in Chromium, and is back there: the policy lets the form lead out."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from tests.accounts.signing import PASSWORD, a_player
from tests.servers.browser import DESKTOP, PHONE, Visitors, overflow
from tests.servers.site import LiveSite
from tock_league.oauth.models import Access

from .second_site import SecondSite
from .world import an_application, two_people

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def second(live_site: LiveSite) -> Iterator[SecondSite]:
    site = SecondSite(live_site.url)
    yield site
    site.stop()


def judged(page: Any) -> None:
    """Assert that the page does not scroll sideways and that axe finds nothing."""
    assert overflow(page) == 0
    assert [fault["id"] for fault in Axe().run(page).response["violations"]] == []


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_person_allows_comes_back_and_ends_the_access(visitors: Visitors, second: SecondSite, screen: Any) -> None:
    owner, player = two_people()
    second.made = an_application(owner, redirects_to=[f"{second.url}/retour"])
    visitor = visitors.enter("Martine", screen=screen)
    page = visitor.page
    page.goto(second.url)
    page.get_by_role("link", name="Connect").click()
    page.fill("#id_login", player.user.email)
    page.fill("#id_password", PASSWORD)
    page.click("form[action$='login/'] button.primary")
    page.wait_for_url(lambda url: "/oauth/authorize" in url)
    judged(page)
    allow, refuse = (page.get_by_role("button", name=name) for name in ("Allow", "Refuse"))
    assert allow.get_attribute("class") == refuse.get_attribute("class"), "neither weighs more"
    refuse.click()
    page.get_by_role("heading", name="Refused: access_denied").wait_for()
    page.get_by_role("link", name="Connect").click()
    page.get_by_role("button", name="Allow").click()
    page.get_by_role("heading", name="Hello Martine Gélinas").wait_for()
    assert Access.objects.get().ended_at is None
    visitor.open(reverse("oauth:accesses"))
    judged(page)
    page.get_by_role("button", name="End access").click()
    page.get_by_text("No application has access.").wait_for()
    assert Access.objects.get().ended_at is not None


def test_the_pages_of_an_application_fit_a_phone(visitors: Visitors, second: SecondSite) -> None:
    owner = a_player("Sylvain Otis", "sylvain@example.org")
    second.made = an_application(owner, redirects_to=[f"{second.url}/retour"])
    visitor = visitors.enter("Sylvain", user=owner.user, screen=PHONE)
    for address in (
        reverse("oauth:applications"),
        reverse("oauth:application", args=[second.made.application.client_id]),
        f"{reverse('oauth:authorize')}?client_id=x",
    ):
        visitor.tolerates_errors = True  # the last one answers 400
        judged(visitor.open(address))
