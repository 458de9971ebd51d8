"""The site can be installed, and without a network the browser shows the one page that it keeps."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.servers.browser import Visitors


def test_the_manifest_names_what_exists(client: Client) -> None:
    answer = client.get("/manifest.webmanifest", headers={"accept-language": "en"})
    assert answer["content-type"] == "application/manifest+json"
    told = json.loads(answer.content)
    assert (told["lang"], told["start_url"], told["display"]) == ("en", "/", "standalone")
    assert [icon.get("purpose") for icon in told["icons"]] == [None, None, "maskable"]
    assert {each["url"] for each in told["shortcuts"]} == {reverse("pages:tonight"), reverse("games:practice")}
    french = json.loads(client.get("/manifest.webmanifest", headers={"accept-language": "fr"}).content)
    assert french["description"] != told["description"]


def test_the_worker_keeps_the_page_for_no_network_and_files_only(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer["content-type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in answer["cache-control"]
    found = re.match(r"self.offline = (\{.*\});\n", answer.content.decode())
    assert found
    page, *files = json.loads(found[1])["KEPT"]
    assert page == reverse("pages:offline")
    assert all(file.startswith("/static/") for file in files)


def test_the_kept_page_speaks_every_language_and_knows_nobody(client: Client) -> None:
    answer = client.get("/offline/")
    page = answer.content.decode()
    assert all(text in page for text in ("No network", "Pas de réseau", "Sin red"))
    assert not answer.cookies


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_without_a_network_the_browser_shows_the_kept_page_and_then_the_site_again(visitors: Visitors) -> None:
    guest = visitors.enter("guest", service_workers="allow", locale="en")
    guest.tolerates_errors = True  # what cannot be fetched is in the console
    page = guest.open("/rules/shawinigan/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # the worker serves pages that are opened after it came
    guest.context.set_offline(True)
    page.goto(guest.base + "/tonight/")
    assert "No network" in page.locator("h1").inner_text()
    kept = page.evaluate(
        "async () => { const all = []; for (const name of await caches.keys())"
        " for (const one of await (await caches.open(name)).keys()) all.push(new URL(one.url).pathname); return all; }"
    )
    assert "/offline/" in kept
    assert all(path == "/offline/" or path.startswith("/static/") for path in kept)
    guest.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    page.wait_for_url("**/tonight/")
    assert "No network" not in page.locator("h1").inner_text()
