"""The page of the own notices, its settings, the count in the header."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.accounts.children import BACKEND
from tests.documents import squeezed
from tock_league.accounts.services import create_user
from tock_league.clubs import services as clubs
from tock_league.common import clock, outbox
from tock_league.notices import selectors
from tock_league.notices.kinds import KINDS
from tock_league.notices.models import Bounce, Notice

from .world import a_reader, tell_something, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hand")]
LIST, SETTINGS = "/notices/", "/notices/settings/"


def browser(user) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user, backend=BACKEND)
    return client


@pytest.fixture
def ana():
    return a_reader("Ana Roy")


def page(client: Client, path: str = LIST) -> str:
    return squeezed(client.get(path).content.decode())


def test_a_notice_is_read_by_opening_it_and_leads_to_its_page(ana):
    tell_something(ana)
    client = browser(ana.user)
    assert "Please confirm the result" in page(client)
    assert "1 new notice" in page(client)
    answer = client.post(reverse("notices:go", args=[Notice.objects.get().pk]))
    assert (answer.status_code, answer["Location"]) == (302, "/matches/x/paper/")
    assert "new notice" not in page(client)


def test_all_are_marked_as_read_by_one_press(ana):
    tell_something(ana)
    tell_something(ana, key="2")
    client = browser(ana.user)
    assert "2 new notices" in page(client)
    client.post("/notices/seen/")
    assert selectors.unseen(ana) == 0


def test_what_came_after_the_page_was_opened_is_not_marked(ana):
    tell_something(ana)
    client = browser(ana.user)
    [newest] = re.findall(r'name="newest" value="(\d+)"', page(client))
    tell_something(ana, key="2")
    client.post("/notices/seen/", {"newest": newest})
    assert list(Notice.objects.filter(seen_at__isnull=True).values_list("key", flat=True)) == ["2"]
    for wrong in ("x", "0", "9" * 30):
        assert client.post("/notices/seen/", {"newest": wrong}).status_code == 422
    assert selectors.unseen(ana) == 1


def test_nobody_reads_or_marks_the_notices_of_others(ana):
    tell_something(ana)
    address = reverse("notices:go", args=[Notice.objects.get().pk])
    other = browser(a_reader("Bob Roy").user)
    assert "Please confirm" not in page(other)
    assert other.post(address).status_code == 404
    other.post("/notices/seen/")
    assert selectors.unseen(ana) == 1
    for path in (LIST, SETTINGS):
        assert Client().get(path)["Location"].startswith("/accounts/login/")
    assert Client().post(address)["Location"].startswith("/accounts/login/")
    assert browser(ana.user).get(address).status_code == 405  # a link alone marks nothing
    assert browser(create_user(email="nobody@example.org")).get(LIST).status_code == 403


def test_the_settings_keep_what_was_ticked_and_what_cannot_be_switched_off(ana):
    client = browser(ana.user)
    assert 'value="ruling:site" checked disabled' in page(client, SETTINGS)
    sent = {"begins": 21, "ends": 9, "digest_day": 6, "digest_hour": 19, "ways": ["table_open:mail", "ruling:mail"]}
    assert client.post(SETTINGS, sent).status_code == 302
    kinds = {view.kind.key: {way.way for way in view.ways if way.wanted} for view in selectors.kinds_for(ana)}
    assert kinds["table_open"] == {"mail"}
    assert kinds["ruling"] == {"site", "mail"}
    assert kinds["match_in_a_day"] == set()
    assert selectors.quiet_hours(ana) == (21, 9)
    assert selectors.digest_hour(ana) == (6, 19)


@pytest.mark.parametrize(
    "fault",
    [
        {"begins": 24},
        {"digest_day": 7},
        {"digest_hour": 24},
        {"ways": ["digest:site"]},
        {"ends": ""},
        {"begins": "x"},
        {"ways": ["ruling:sms"]},
        {"ways": ["nothing:site"]},
    ],
)
def test_impossible_settings_are_refused_and_nothing_is_written(ana, fault):
    answer = browser(ana.user).post(
        SETTINGS, {"begins": 22, "ends": 8, "digest_day": 0, "digest_hour": 8, "ways": []} | fault
    )
    assert answer.status_code == 422
    assert selectors.wishes([ana.pk], KINDS["match_in_a_day"])[ana.pk] == {"site", "mail", "push"}


def test_an_address_that_came_back_is_shown_until_the_person_says_that_it_works(ana):
    Bounce.objects.create(user=ana.user, email=ana.user.email, at=clock.now(), code=550)
    client = browser(ana.user)
    assert "Mails to ana@example.org came back" in page(client)
    client.post("/notices/mail/again/")
    assert "came back" not in page(client)


def test_a_refusal_is_shown_on_the_profile_and_in_the_settings_and_to_the_officers_without_the_address(ana):
    Bounce.objects.create(user=ana.user, email="Ana@Example.org", at=clock.now(), code=550)
    client = browser(ana.user)
    for path in (LIST, SETTINGS, reverse("accounts:profile")):
        assert "came back" in page(client, path), path
    bob = a_reader("Bob Roy")
    club = clubs.found_club(by=bob, name="Les Pieux", town="Québec")
    clubs.join(by=ana, club=club)
    staff = browser(bob.user)
    shown = page(staff, f"/clubs/{club.slug}/edit/")
    assert shown.count("mails come back") == 1
    assert "ana@example.org" not in shown.lower()
    assert "came back" not in page(staff)
    ana.user.email = "new@example.org"
    ana.user.save()
    assert "mails come back" not in page(staff, f"/clubs/{club.slug}/edit/")
    assert "You have another address now" in page(client)


def test_what_came_back_is_sent_again_by_one_press_after_the_address_has_changed(ana, settings, hand):
    for number, why in enumerate(("bounced", "bounced", "switched_off", "bounced")):
        tell_something(ana, key=str(number))
        Notice.objects.filter(key=str(number)).update(mail="dropped", mail_why=why)
    outbox.OutboxRow.objects.update(done_at=clock.now())
    Notice.objects.filter(key="1").update(seen_at=clock.now())
    Notice.objects.filter(key="3").update(at=clock.now() - timedelta(days=3))
    Bounce.objects.create(user=ana.user, email="former@example.org", at=clock.now(), code=550)
    client = browser(ana.user)
    assert "another address" in page(client)
    for _twice in range(2):
        assert client.post("/notices/mail/again/").status_code == 302
    assert "another address" not in page(client)
    assert work() == ["sent"]
    assert [message.to for message in mail.outbox] == [["ana@example.org"]]


def test_the_page_says_where_mails_are_when_there_is_no_mail_server(ana, settings):
    client = browser(ana.user)
    assert "no mail server" in page(client)
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    assert "no mail server" not in page(client)


def test_the_list_takes_as_many_queries_for_thirty_as_for_two(ana, django_assert_max_num_queries):
    client = browser(ana.user)
    tell_something(ana)
    page(client)
    for number in range(30):
        tell_something(ana, key=str(number))
    with django_assert_max_num_queries(9) as few:
        page(client)
    Notice.objects.exclude(key="1").delete()
    with django_assert_max_num_queries(len(few)):
        page(client)


def test_the_header_costs_a_visitor_no_query_and_a_player_one(ana):
    def asked(client: Client) -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get("/security/")
        return sum("notices_notice" in query["sql"] for query in queries)

    assert asked(Client()) == 0
    assert asked(browser(ana.user)) == 1
