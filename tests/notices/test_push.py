"""Web push: what arrives at a push service of this machine, read by a second implementation, and what becomes of devices."""

import socket
import ssl
from datetime import timedelta

import pytest

from tests.competitions.world import FIRST_ROUND
from tock_league.common import clock, outbox, outward
from tock_league.common.outward import posting
from tock_league.embedded.folder import new_push_key
from tock_league.notices import people, tasks
from tock_league.notices.kinds import KINDS
from tock_league.notices.models import Device, Notice, Push
from tock_league.notices.services import (
    add_device,
    choose,
    endpoints,
    mark_seen,
    pushing,
    show_texts,
    tell_withdrawn,
    vapid,
)
from tock_league.notices.services.pushing import PUSH_TASK

from .push_service import HOST, Browser, claims, running
from .world import a_reader, tell_something, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand")]
DAY = 24 * 3600


@pytest.fixture(scope="module")
def one_service(tmp_path_factory):
    with running(tmp_path_factory.mktemp("push")) as service:
        yield service


@pytest.fixture
def service(one_service, settings, monkeypatch):
    """A push service to which this site finds its way as if it were public."""
    settings.PUSH_KEY, settings.PUSH_CONTACT = new_push_key(), "club@example.org"
    monkeypatch.setitem(outward.USUAL, "https", one_service.port)
    monkeypatch.setattr(outward, "resolved", lambda _host, _port: ["127.0.0.1"])
    trusted = ssl.create_default_context(cafile=one_service.certificate)
    monkeypatch.setattr(posting, "context", lambda: trusted)
    one_service.status, one_service.headers, one_service.mood = 201, {}, ""
    one_service.let_go.clear()
    one_service.got.clear()
    return one_service


@pytest.fixture
def ana():
    return a_reader("Ana Roy")


def with_device(player, name="a", **more):
    browser = Browser(name)
    return browser, add_device(by=player, name="Firefox, Linux", **browser.subscription, **more)


def push() -> list[str]:
    """Do what waits for a worker; return what became of each push."""
    work()
    return [tasks.send_push(outbox_id=row.pk, **row.body) for row in outbox.waiting(PUSH_TASK)]


def test_a_push_arrives_once_encrypted_for_the_browser_and_signed_by_the_site(service, ana):
    browser, device = with_device(ana)
    tell_something(ana)
    assert push() == ["sent"]
    [(path, headers, body)] = service.got
    assert path == "/send/a"
    assert headers["host"] == HOST
    assert "user-agent" not in headers
    assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", str(DAY))
    said, key = claims(headers["authorization"])
    assert (said["aud"], said["sub"], key) == (f"https://{HOST}", "mailto:club@example.org", vapid.public_key())
    shown = browser.open(body)
    assert (shown["title"], shown["body"], shown["address"]) == (
        "Tock League",
        "You have a new notice.",
        "/notices/",
    )
    device.refresh_from_db()
    assert device.used_at == clock.now()
    outbox.OutboxRow.objects.filter(task=PUSH_TASK).update(done_at=None)  # a task that was delivered twice
    assert push() == ["done"]
    assert len(service.got) == 1


def test_a_device_shows_the_text_only_when_its_owner_wants_it_and_in_their_language(service):
    luc = a_reader("Luc Roy", language="fr")
    browser, device = with_device(luc)
    show_texts(by=luc, pk=device.pk, shown=True)
    data = {"address": "/matches/x/", "match": "x", "competition": "y", "starts_at": FIRST_ROUND}
    tell_something(luc, kind="match_in_a_day", **data)
    push()
    shown = browser.open(service.got[0][2])
    assert (shown["lang"], shown["address"]) == ("fr-ca", "/matches/x/")
    assert "mer. 2 sept., 19 h 00" in shown["body"].replace("\xa0", " ")


def test_each_device_gets_its_own_and_a_refusal_of_one_does_not_keep_the_other(service, ana):
    first, _device = with_device(ana)
    second, _device = with_device(ana, "b")
    tell_something(ana)
    assert push() == ["sent", "sent"]
    assert [path for path, _headers, _body in service.got] == ["/send/a", "/send/b"]
    assert first.open(service.got[0][2]) == second.open(service.got[1][2])


