"""Every answer has the strict Content Security Policy, whoever makes it and whatever its status."""

import re
import subprocess
import sys
from typing import Any

import pytest
from django.test import AsyncClient, Client, override_settings
from django.urls import reverse

from tests.plant.production import ROOT
from tests.plant.test_doors import answer, knock
from tests.servers.site import LiveSite
from tock_league.accounts.services import create_user
from tock_league.management.commands.check_all import DUMMY_PRODUCTION, surroundings

POLICY = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "offline-page",
}


def policy_of(header: str) -> dict[str, str]:
    parts = (part.strip().split(" ", 1) for part in header.split(";") if part.strip())
    return {name: value for name, value in parts}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200), ("/accounts/login/", 200), ("/profile/", 302), ("/no-such-page/", 404), ("/staff/access/", 403),
        ("/api/tables/none/snap", 404), ("/clubs/none/", 404), ("/health/live", 200), ("/jsi18n/", 200),
    ],
)  # fmt: skip
def test_every_answer_has_the_policy(path: str, status: int) -> None:
    found = Client().get(path)
    assert found.status_code == status
    assert policy_of(found.headers["Content-Security-Policy"]) == POLICY
    assert found.headers["X-Content-Type-Options"] == "nosniff"
    assert found.headers["Referrer-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in found.headers
    assert Client().trace(path).status_code == 405


@pytest.mark.django_db
def test_pages_for_a_session_are_not_stored_and_public_ones_may_be(client: Client) -> None:
    user = create_user(email="odette@example.org", password="une phrase assez longue")
    assert "Cache-Control" not in client.get("/clubs/").headers
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    for path in ("/", "/profile/", "/clubs/"):
        assert "no-store" in client.get(path).headers["Cache-Control"]


def test_every_cookie_of_production_has_the_host_prefix() -> None:
    text = (ROOT / "tock_league" / "settings" / "production.py").read_text(encoding="utf-8")
    names = dict(re.findall(r'^(SESSION|CSRF|LANGUAGE)_COOKIE_NAME = "([^"]+)"', text, re.MULTILINE))
    assert names == {"SESSION": "__Host-session", "CSRF": "__Host-csrf", "LANGUAGE": "__Host-language"}
    assert len(re.findall(r"^(?:SESSION|CSRF|LANGUAGE)_COOKIE_SECURE = True$", text, re.MULTILINE)) == 3
    shown = "import django; django.setup(); from tock_league.common.messages import HostCookieStorage as S; print(S.cookie_name)"
    done = subprocess.run(
        [sys.executable, "-c", shown],
        cwd=ROOT, env={**surroundings(), **DUMMY_PRODUCTION}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "__Host-messages"


@pytest.mark.django_db
def test_the_api_is_refused_and_not_redirected_where_pages_go_to_https(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_REDIRECT_EXEMPT = True, [r"^health/", r"^api/"]
    plain = Client().get("/api/tables/none/snap")
    assert (plain.status_code, plain.json()["error"]["code"]) == (403, "https_required")
    assert Client().get("/api/tables/none/snap", secure=True).status_code != 403
    page = Client().get("/clubs/")
    assert (page.status_code, page.headers["Location"]) == (301, "https://testserver/clubs/")


@pytest.mark.django_db
def test_signing_in_out_and_failing_are_lines_without_address_or_password(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    user = create_user(email="odette@example.org", password="une phrase assez longue")
    form = {"login": user.email, "password": "le mauvais mot"}
    with caplog.at_level("INFO", "tock_league.common.signins"):
        client.post(reverse("account_login"), form)
        client.post(reverse("account_login"), {**form, "password": "une phrase assez longue"})
        client.post(reverse("account_logout"))
    lines = [record for record in caplog.records if record.name == "tock_league.common.signins"]
    assert [line.getMessage() for line in lines] == ["sign-in failed", "signed in", "signed out"]
    assert [getattr(line, "details", None) for line in lines] == [None, {"login": user.pk}, {"login": user.pk}]


@pytest.mark.django_db
def test_a_failed_check_of_origin_and_a_bad_request_have_it() -> None:
    strict = Client(enforce_csrf_checks=True)
    assert policy_of(strict.post("/accounts/login/").headers["Content-Security-Policy"]) == POLICY
    with override_settings(ALLOWED_HOSTS=["tock.example.org"]):
        bad = Client(headers={"host": "evil.example"}).get("/")
    assert bad.status_code == 400
    assert policy_of(bad.headers["Content-Security-Policy"]) == POLICY


@pytest.mark.django_db
def test_only_djangos_admin_goes_without_trusted_types(admin_client: Client) -> None:
    found = policy_of(admin_client.get(reverse("admin:index"), follow=True).headers["Content-Security-Policy"])
    assert {*POLICY} - {*found} <= {"require-trusted-types-for", "trusted-types"}
    assert all(POLICY[name] == value for name, value in found.items())


def test_a_refusal_before_django_has_it(live_site: LiveSite) -> None:
    with knock(live_site) as knocked:
        knocked.sendall(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000000\r\n\r\n")
        status, headers, _body = answer(knocked)
    assert status == 413
    assert policy_of(headers["content-security-policy"]) == POLICY
    assert headers["x-content-type-options"] == "nosniff"


def test_the_policy_names_nobody_else(settings: Any) -> None:
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    assert directives["trusted-types"] == ["offline-page"]  # the name of a policy, not of a host
    sources = {source for name, values in directives.items() for source in values if name != "trusted-types"}
    assert sources <= {"'self'", "'none'", "'script'", "data:"}


GUARDED = {"x-content-type-options": "nosniff", "referrer-policy": "same-origin", "x-frame-options": "DENY"}
LIVE = b" /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"\x00\r\n\r\n", 400),
        (b"POST" + LIVE + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"GET" + LIVE + b"X-Long: " + b"x" * 33_000, 431),
        (b"POST" + LIVE + b"Content-Length: 200000000\r\n\r\n", 413),
        (b"POST /api/tables/none/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200000000\r\n\r\n", 413),
        (b"OPTIONS" + LIVE + b"\r\n", 405),
    ],
)
def test_what_the_web_server_refuses_itself_has_the_headers_of_a_page(
    live_site: LiveSite, sent: bytes, status: int
) -> None:
    with knock(live_site) as knocked:
        knocked.sendall(sent)
        found, headers, body = answer(knocked)
    assert found == status
    assert policy_of(headers["content-security-policy"]) == POLICY
    assert {name: headers.get(name) for name in GUARDED} == GUARDED
    assert b"evil" not in body


@pytest.mark.parametrize("sent", [{}, {"headers": {"host": "evil.example"}}, {"headers": {"host": "a b"}}])
def test_a_redirect_to_https_and_an_unknown_host_have_them_too(settings: Any, sent: dict[str, Any]) -> None:
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["testserver"]
    answer = Client().get("/clubs/", **sent)
    assert answer.status_code == (400 if sent else 301)
    assert policy_of(answer.headers["Content-Security-Policy"]) == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


async def test_a_target_that_is_no_path_is_refused_and_not_redirected(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = await AsyncClient().get("*")
    assert answer.status_code == 400
    assert policy_of(answer.headers["Content-Security-Policy"]) == POLICY
