"""Proxies that are trusted are believed; one that is not is noticed, and a page and `ready` say so."""

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from django.test import Client

from tests.plant.production import ROOT
from tock_league.accounts.services import create_player
from tock_league.common import proxies
from tock_league.embedded.forwarded import Forwarded
from tock_league.embedded.web import distrust

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
VISITORS = [f"198.51.100.{number}" for number in range(20)]


@pytest.fixture(autouse=True)
def nothing_noted() -> Iterator[None]:
    proxies.forget()
    yield
    proxies.forget()


async def clients_seen(trusted: list[str], peer: str, visitors: list[str]) -> set[str]:
    """Return the client addresses that the site sees when `peer` passes on a request of each visitor."""
    seen = set()

    async def site(scope: dict[str, Any], receive: Any, send: Any) -> None:
        seen.add(scope["client"][0])

    for visitor in visitors:
        headers = [(b"host", b"tock.test"), (b"x-forwarded-for", visitor.encode())]
        await Forwarded(site, trusted)({"type": "http", "client": (peer, 4711), "headers": headers}, None, None)
    return seen


def allowed_by_compose(**environment: str) -> list[str]:
    """Return FORWARDED_ALLOW_IPS of docker-compose.yml with these variables set in .env."""
    text = COMPOSE["services"]["web"]["environment"]["FORWARDED_ALLOW_IPS"]
    for name, default in (("NETWORK", "172.29.171.0/24"), ("TRUSTED_PROXIES", "127.0.0.1")):
        text = text.replace(f"${{{name}:-{default}}}", environment.get(name, default))
    assert "$" not in text
    return proxies.read(text)


async def test_the_gateway_and_a_proxy_in_a_container_are_trusted_without_any_setting() -> None:
    (network,) = COMPOSE["networks"]["edge"]["ipam"]["config"]
    assert network["subnet"] == "${NETWORK:-172.29.171.0/24}"
    for peer in ("172.29.171.1", "172.29.171.9", "127.0.0.1"):
        assert await clients_seen(allowed_by_compose(), peer, VISITORS) == set(VISITORS)
    assert proxies.untrusted() == []
    assert proxies.are_right()


async def test_a_setting_adds_a_proxy_and_takes_none_away() -> None:
    allowed = allowed_by_compose(TRUSTED_PROXIES="10.1.2.3,2001:db8::/32", NETWORK="10.9.0.0/16")
    for peer in ("10.1.2.3", "2001:db8::7", "10.9.0.1"):
        assert await clients_seen(allowed, peer, VISITORS) == set(VISITORS)
    assert await clients_seen(allowed, "172.29.171.1", VISITORS) == {"172.29.171.1"}


async def test_a_stranger_cannot_claim_an_address() -> None:
    assert await clients_seen(allowed_by_compose(), "203.0.113.9", VISITORS) == {"203.0.113.9"}


async def test_an_unknown_proxy_is_noticed_and_one_warning_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert await clients_seen(["127.0.0.1"], "10.0.0.7", VISITORS) == {"10.0.0.7"}
    (peer,) = proxies.untrusted()
    assert (peer.address, peer.count, peer.is_near) == ("10.0.0.7", len(VISITORS), True)
    assert not proxies.are_right()
    assert [record.getMessage() for record in caplog.records] == [
        "X-Forwarded-For from 10.0.0.7, which is not in TRUSTED_PROXIES: its visitors count as one"
    ]


async def test_strangers_who_send_the_header_neither_alarm_nor_fill_the_memory(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for number in range(3 * proxies.KEPT):
        await clients_seen(["127.0.0.1"], f"8.8.{number}.8", ["1.2.3.4"])
    assert len(proxies.untrusted()) == proxies.KEPT
    assert proxies.are_right()
    assert caplog.records == []


def test_a_sign_of_a_wrong_proxy_ends_after_an_hour(frozen_clock: Any) -> None:
    proxies.note({"client": ("10.0.0.7", 1), "headers": [(b"x-forwarded-for", b"1.2.3.4")]})
    proxies.note({"client": ("10.0.0.8", 1), "headers": [(b"x-forwarded-for", b" ")]})
    assert [peer.address for peer in proxies.untrusted()] == ["10.0.0.7"]
    frozen_clock.advance(seconds=3601)
    assert proxies.untrusted() == []


@pytest.mark.parametrize("text", ["proxy", "10.0.0.1/8", "10.0.0.300", "127.0.0.1, 172.29.0.0/33", "*.1"])
def test_an_entry_that_is_no_address_stops_the_start(text: str) -> None:
    with pytest.raises(ValueError, match="no address and no network"):
        proxies.read(text)


def test_a_site_open_to_other_machines_without_a_trusted_proxy_says_so_at_the_start() -> None:
    assert "trusts this machine only" in distrust("0.0.0.0", ["127.0.0.1", "::1"])
    for host, entries in (("127.0.0.1", ["127.0.0.1"]), ("0.0.0.0", ["172.29.171.0/24"]), ("::", ["*"])):
        assert distrust(host, entries) == ""


@pytest.mark.django_db(transaction=True)
def test_ready_names_the_proxy_and_stays_200() -> None:
    proxies.note({"client": ("10.0.0.7", 1), "headers": [(b"x-forwarded-for", b"1.2.3.4")]})
    answer = Client().get("/health/ready")
    assert (answer.status_code, answer.json()["degraded"], answer.json()["proxies"]) == (200, ["proxies"], False)


@pytest.mark.django_db
def test_the_administrators_page_says_which_proxy_is_not_trusted(django_user_model: Any) -> None:
    boss = django_user_model.objects.create_superuser(email="boss@example.org", password="le tock du mercredi")
    create_player(display_name="Bosse Demer", user=boss)
    client = Client()
    assert client.get("/staff/access/").status_code == 403
    client.force_login(boss, backend=BACKEND)
    quiet = client.get("/staff/access/").content.decode()
    assert 'role="alert"' not in quiet
    proxies.note({"client": ("10.0.0.7", 1), "headers": [(b"x-forwarded-for", b"1.2.3.4")]})
    page = client.get("/staff/access/", HTTP_HOST="evil.example").content.decode()
    assert 'role="alert"' in page
    assert "<code>10.0.0.7</code>" in page
    assert "evil.example" not in page