def test_pushes_about_the_same_match_replace_each_other_and_others_do_not():
    at = {"match": "x", "competition": "y"}
    day, hour, other = (
        KINDS[kind].collapse_key(at | more)
        for kind, more in (("match_in_a_day", {}), ("match_in_an_hour", {}), ("match_in_an_hour", {"match": "z"}))
    )
    assert day == hour != other
    for kind in KINDS.values():
        assert len(kind.collapse_key({name: "x" for name in kind.fields})) == 32  # RFC 8030, 5.4


def test_a_push_is_kept_no_longer_than_it_is_of_use(service, ana):
    with_device(ana)
    tell_something(ana, useless_at=clock.now() + timedelta(hours=1))
    push()
    assert service.got[0][1]["ttl"] == "3600"


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(service, ana, status):
    with_device(ana)
    service.status = status
    tell_something(ana)
    assert push() == ["gone"]
    assert (Device.objects.count(), push()) == (0, [])
    tell_something(ana, key="2")
    assert push() == []


@pytest.mark.parametrize("trouble", [429, 500, 503, "dies", "hangs"])
def test_a_push_service_that_is_busy_or_down_is_asked_again_and_nothing_is_sent_twice(
    service, ana, trouble, monkeypatch, hand
):
    monkeypatch.setattr(pushing, "PATIENCE_S", 0.3)
    browser, _device = with_device(ana)
    if isinstance(trouble, int):
        service.status = trouble
    else:
        service.mood = trouble
    tell_something(ana)
    assert push() == ["later"]
    assert Push.objects.get().claimed_at is None
    service.status, service.mood = 201, ""
    service.let_go.set()
    service.got.clear()
    assert push() == ["later"]  # the device rests
    assert service.got == []
    hand.advance(minutes=1)
    assert push() == ["sent"]
    assert push() == []
    assert browser.open(service.got[0][2])
    assert len(service.got) == 1


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("120", 120),
        ("99999999999", 6 * 3600),
        ("Wed, 02 Sep 2026 16:05:00 GMT", 300),
        ("5", 60),  # less than the site rests of itself
        ("soon", 60),
        ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", 60),
        ("-5", 60),
        ("٣", 60),
    ],
)
def test_the_wait_that_a_push_service_asks_for_is_kept_but_not_for_days(service, ana, said, wait):
    with_device(ana)
    service.status, service.headers = 429, {"Retry-After": said} if said.isascii() else {}
    tell_something(ana)
    assert push() == ["later"]
    row = outbox.OutboxRow.objects.get(task=PUSH_TASK)
    assert row.due_at == Device.objects.get().rests_until == clock.now() + timedelta(seconds=wait)


def test_a_push_service_that_never_answers_is_asked_ever_less_often_and_its_device_goes(service, ana, hand):
    with_device(ana)
    service.status = 500
    rests = []
    for number in range(3):
        tell_something(ana, key=str(number))
        push()  # however many notices wait, the service is asked once
        assert len(service.got) == number + 1
        rests.append((Device.objects.get().rests_until - clock.now()).total_seconds())
        hand.set(Device.objects.get().rests_until)
    assert rests == [60, 120, 240]
    Device.objects.update(failures=pushing.MOST_FAILURES - 1)
    assert "gone" in push()
    assert not Device.objects.exists()


def test_what_a_push_service_refuses_is_not_sent_again_and_the_device_stays(service, ana):
    with_device(ana)
    service.status = 403
    tell_something(ana)
    assert push() == ["dropped"]
    assert (Push.objects.get().why, Device.objects.count()) == ("refused", 1)


