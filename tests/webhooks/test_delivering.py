"""Attempts against a real server: giving up, disabling, addresses inside, slow and strange answers."""

import socket
import ssl
from datetime import timedelta

import pytest
from django.test import override_settings

from tests.common.receiver import certificate_of, receiving
from tests.notices.world import told, with_login
from tock_league.webhooks import selectors, services
from tock_league.webhooks.models import Delivery, Webhook
from tock_league.webhooks.services import addresses, delivering, posting

from .world import a_place, certify, listening, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand")]


@pytest.fixture
def place():
    return a_place()


def test_waits_double_up_to_an_hour_and_differ():
    waits = [delivering.wait_after(3) for _ in range(50)]
    assert all(timedelta(seconds=30) <= wait <= timedelta(seconds=60) for wait in waits)
    assert len(set(waits)) > 10
    assert timedelta(minutes=30) <= delivering.wait_after(1000) <= timedelta(hours=1)


def test_a_day_of_failures_disables_the_webhook_and_tells_those_who_look_after_it(place, receiver, hand):
    webhook = listening(place, receiver)
    stranger = with_login(place.match.side_rows.first().entry.roster.first().player, "stranger@example.org")
    certify(place.match)
    receiver.answers = [(410, {}, b"")] * 5
    while not Webhook.objects.get().off:
        assert work()[0] == "later"
        hand.advance(hours=8)
    began = Delivery.objects.get().made_at
    assert timedelta(hours=24) <= Webhook.objects.get().off_at - began < timedelta(hours=25)
    assert told(place.officer) == ["webhook_disabled"]
    assert told(stranger) == []
    assert work() == ["given_up"]
    sent = len(receiver.got)
    services.switch_on(by=place.officer, slug=webhook.slug)
    other = place.match.round.matches.exclude(pk=place.match.pk).get()
    receiver.answers = []
    certify(other)
    assert work() == ["sent"]
    assert len(receiver.got) == sent + 1


def test_a_slow_and_a_long_answer_end(place, receiver, monkeypatch):
    webhook = listening(place, receiver)
    receiver.answers = [(200, {}, "é\x00<b>".encode() * 100_000)]
    services.ping(by=place.officer, slug=webhook.slug)
    assert work() == ["sent"]
    answer = Delivery.objects.get().answer
    assert len(answer) <= 500
    assert "\x00" not in answer
    monkeypatch.setattr(posting, "TOTAL_S", 0.4)
    receiver.drips = True
    services.ping(by=place.officer, slug=webhook.slug)
    assert work() == ["later"]
    slow = Delivery.objects.first()
    assert (slow.error, slow.status) == ("timeout", None)
    assert slow.took_ms < 3_000


def test_nobody_listens_there_any_more(place, receiver):
    webhook = listening(place, receiver)
    Webhook.objects.update(address="http://127.0.0.1:1025/hook")
    services.ping(by=place.officer, slug=webhook.slug)
    assert work() == ["later"]
    assert Delivery.objects.get().error == "connect"


def test_a_name_that_leads_inside_later_is_refused_at_delivery(place, receiver, monkeypatch):
    """DNS rebinding: public at registration, this machine at delivery."""
    answers = ["93.184.216.34"]
    asked = []

    def getaddrinfo(host, port, *_more, **_named):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers[0], port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with override_settings(WEBHOOKS_INSIDE=False):
        address = f"https://rebind.example:{receiver.port}/hook"
        webhook = services.add(by=place.officer, place=place.cup, address=address, kinds=["result.confirmed"]).webhook
        answers[0] = "127.0.0.1"
        services.ping(by=place.officer, slug=webhook.slug)
        assert work() == ["later"]
    assert Delivery.objects.get().error == "inside"
    assert receiver.got == []
    # The connection goes to the address that was checked; no name is looked up a second time.
    del asked[:]
    target = addresses.parsed(f"http://rebind.example:{receiver.port}/hook")
    numeric = addresses.resolved(target)
    answer = posting.post(target, numeric, b"{}", {"webhook-id": "1"})
    assert answer.status == 200
    assert receiver.got[0][1]["host"] == f"rebind.example:{receiver.port}"
    assert "rebind.example" not in asked[1:]


def test_only_the_certificate_of_the_name_is_accepted(receiver, monkeypatch, tmp_path):
    def post(host, port):
        answer = posting.post(addresses.parsed(f"https://{host}:{port}/"), ["127.0.0.1"], b"{}", {})
        return answer.status, answer.error

    assert post("example.org", receiver.port) == (None, "tls")  # it speaks plain http
    files = certificate_of("example.org", tmp_path)
    trusting = ssl.create_default_context(cafile=files[0])
    with receiving(files) as safe:
        assert post("example.org", safe.port) == (None, "tls")  # nobody vouches for it
        monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)
        assert post("example.org", safe.port) == (200, "")
        assert post("example.net", safe.port) == (None, "tls")
        assert post("127.0.0.1", safe.port) == (None, "tls")
        assert len(safe.got) == 1
    assert receiver.got == []


def test_a_secret_that_the_present_key_does_not_open_is_said(place, receiver, settings):
    webhook = listening(place, receiver)
    settings.SECRET_KEY = "another key of the site, of some length"
    services.ping(by=place.officer, slug=webhook.slug)
    assert work() == ["given_up"]
    assert Delivery.objects.get().error == "secret"
    services.renew_secret(by=place.officer, slug=webhook.slug)
    services.ping(by=place.officer, slug=webhook.slug)
    assert work() == ["sent"]
    assert selectors.managers(webhook) == [place.officer.pk]
