"""The examples of docs/oauth.md against the running site: the Python program, and the lines of curl."""

import base64
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import threading
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from tests.accounts.signing import PASSWORD
from tests.architecture.source import ROOT
from tests.servers.site import LiveSite
from tock_league.accounts.models import Player
from tock_league.oauth.models import Access

from .world import an_application, two_people

DOCUMENT = ROOT / "docs" / "oauth.md"
CLIENT = ROOT / "docs" / "oauth_client.py"
CURL = re.compile(r"^curl .*$", re.MULTILINE)
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Person:
    """Somebody at a browser without scripts: signs in, reads the page, presses a button, follows the redirect."""

    def __init__(self, site: LiveSite, player: Player) -> None:
        self.session = requests.Session()
        page = f"{site.url}/accounts/login/"
        shown = self.session.get(page, timeout=10).text
        form = {"login": player.user.email, "password": PASSWORD, "csrfmiddlewaretoken": TOKEN.search(shown)[1]}
        self.session.post(page, form, headers={"referer": page}, timeout=10)
        self.faults: list[Exception] = []

    def allow(self, address: str, decision: str = "allow") -> str:
        """Return where the answer to the form leads."""
        page = self.session.get(address, timeout=10)
        assert page.status_code == 200, page.text[:300]
        owner = re.search(r'name="owner" value="([^"]+)"', page.text)[1]
        form = {"decision": decision, "owner": owner, "csrfmiddlewaretoken": TOKEN.search(page.text)[1]}
        answer = self.session.post(address, form, headers={"referer": address}, allow_redirects=False, timeout=10)
        return answer.headers["location"]

    def browse(self, address: str) -> None:
        """Do the same beside, as a real browser does, and go where it leads."""

        def go() -> None:
            try:
                requests.get(self.allow(address), timeout=10)
            except Exception as error:
                self.faults.append(error)

        threading.Thread(target=go, daemon=True).start()


@pytest.fixture
def client() -> Any:
    spec = importlib.util.spec_from_file_location("oauth_client", CLIENT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_program_of_the_document_connects_calls_and_renews(live_site: LiveSite, client: Any) -> None:
    owner, player = two_people()
    made = an_application(owner, kind="public", redirects_to=["http://127.0.0.1/return"])
    person = Person(live_site, player)
    session = client.connect(live_site.url, made.application.client_id, browse=person.browse)
    assert person.faults == []
    me = f"{live_site.url}/api/v1/me"
    assert session.get(me).json()["player"]["name"] == "Martine Gélinas"
    first = session.token["access_token"]
    session.token = {**session.token, "expires_at": 1}  # as after an hour
    assert session.get(me).status_code == 200
    assert session.token["access_token"] != first
    assert Access.objects.get().scopes == ["read", "play"]


def test_the_lines_of_the_document_run(live_site: LiveSite) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    owner, player = two_people()
    made = an_application(owner, redirects_to=["https://example.org/return"])
    verifier = "v" * 64
    known = {
        "SITE": live_site.url,
        "CLIENT": made.application.client_id,
        "SECRET": made.secret,
        "VERIFIER": verifier,
        "CHALLENGE": base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("="),
    }
    text = DOCUMENT.read_text("utf-8")
    address = re.search(r"`(\$SITE/oauth/authorize\?[^`]+)`", text)[1]
    for name, value in known.items():
        address = address.replace(f"${name}", value)
    came = Person(live_site, player).allow(address)
    said = parse_qs(urlsplit(came).query)
    assert (said["state"], said["iss"]) == (["abc"], [live_site.url])
    known["CODE"] = said["code"][0]
    answers = []
    for line in CURL.findall(text):
        done = subprocess.run(
            ["bash", "-c", f"{line} -sS"], env={**os.environ, **known}, capture_output=True, text=True, check=True
        )
        answers.append(json.loads(done.stdout))
        known |= {"ACCESS": answers[0]["access_token"], "REFRESH": answers[0]["refresh_token"]}
        known["NEXT"] = answers[-1].get("refresh_token", "")
    assert [sorted(answer)[:1] for answer in answers] == [["access_token"], ["by"], ["access_token"], []]
    assert answers[1]["player"]["slug"] == player.slug
    assert Access.objects.get().ended_at is not None
