"""The desk's page: durations in words as the server writes them, reloads on news, forms that are sent once."""

import pytest
from django.utils.translation import override

from tock_league.common.durations import lasting

from .harness import until

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><title>Desk</title><script>window.loads = 0;</script>
<div id="desk" data-news="/api/news" data-key="{key}"><p class="call"><span data-up="{up}">x</span>
<span data-down="{down}">y</span></p></div><p id="desk-said" role="status"></p>
<form data-once method="post" action="/api/file"><button>File</button></form>
<script type="module" src="/static/live/desk.js"></script></html>"""


@pytest.mark.parametrize("seconds", [-5, 0, 59, 60, 61, 599, 600, 3599, 3600, 3900, 86_399, 86_400, 200_000])
def test_durations_read_as_the_server_writes_them(js, seconds):
    with override("en"):
        assert js("desk.js", "m.lasting(a[0])", seconds) == lasting(seconds)


@pytest.fixture
def desk(chromium, js_site):
    contexts = []

    def show(answer):
        context = chromium.new_context()
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(6000)
        page.clock.install()
        now = page.evaluate("Date.now()")
        js_site.pages["/desk"] = PAGE.format(key="old", up=now - 65_000, down=now + 125_000)
        page.route("**/api/news", lambda route: route.fulfill(json=answer))
        page.goto(f"{js_site.url}/desk")
        return page

    yield show
    for context in contexts:
        context.close()


def test_the_waiting_time_goes_on(desk):
    page = desk({"key": "old", "waiting": 1})
    page.clock.run_for(1000)
    until(page, "document.querySelector('[data-up]').textContent.startsWith('1 min')")
    first = page.locator("[data-up]").inner_text()
    page.clock.run_for(5000)
    assert page.locator("[data-up]").inner_text() != first
    assert page.locator("[data-down]").inner_text().startswith(("1 min", "2 min"))
    assert page.locator("#desk-said").inner_text() == "1 call is waiting."
    until(page, "document.title === '(1) Desk'")


def test_a_new_call_brings_the_page_anew(desk):
    page = desk({"key": "new", "waiting": 2})
    with page.expect_navigation():
        page.clock.run_for(5100)


def test_two_clicks_send_a_form_once(desk):
    page = desk({"key": "old", "waiting": 0})
    sent = []
    page.route("**/api/file", lambda route: sent.append(1))  # never answered: the page stays
    page.get_by_role("button", name="File").dblclick()
    page.wait_for_timeout(300)
    assert sent == [1]
