"""Which addresses may be told something; also tried at the page, in test_pages. Numeric ones: tests/common/test_outward.py."""

import pytest

from tock_league.common.errors import Refused
from tock_league.webhooks.services import addresses


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("http://example.org/", "webhook_https"),
        ("ftp://example.org/", "webhook_address"),
        ("//example.org/", "webhook_address"),
        ("https:///x", "webhook_address"),
        ("https://user" + ":pw@example.org/", "webhook_address"),
        ("https://example.org/#x", "webhook_address"),
        ("https://example.org/\r\nX-Y: 1", "webhook_address"),
        ("https://exa mple.org/", "webhook_address"),
        ("https://example.org:99999/", "webhook_address"),
        ("https://example.org:25/", "webhook_port"),
        ("https://example.org\\@127.0.0.1/", "webhook_address"),
        ("https://" + "a" * 600 + ".org/", "webhook_address"),
        ("https://127.0.0.1/", "webhook_inside"),
        ("https://127.1/", "webhook_inside"),
        ("https://2130706433/", "webhook_inside"),
        ("https://0x7f.0.0.1/", "webhook_inside"),
        ("https://[::1]:8443/", "webhook_inside"),
        ("https://[::ffff:169.254.169.254]/", "webhook_inside"),
        ("https://localhost/", "webhook_inside"),
        ("https://no-such-name.invalid/", "webhook_unknown"),
    ],
)
def test_hostile_addresses_are_refused(address, code):
    with pytest.raises(Refused) as refused:
        addresses.resolved(addresses.parsed(address))
    assert (refused.value.code, refused.value.field) == (code, "address")


def test_addresses_are_taken_apart():
    target = addresses.parsed(" https://Tock-Été.example.org:8443/a?b=1 ")
    assert (target.host, target.port, target.path) == ("xn--tock-t-fvab.example.org", 8443, "/a?b=1")
    assert target.host_header == "xn--tock-t-fvab.example.org:8443"
    assert addresses.parsed("https://[2606:4700::1111]").host_header == "[2606:4700::1111]"
