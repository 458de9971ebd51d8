"""Which addresses an application may register, and which fit a registered one."""

import pytest

from tock_league.common.errors import Refused
from tock_league.oauth.services import redirects

GOOD = [
    "https://example.org",
    "https://example.org/retour",
    "https://app.example.org:8443/a/b?x=1&y=%20",
    "http://127.0.0.1/retour",
    "http://127.0.0.1:8000/retour",
    "http://[::1]/",
    "org.example.app:/retour",
    "com.example-site.app:/",
]
BAD = [
    "http://example.org/",
    "http://localhost/retour",
    "http://127.0.0.1.evil.example/",
    "http://127.0.0.1@evil.example/",
    "http://127.0.0.2/",
    "https://user@example.org/",
    "https://user:password@host.example/",
    "https://*.example.org/",
    "https://example.org/*",
    "https://example.org/#x",
    "https://example.org/\\evil",
    "https://example.org/a b",
    'https://example.org/"',
    "https://example.org/é",
    "https://exämple.org/",
    "https://EXAMPLE.org/",
    "https://example.org:99999/",
    "https://example.org:0/",
    "https://localhost/",
    "https:///retour",
    "https://example.org/?code=1",
    "https://example.org/?state",
    "https://example.org/%zz",
    "https://example.org/\n",
    "//example.org/",
    "/retour",
    "javascript:alert(1)",
    "data:text/html,x",
    "myapp:/retour",
    "org.example.app://retour",
    "org.example.app:retour",
    "ORG.example.app:/retour",
    "https://example.org/" + "x" * 250,
]


@pytest.mark.parametrize("address", GOOD)
def test_an_address_that_may_be_registered_fits_itself_alone(address: str) -> None:
    assert redirects.checked([f" {address} ", address]) == [address]
    assert redirects.fits(address, [address])
    for other in (address + "x", address + "#x", f"{address}@evil.example", address.upper(), f"{address}\n"):
        assert not redirects.fits(other, [address]), other


@pytest.mark.parametrize("address", [address for address in BAD if address.strip() == address])
def test_an_address_that_may_not_be_registered(address: str) -> None:
    with pytest.raises(Refused) as refused:
        redirects.checked([address])
    assert (refused.value.code, refused.value.field) == ("redirect", "redirects")


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        ("http://127.0.0.1:51004/retour", True),
        ("http://127.0.0.1/retour", True),
        ("http://127.0.0.1:51004/autre", False),
        ("http://127.0.0.1:51004/retour?x=1", False),
        ("http://[::1]:51004/retour", False),
        ("https://127.0.0.1:51004/retour", False),
        ("http://127.0.0.1:51004" + "@evil.example/retour", False),
        ("http://127.0.0.1:510041/retour", False),
        ("http://localhost:51004/retour", False),
    ],
)
def test_only_the_port_of_a_loopback_address_is_free(asked: str, fits: bool) -> None:
    assert redirects.fits(asked, ["http://127.0.0.1:8000/retour"]) is fits


def test_the_port_of_another_address_is_not_free() -> None:
    assert not redirects.fits("https://example.org:8443/", ["https://example.org/"])


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("https://example.org:8443/a?x=1", "https://example.org:8443"),
        ("http://127.0.0.1:5100/a", "http://127.0.0.1:5100"),
        ("http://[::1]:5100/a", "http:"),
        ("org.example.app:/a", "org.example.app:"),
    ],
)
def test_the_policy_names_the_origin_and_no_more(address: str, source: str) -> None:
    assert redirects.form_action(address) == source


def test_there_is_one_address_at_least_and_five_at_most() -> None:
    for given in ([], ["", " "], [f"https://example.org/{number}" for number in range(6)]):
        with pytest.raises(Refused) as refused:
            redirects.checked(given)
        assert refused.value.field == "redirects"
