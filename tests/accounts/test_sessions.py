"""A person's sessions: the list, signing out elsewhere, and the limits after which they end by themselves."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from axes.models import AccessLog
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from tests.accounts.signing import PASSWORD, a_player, set_up_factor, sign_in
from tock_league.accounts import sessions
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.accounts.tasks import forget_sessions
from tock_league.accounts.templatetags.people import device
from tock_league.common import clock

pytestmark = pytest.mark.django_db
LIST = "/accounts/sessions/"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def oceane():
    return a_player("Océane Trudel", "oceane@example.org")


@pytest.fixture
def player(oceane, frozen_clock):
    return frozen_clock


def signed_in(user, **more):
    browser = Client(**more)
    sign_in(browser, user)
    return browser


def stands(browser):
    """Return whether the browser is still signed in."""
    return browser.get(reverse("accounts:profile")).status_code == 200


def later(hand, *visitors, **span):
    """Let time pass; return which of the visitors are still signed in."""
    hand.advance(seconds=timedelta(**span).total_seconds())
    return [stands(browser) for browser in visitors]


def test_the_list_names_device_address_and_times_and_marks_this_one(oceane):
    here = signed_in(oceane.user, REMOTE_ADDR="192.0.2.7", HTTP_USER_AGENT=FIREFOX)
    signed_in(oceane.user, REMOTE_ADDR="198.51.100.9", HTTP_USER_AGENT="curl/8.5")
    other = signed_in(a_player("Gilles", "gilles@example.org").user, REMOTE_ADDR="203.0.113.5")
    page = here.get(LIST).content.decode()
    assert "Firefox, Windows" in page
    assert "curl/8.5" in page
    assert "192.0.2.7" in page
    assert "198.51.100.9" in page
    assert "203.0.113.5" not in page
    assert page.count("tag good") == 1
    keys = {browser.session.session_key for browser in (here, other)}
    assert not any(key in page for key in keys)


@pytest.mark.parametrize(
    ("agent", "shown"),
    [
        (FIREFOX, "Firefox, Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
            "Safari, iPhone",
        ),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Linux"),
        ("curl/8.5", "curl/8.5"),
        ("", "Appareil inconnu"),
    ],
)
def test_a_device_is_named_by_its_browser_and_system(agent, shown):
    assert device(agent) in (shown, "Unknown device" if not agent else shown)


def test_one_session_is_signed_out_and_only_an_own_one(oceane):
    here, there = signed_in(oceane.user), signed_in(oceane.user)
    stranger = signed_in(a_player("Gilles", "gilles@example.org").user)
    row = UserSession.objects.get(session_key=there.session.session_key)
    assert stranger.post(reverse("accounts:end_session", args=[row.pk])).status_code == 404
    assert here.get(reverse("accounts:end_session", args=[row.pk])).status_code == 405
    assert stands(there)
    assert here.post(reverse("accounts:end_session", args=[row.pk])).url == LIST
    assert not stands(there)
    assert stands(here)


def test_signing_out_everywhere_else_leaves_this_session(oceane):
    here, *others = (signed_in(oceane.user) for _browser in range(3))
    here.post(LIST)
    assert [stands(browser) for browser in (here, *others)] == [True, False, False]


def test_a_new_password_ends_every_session(oceane):
    here, there = signed_in(oceane.user), signed_in(oceane.user)
    new = "une autre phrase de passe"
    here.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert [stands(here), stands(there)] == [False, False]


@pytest.mark.parametrize("change", ["mfa_deactivate_totp", "mfa_generate_recovery_codes"])
def test_a_change_of_the_second_factor_ends_the_other_sessions(oceane, change, django_capture_on_commit_callbacks):
    there = signed_in(oceane.user)
    secret = set_up_factor(oceane.user)
    here = Client()
    sign_in(here, oceane.user, secret=secret)
    here.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    with django_capture_on_commit_callbacks(execute=True):
        assert here.post(reverse(change)).status_code == 302
    assert stands(here)
    assert not stands(there)
    assert not Session.objects.filter(session_key=there.session.session_key).exists()


def test_a_players_session_ends_after_fourteen_days_without_use_and_thirty_with(oceane, player):
    idle, busy = signed_in(oceane.user), signed_in(oceane.user)
    assert later(player, busy, days=13) == [True]
    assert later(player, idle, busy, days=1, seconds=1) == [False, True]
    assert later(player, busy, days=13) == [True]
    assert later(player, busy, days=3) == [False], "thirty days after the sign-in"


def test_a_session_of_somebody_with_a_role_ends_after_half_an_hour_without_use(oceane, player, settings):
    settings.MFA_REQUIRED_ROLES = ["referee"]
    give_role(player=oceane, name="referee", by=SITE)
    idle, busy = signed_in(oceane.user), signed_in(oceane.user)
    assert later(player, busy, minutes=20) == [True]
    assert later(player, idle, busy, minutes=11) == [False, True]
    assert later(player, busy, minutes=31) == [False]


@pytest.mark.parametrize(
    "headers", [{"accept": "text/html"}, {"accept": "application/json"}, {"sec-fetch-mode": "cors"}]
)
def test_a_page_that_lies_open_and_asks_for_news_is_no_use(oceane, player, headers, settings):
    settings.MFA_REQUIRED_ROLES = ["referee"]
    give_role(player=oceane, name="referee", by=SITE)
    browser = signed_in(oceane.user)
    for _look in range(4):
        player.advance(seconds=9 * 60)
        browser.get(reverse("accounts:profile"), headers=headers)
    assert not stands(browser)


def test_a_page_that_lies_open_learns_whose_session_it_is_and_when_it_ends(oceane, player, settings):
    def asked(browser):
        return browser.get(reverse("accounts:session"), headers={"accept": "application/json"}).json()

    browser = signed_in(oceane.user)
    other = asked(signed_in(a_player("Gilles", "gilles@example.org").user))
    player.advance(seconds=100)
    first = asked(browser)
    assert first["ends_in_s"] == settings.SESSION_IDLE_S - 100
    assert first["owner"] not in ("", other["owner"])
    page = browser.get(reverse("accounts:profile")).content.decode()
    assert f'data-owner="{first["owner"]}"' in page
    browser.post(reverse("account_logout"))
    assert asked(browser) == {"owner": "", "ends_in_s": 0}
    assert "signed_in" not in browser.get("/").content.decode()


def test_a_role_given_meanwhile_shortens_the_session_at_its_next_use(oceane, player, settings):
    browser = signed_in(oceane.user)
    settings.MFA_REQUIRED_ROLES = ["referee"]
    give_role(player=oceane, name="referee", by=SITE)
    assert later(player, browser, hours=2) == [False]


def test_a_role_without_a_second_factor_has_the_players_limit(oceane, player, settings):
    settings.MFA_REQUIRED_ROLES = []
    give_role(player=oceane, name="referee", by=SITE)
    browser = signed_in(oceane.user)
    assert later(player, browser, days=13) == [True]


def test_plays_at_a_table_keep_a_session_with_a_role_alive(oceane, player, settings):
    settings.MFA_REQUIRED_ROLES = ["referee"]
    give_role(player=oceane, name="referee", by=SITE)
    browser = signed_in(oceane.user)
    for _play in range(4):
        player.advance(seconds=25 * 60)
        sessions.keep(browser.session.session_key)
    assert stands(browser)
    assert later(player, browser, minutes=31) == [False]
    sessions.keep("no such session")
    ended = UserSession.objects.filter(user=oceane.user).first()
    if ended is not None:
        sessions.keep(ended.session_key)
    assert not stands(browser), "an ended session does not begin again"


def test_a_keep_does_not_reach_beyond_the_absolute_limit(oceane, player, settings):
    browser = signed_in(oceane.user)
    key = browser.session.session_key
    player.advance(seconds=settings.SESSION_ABSOLUTE_S - settings.SESSION_IDLE_S - 10)
    for _week in range(2):
        sessions.keep(key)
        player.advance(seconds=settings.SESSION_IDLE_S / 2)
    sessions.keep(key)
    assert later(player, browser, seconds=20) == [False]


def test_most_pages_write_nothing_about_the_session(oceane, player):
    browser = signed_in(oceane.user)
    before = Session.objects.get(session_key=browser.session.session_key).expire_date
    assert later(player, browser, minutes=9) == [True]
    assert Session.objects.get(session_key=browser.session.session_key).expire_date == before
    assert later(player, browser, minutes=2) == [True]
    assert Session.objects.get(session_key=browser.session.session_key).expire_date > before


def test_ended_sessions_and_old_sign_ins_are_forgotten(oceane, player):
    left, stays = signed_in(oceane.user), signed_in(oceane.user)
    assert later(player, stays, days=13) == [True]
    player.advance(seconds=2 * 24 * 3600)
    AccessLog.objects.update(attempt_time=clock.now() - timedelta(days=31))
    assert forget_sessions() == 1 + 1 + 2
    (row,) = UserSession.objects.all()
    assert row.session_key == stays.session.session_key != left.session.session_key
    assert stands(stays)
    assert not AccessLog.objects.exists()
    assert forget_sessions() == 0


def test_a_session_that_is_read_and_written_asynchronously_has_the_same_limits(frozen_clock, settings):
    async def read():
        return await sessions.SessionStore(store.session_key).aget("table_guest")

    store = sessions.SessionStore()
    async_to_sync(store.aset)("table_guest", "key")
    async_to_sync(store.asave)()
    assert async_to_sync(read)() == "key"
    frozen_clock.advance(seconds=settings.GUEST_SESSION_S + 1)
    assert async_to_sync(read)() is None


def test_a_new_session_has_a_new_key_at_sign_in(oceane, client):
    client.get(reverse("games:practice"))
    client.post(reverse("games:practice"), {})
    before = client.session.session_key
    sign_in(client, oceane.user)
    assert client.session.session_key != before


@pytest.mark.parametrize(("key", "limit"), [("table_guest", "GUEST_SESSION_S"), ("language", "SESSION_IDLE_S")])
def test_a_visitors_session_has_no_login_and_lives_longer_with_a_seat_at_a_table(
    client, frozen_clock, settings, key, limit
):
    store = sessions.SessionStore()
    store[key] = "value"
    store.save()
    row = Session.objects.get(session_key=store.session_key)
    assert row.expire_date == clock.now() + timedelta(seconds=getattr(settings, limit))
    assert sessions.SessionStore(store.session_key)[key] == "value"
