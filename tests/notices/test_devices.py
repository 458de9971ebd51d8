"""The devices in the settings: switched on, listed, revoked; and the addresses that are refused."""

import re

import pytest
from allauth.account.signals import password_changed
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from tests.documents import squeezed
from tock_league.accounts.sessions import end_others
from tock_league.common.errors import Refused
from tock_league.embedded.folder import new_push_key
from tock_league.notices.models import Device
from tock_league.notices.services import add_device
from tock_league.notices.services.devices import MOST_DEVICES, digest_of

from .push_service import Browser
from .test_pages import SETTINGS, browser
from .world import a_reader

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand", "key")]
ADD = "/notices/devices/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


@pytest.fixture
def key(settings):
    settings.PUSH_KEY = new_push_key()


@pytest.fixture
def ana():
    return a_reader("Ana Roy")


def test_a_device_is_listed_with_its_name_and_removed_by_one_press(ana):
    client = browser(ana.user)
    page = client.get(SETTINGS).content.decode()
    assert re.search(r'data-key="[\w-]{87}"', page)
    assert client.post(ADD, Browser().subscription, headers={"user-agent": FIREFOX}).status_code == 302
    page = squeezed(client.get(SETTINGS).content.decode())
    assert "Firefox, Linux" in page
    assert "Not used yet" in page
    device = Device.objects.get()
    assert device.endpoint not in page
    client.post(reverse("notices:device_texts", args=[device.pk]), {"shown": "yes"})
    assert "also on its lock screen" in squeezed(client.get(SETTINGS).content.decode())
    client.post(reverse("notices:end_device", args=[device.pk]))
    assert Device.objects.count() == 0


def test_the_same_browser_is_one_device_and_belongs_to_whoever_is_signed_in(ana):
    bob, subscription = a_reader("Bob Roy"), Browser().subscription
    first = add_device(by=ana, name="a", **subscription)
    assert add_device(by=ana, name="b", **subscription).pk == first.pk
    add_device(by=bob, name="c", **subscription)
    assert [(row.player, row.name) for row in Device.objects.all()] == [(bob, "c")]


def test_signing_out_takes_the_device_along_and_no_other_one(ana):
    here, there = browser(ana.user), browser(ana.user)
    here.post(ADD, Browser("a").subscription)
    there.post(ADD, Browser("b").subscription)
    here.post(reverse("account_logout"))
    assert [row.endpoint[-2:] for row in Device.objects.all()] == ["/b"]


def test_ending_sessions_elsewhere_and_a_new_password_take_their_devices_along(ana):
    clients = [browser(ana.user) for _number in range(4)]
    for number, client in enumerate(clients):
        UserSession.objects.create(user=ana.user, session_key=client.session.session_key, ip="127.0.0.1")
        client.post(ADD, Browser(str(number)).subscription)
    bob = add_device(by=a_reader("Bob Roy"), name="b", **Browser("b").subscription)
    left = Device.objects.filter(player=ana)
    rows = {digest_of(row.session_key): row for row in UserSession.objects.filter(user=ana.user)}
    last = left.get(endpoint__endswith="/3")
    clients[0].post(reverse("accounts:end_session", args=[rows[last.session].pk]))
    assert [row.endpoint[-2:] for row in left.all()] == ["/0", "/1", "/2"]
    clients[0].post(reverse("usersessions_list"))
    assert [row.endpoint[-2:] for row in left.all()] == ["/0"]
    add_device(by=ana, name="c", **Browser("c").subscription)
    end_others(ana.user, but=clients[0].session.session_key)
    assert [row.endpoint[-2:] for row in left.all()] == ["/0"]
    password_changed.send(sender=None, request=None, user=ana.user)
    assert list(Device.objects.all()) == [bob]


def test_nobody_changes_the_devices_of_others_and_visitors_have_none(ana):
    device = add_device(by=ana, name="a", **Browser().subscription)
    other = browser(a_reader("Bob Roy").user)
    for name in ("notices:end_device", "notices:device_texts"):
        assert other.post(reverse(name, args=[device.pk]), {"shown": "yes"}).status_code == 404
    device.refresh_from_db()
    assert not device.shows_text
    assert Client().post(ADD, Browser().subscription)["Location"].startswith("/accounts/login/")
    assert browser(ana.user).get(ADD).status_code == 405


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("endpoint", "http://push.example.org/x"),
        ("endpoint", "https://127.0.0.1/x"),
        ("endpoint", "https://[::1]/x"),
        ("endpoint", "https://8.8.8.8/x"),
        ("endpoint", "https://localhost/x"),
        ("endpoint", "https://db.internal/x"),
        ("endpoint", "https://printer/x"),
        ("endpoint", "https://push.example.org:8443/x"),
        ("endpoint", "https://user@push.example.org/x"),
        ("endpoint", "https://push.example.org/x\r\nX: y"),
        ("endpoint", "https://push.example.org:port/x"),
        ("endpoint", "https://push.example.org/" + "x" * 600),
        ("endpoint", ""),
        ("p256dh", "AAAA"),
        ("p256dh", "B" + "A" * 86),  # 65 bytes, no point
        ("p256dh", "é" * 87),
        ("auth", "AAAA"),
        ("auth", "====" * 6),
    ],
)
def test_impossible_subscriptions_are_refused_by_field_and_nothing_is_written(ana, field, value):
    with pytest.raises(Refused) as refused:
        add_device(by=ana, name="a", **(Browser().subscription | {field: value}))
    assert refused.value.field == field
    assert browser(ana.user).post(ADD, Browser().subscription | {field: value}).status_code in (400, 409, 422)
    assert Device.objects.count() == 0


def test_a_player_has_ten_devices_at_most(ana):
    for number in range(MOST_DEVICES):
        add_device(by=ana, name="a", **Browser(str(number)).subscription)
    with pytest.raises(Refused, match="too_many_devices"):
        add_device(by=ana, name="a", **Browser("more").subscription)
    add_device(by=ana, name="a", **Browser("7").subscription)  # known already


def test_without_a_key_the_page_says_so_and_no_device_is_taken(ana, settings):
    settings.PUSH_KEY = ""
    client = browser(ana.user)
    assert "This site sends no pushes" in client.get(SETTINGS).content.decode()
    assert client.post(ADD, Browser().subscription).status_code in (400, 409, 422)
