"""The pages of notices in a browser: accessible, nothing wider than a narrow screen, read by one press."""

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from tests.servers.browser import DESKTOP, PHONE, Visitors, overflow
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.embedded.folder import new_push_key
from tock_league.notices.kinds import KINDS
from tock_league.notices.models import Bounce, Device
from tock_league.notices.services.settings import token_for

from .push_service import Browser
from .world import a_reader, tell_something

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]
HELD = (
    "() => navigator.serviceWorker.ready.then((one) => one.pushManager.getSubscription()).then((held) => held ? 1 : 0)"
)
SUBSCRIBES = """({ endpoint, p256dh, auth }) => navigator.serviceWorker.ready.then(({ pushManager }) => {
  pushManager.subscribe = async (wish) => {
    if (!wish.userVisibleOnly || wish.applicationServerKey.length !== 65) throw new Error();
    return { toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
  };
})"""
# A browser without a screen shows no notification, so the test keeps what the worker would show; `told`: both have come.
KEEPS = """() => {
  self.shown = [];
  let left = 2;
  self.told = new Promise((done) => addEventListener("push", () => {
    if (--left === 0) setTimeout(done, 100);
  }));
  self.registration.showNotification = async (title, { body, tag, data }) => {
    self.shown.push([title, body, tag, data]);
  };
}"""


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


def test_pushes_are_switched_on_by_a_press_and_the_worker_shows_them_unless_their_page_is_looked_at(
    visitors: Visitors, ana: Player, settings: Any
) -> None:
    settings.PUSH_KEY = new_push_key()
    visitor = visitors.enter("Ana", user=ana.user, service_workers="allow")
    visitor.context.grant_permissions(["notifications"], origin=visitor.base)
    page = visitor.open(reverse("notices:settings"))
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_selector("#add-device:not([hidden])")
    assert page.evaluate(HELD) == 0  # nothing is asked before the press
    # Chromium's own push service is on the Internet; the rest of the way is the browser's.
    page.evaluate(SUBSCRIBES, Browser().subscription)
    page.locator("#add-device button").click()
    page.wait_for_selector("[data-digest] [data-end]")
    assert Device.objects.get().player == ana
    assert [each["id"] for each in Axe().run(page).response["violations"]] == []
    page.set_viewport_size(PHONE)
    assert overflow(page) == 0
    [worker] = visitor.context.service_workers
    worker.evaluate(KEEPS)
    pushed = visitor.context.new_cdp_session(page)
    versions: list[Any] = []
    pushed.on("ServiceWorker.workerRegistrationUpdated", lambda event: versions.extend(event["registrations"]))
    pushed.send("ServiceWorker.enable")
    page.wait_for_timeout(100)
    for told in (
        {"title": "Tock League", "body": "Un avis.", "address": "/notices/", "tag": "a", "lang": "fr"},
        {"title": "Vu", "body": "Vu.", "address": "/notices/settings/", "tag": "b", "lang": "fr"},
    ):
        message = {"origin": visitor.base, "registrationId": versions[0]["registrationId"], "data": json.dumps(told)}
        pushed.send("ServiceWorker.deliverPushMessage", message)
    worker.evaluate("() => self.told")
    assert worker.evaluate("() => self.shown") == [["Tock League", "Un avis.", "a", "/notices/"]]
