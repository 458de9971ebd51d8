"""The pages of notices in a browser: accessible, nothing wider than a narrow screen, read by one press."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from tests.servers.browser import DESKTOP, PHONE, Visitors, overflow
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.notices.kinds import KINDS
from tock_league.notices.models import Bounce
from tock_league.notices.services.settings import token_for

from .world import a_reader, tell_something

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.fixture
def ana() -> Player:
    ana = a_reader("Ana Roy", language="fr")
    tell_something(ana)
    tell_something(ana, key="2")
    Bounce.objects.create(user=ana.user, email=ana.user.email, at=clock.now(), code=550)
    return ana


def test_the_pages_are_accessible_and_fit_a_narrow_screen(visitors: Visitors, ana: Player) -> None:
    visitor = visitors.enter("Ana", user=ana.user)
    stop = reverse("notices:stop", args=[token_for(ana, KINDS["ruling"])])
    for path, screen in ((reverse("notices:list"), PHONE), (reverse("notices:settings"), DESKTOP), (stop, PHONE)):
        visitor.page.set_viewport_size(screen)
        page = visitor.open(path)
        found = Axe().run(page)
        assert [each["id"] for each in found.response["violations"]] == []
        page.set_viewport_size(PHONE)
        assert overflow(page) == 0


def test_a_press_reads_one_and_another_press_all(visitors: Visitors, ana: Player) -> None:
    visitor = visitors.enter("Ana", user=ana.user)
    page = visitor.open(reverse("notices:list"))
    assert page.inner_text(".who-news") == "2"
    visitor.tolerates_errors = True  # the match does not exist
    page.locator(".notice-row form button").first.click()
    page.wait_for_url("**/matches/x/paper/")
    page = visitor.open(reverse("notices:list"))
    assert page.inner_text(".who-news") == "1"
    page.locator("form[action$='/seen/'] button").click()
    page.wait_for_selector(".who-news", state="detached")
