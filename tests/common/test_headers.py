"""Every answer has the strict Content Security Policy, whoever makes it and whatever its status."""

from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from tests.plant.test_doors import answer, knock
from tests.servers.site import LiveSite

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
    "trusted-types": "'none'",
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
    sources = {source for values in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].values() for source in values}
    assert sources <= {"'self'", "'none'", "'script'", "data:"}
