"""The frame of every page: its bar at each width, menu, theme and language."""

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils.translation import override

from tests.servers.browser import overflow

pytestmark = pytest.mark.browser


class Person:
    """A signed-in user, with the attributes that the template needs."""

    is_authenticated = True
    pk = 1
    username = "u1"

    class player:
        display_name = "Marie-Philippe Gélinas-Bellemare"
        slug = "marie"


@pytest.fixture
def base(chromium, js_site):
    contexts = []

    def show(width=1280, user=None, language="fr-ca", **options):
        with override(language):
            text = render_to_string("base.html", {"user": user}, request=RequestFactory().get("/clubs/"))
        js_site.pages["/base"] = text.replace(
            '<main id="main">', '<main id="main"><div class="wrap"><h1>Essai</h1></div>'
        )
        context = chromium.new_context(viewport={"width": width, "height": 700}, service_workers="block", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.goto(f"{js_site.url}/base")
        return page

    yield show
    for context in contexts:
        context.close()


@pytest.mark.parametrize("user", [None, Person()])
@pytest.mark.parametrize("language", ["fr-ca", "es", "en"])
def test_nothing_overflows_the_page(base, language, user):
    page = base(360, user, language)
    assert page.locator(".bar-right .languages button").count() == 2
    for width in (360, 768, 920, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert overflow(page) == 0
        outside = (
            "[...document.querySelectorAll('.bar-inner > *')].some((n) => n.getBoundingClientRect().right > innerWidth)"
        )
        assert not page.evaluate(outside), width


def test_the_menu_opens_and_closes_by_keyboard(base):
    page = base(360, language="en")
    assert page.get_by_role("link", name="Clubs").is_hidden()
    page.get_by_role("button", name="Menu").press("Enter")
    assert page.get_by_role("link", name="Clubs").get_attribute("aria-current") == "page"
    # The languages are in the menu where the bar has no room for them.
    assert page.locator("nav .languages button").all_inner_texts() == ["Français", "Español"]
    page.keyboard.press("Escape")
    assert page.get_by_role("link", name="Clubs").is_hidden()


def test_the_theme_is_the_systems_until_one_is_chosen(base):
    page = base(color_scheme="dark", language="en")
    dark = "document.documentElement.classList.contains('dark')"
    assert page.evaluate(dark)
    page.get_by_role("button", name="Light or dark theme").click()
    assert not page.evaluate(dark)
    page.reload()
    assert not page.evaluate(dark)
    assert not base(color_scheme="light").evaluate(dark)


def test_without_javascript_the_links_are_there(base):
    page = base(360, language="en", java_script_enabled=False)
    assert page.get_by_role("link", name="Clubs").is_visible()
