"""The privacy page, the security page and security.txt: in three languages, and true of this site."""

import re
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse

from tests.architecture.test_asvs import exists
from tock_league.common import clock
from tock_league.pages import checks, published

SIGN = re.compile(r"#*|- (?:\*\*)?")  # a heading, a line of a list
VALUE = re.compile(r"\{[^}]*\}")
PAGES = ("privacy", "security", "how_ratings")
FILES = ("privacy", "security", "ratings")


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("language", "word"), [("fr", "site"), ("en", "site"), ("es", "sitio")])
def test_each_page_is_in_three_languages_with_every_value_filled(
    client: Client, name: str, language: str, word: str
) -> None:
    page = client.get(reverse(f"pages:{name}"), {"lang": language})
    text = page.content.decode()
    assert f'<article class="rules published" lang="{language}">' in text
    assert word in text
    assert "{" not in text.split("<article")[1].split("</article>")[0]


@pytest.mark.parametrize("name", FILES)
def test_the_languages_of_a_page_say_the_same_things(name: str) -> None:
    shapes = {
        language: [(SIGN.match(line)[0], line.count("|"), VALUE.findall(line)) for line in text.splitlines()]
        for language, text in published._parts(name).items()
    }
    assert set(shapes) == {"fr", "en", "es"}
    assert shapes["fr"] == shapes["en"] == shapes["es"]


@pytest.mark.django_db
def test_every_page_leads_to_them(client: Client) -> None:
    text = client.get("/tonight/").content.decode()
    assert all(f'href="{reverse(f"pages:{name}")}"' in text for name in PAGES)


@pytest.mark.django_db
def test_who_answers_is_named_or_said_to_be_missing(settings: Any) -> None:
    lacking = published.page("privacy", "en").text
    assert "not given here yet" in lacking
    settings.PRIVACY_OFFICER, settings.PRIVACY_CONTACT = "Ginette <b>Roy</b>", "vie_privee@club_tock.example"
    named = published.page("privacy", "en").text
    assert "Ginette &lt;b&gt;Roy&lt;/b&gt;" in named
    assert "vie_privee@club_tock.example" in named
    assert "not given here yet" not in named


@pytest.mark.django_db
def test_the_page_says_how_many_copies_this_site_keeps(settings: Any) -> None:
    settings.BACKUPS_KEPT = 23
    assert "the last 23 nights" in published.page("privacy", "en").text


@pytest.mark.django_db
def test_what_the_site_does_not_do_is_not_told_and_times_are_those_of_the_settings(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "page_if_any", lambda _name: "")
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    settings.KEEP_STATEMENTS_DAYS = settings.IDLE_AFTER_DAYS = settings.KEEP_UNCONFIRMED_DAYS = 0
    without = published.page("privacy", "en").text
    assert "My data" not in without
    assert "without a sign-in" not in without
    assert "as long as the dispute" in without
    monkeypatch.setattr(published, "page_if_any", lambda _name: "/my-data/")
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.KEEP_STATEMENTS_DAYS, settings.IDLE_AFTER_DAYS, settings.IDLE_ANSWER_DAYS = 730, 1095, 30
    settings.KEEP_UNCONFIRMED_DAYS, settings.ERASE_AFTER_DAYS = 7, 8
    whole = published.page("privacy", "en").text
    for told in (
        "2 years after the end of the case",
        "After 3 years without a sign-in",
        "within 30 days",
        "after 7 days",
    ):
        assert told in whole
    assert "you have 8 days to change your mind" in whole


def test_every_promise_is_in_three_languages_and_names_tests_that_exist() -> None:
    assert len(published.promises()) > 10
    for promise in published.promises():
        assert promise.keys() == {"fr", "en", "es", "tests"}
        assert promise["tests"], promise["en"]
        assert [test for test in promise["tests"] if "::test_" not in test or not exists(test)] == [], promise["en"]


@pytest.mark.django_db
def test_the_last_drill_is_told_once_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "last_drill", lambda: None)
    assert "Last restore drill" not in published.page("security", "en").text
    drill = SimpleNamespace(done_at=clock.now(), ok=True, seconds=12.4, events=1000)
    monkeypatch.setattr(published, "last_drill", lambda: drill)
    assert "passed in 12 s, 1000 rows of games restored" in published.page("security", "en").text
    drill.ok = False
    assert "échoué" in published.page("security", "fr").text


@pytest.mark.django_db
def test_security_txt_is_there_once_a_contact_is_set_and_never_expires(client: Client, settings: Any) -> None:
    address = "/.well-known/security.txt"
    assert client.get(address).status_code == 404
    settings.SECURITY_CONTACT, settings.SITE_URL = "mailto:securite@example.org", "https://tock.example.org"
    answer = client.get(address, headers={"host": "evil.example.org"})
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    told = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert told["Contact"] == "mailto:securite@example.org"
    assert told["Canonical"] == "https://tock.example.org/.well-known/security.txt"
    assert told["Policy"] == "https://tock.example.org/security/"
    assert told["Preferred-Languages"] == "fr, en, es"
    left = datetime.fromisoformat(told["Expires"]) - clock.now()
    assert timedelta(days=150) < left < timedelta(days=365)


def test_a_deployment_is_warned_while_nobody_answers(settings: Any) -> None:
    ids = {problem.id for problem in run_checks(include_deployment_checks=True)}
    assert {"pages.W001", "pages.W002"} <= ids
    settings.PRIVACY_OFFICER, settings.PRIVACY_CONTACT = "Ginette Roy", "ginette@example.org"
    settings.SECURITY_CONTACT = "https://example.org/report"
    assert not checks.answers_for_privacy() + checks.takes_reports() + checks.contact_is_an_address()
    settings.SECURITY_CONTACT = "securite@example.org"
    assert [problem.id for problem in checks.contact_is_an_address()] == ["pages.E001"]


@pytest.mark.django_db
def test_a_cell_tells_a_phone_its_column_and_no_name_of_a_test_is_wider_than_a_phone() -> None:
    assert '<td data-h="Qui le voit">' in published.page("privacy", "fr").text
    names = re.findall(r"<code>(.*?)</code>", published.page("security", "fr").text)
    assert max(len(part) for name in names for part in name.split("<wbr>")) < 32