def test_what_was_read_or_switched_off_or_taken_back_or_is_too_late_is_not_pushed(service, ana, hand):
    with_device(ana)
    tell_something(ana, key="1")
    work()
    mark_seen(by=ana, notice=Notice.objects.get())
    assert push() == ["dropped"]
    tell_something(ana, key="2")
    work()
    tell_withdrawn("result_to_confirm", "2")
    assert push() == ["done"]
    tell_something(ana, key="3")
    work()
    choose(by=ana, wanted={"result_to_confirm": {"site"}})
    assert push() == ["dropped"]
    tell_something(ana, key="4")
    assert push() == []
    choose(by=ana, wanted={"result_to_confirm": {"push"}})
    tell_something(ana, key="5")
    work()
    hand.advance(hours=25)
    assert push() == ["dropped"]
    assert service.got == []


def test_pushes_wait_for_the_morning_but_not_those_about_a_table_at_which_one_plays(service, ana, hand):
    with_device(ana)
    hand.advance(hours=11)
    tell_something(ana)
    assert push() == ["later"]
    tell_something(ana, kind="table_invitation", key="2", address="/play/x/", by=ana.slug)
    assert push() == ["later", "sent"]
    hand.advance(hours=9)
    assert push() == ["sent"]


def test_a_worker_leaves_alone_what_another_one_is_sending_and_takes_over_when_it_is_dead(service, ana, hand):
    with_device(ana)
    tell_something(ana)
    work()
    Push.objects.update(claimed_at=clock.now())
    assert push() == ["later"]
    hand.advance(minutes=3)
    assert push() == ["sent"]


def test_a_name_that_leads_inside_gets_nothing_and_its_device_goes(service, ana, monkeypatch):
    monkeypatch.undo()
    with_device_settings(monkeypatch)
    with_device(ana)
    for address in (
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "::1",
        "fd00::1",
        "::ffff:192.168.0.1",
        "64:ff9b::a00:1",
    ):
        monkeypatch.setattr(socket, "getaddrinfo", resolved("8.8.8.8", address))
        with pytest.raises(endpoints.Forbidden, match="private"):
            endpoints.post(f"https://{HOST}/send/a", b"", {}, patience=1)
    tell_something(ana)
    assert push() == ["gone"]
    assert service.got == []


def test_a_certificate_of_somebody_else_is_refused(service, ana, monkeypatch):
    with_device(ana)
    monkeypatch.setattr(posting, "context", ssl.create_default_context)
    tell_something(ana)
    assert push() == ["later"]
    assert service.got == []


@pytest.mark.parametrize("host", ["1.2.3.256", "xn--a.example.org", "a%20b.example.org"])
def test_an_address_that_is_no_name_gets_nothing_and_its_device_goes(service, ana, host):
    add_device(by=ana, name="a", **(Browser().subscription | {"endpoint": f"https://{host}/send/a"}))
    tell_something(ana)
    assert push() == ["gone"]
    assert (Device.objects.count(), service.got) == (0, [])


def test_without_a_key_nothing_is_pushed(service, ana, settings):
    with_device(ana)
    tell_something(ana)
    work()
    settings.PUSH_KEY = ""
    assert push() == ["dropped"]  # it waited while the site still had one
    assert Push.objects.get().why == "switched_off"
    tell_something(ana, key="2")
    assert push() == []


def test_the_export_names_devices_without_their_keys_and_they_go_with_the_person(service, ana):
    browser, _device = with_device(ana)
    tell_something(ana)
    push()
    person = people.Person(ana.user, ana)
    exported = {section.name: list(section.rows(person)) for section in people.SECTIONS}
    assert exported["push_devices"][0]["push_service"] == HOST
    assert exported["pushes"][0]["state"] == "sent"
    assert browser.subscription["endpoint"] not in str(exported)
    people.forget(people.Leaving(person, "Joueur 8F3", clock.now()))
    assert (Device.objects.count(), Push.objects.count()) == (0, 0)


def resolved(*addresses):
    return lambda *_args, **_more: [(2, 1, 6, "", (address, 443)) for address in addresses]


def with_device_settings(monkeypatch):
    from django.conf import settings

    monkeypatch.setattr(settings, "PUSH_KEY", new_push_key())
