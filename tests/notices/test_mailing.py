"""Mails of notices: once, in the person's language, at their hours, to addresses that work, with a way to stop them."""

import re
from datetime import timedelta
from email import message_from_bytes, policy
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from tock_league.common import clock, outbox
from tock_league.notices import selectors
from tock_league.notices.models import Bounce, Notice
from tock_league.notices.services import allow_mail, choose, mailing, mark_seen, set_quiet_hours

from .world import SITE_URL, a_reader, delivered, tell_something, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mail_is_sent", "hand")]


def fate() -> tuple[str, str]:
    row = Notice.objects.get()
    return row.mail, row.mail_why


def stop_link(message) -> str:
    return re.search(r"<(.+)>", message.extra_headers["List-Unsubscribe"])[1]


def test_a_mail_is_plain_text_and_html_in_the_person_s_language_and_sent_once():
    tell_something(a_reader("Ana Roy"), a_reader("Luc Roy", language="fr"))
    english, french = delivered()
    assert english.to == ["ana@example.org"]
    assert english.subject == "[Tock League] Please confirm the result: —"
    assert f"{SITE_URL}/matches/x/paper/" in english.body
    html, kind = english.alternatives[0]
    assert kind == "text/html"
    assert f'href="{SITE_URL}/matches/x/paper/"' in html
    assert '<html lang="fr' in french.alternatives[0][0]
    assert english.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert len({one.extra_headers["Message-ID"] for one in (english, french)}) == 2
    assert len(delivered()) == 2
    row = outbox.OutboxRow.objects.filter(task=mailing.MAIL_TASK)[0]
    row.done_at = None
    row.save()
    assert work() == ["done"]  # a task that was delivered twice
    assert len(mail.outbox) == 2


def test_one_press_stops_the_mails_of_this_kind_without_a_sign_in():
    ana = a_reader("Ana Roy")
    tell_something(ana)
    link = stop_link(delivered()[0])
    assert link.startswith(SITE_URL)
    visitor, path = Client(enforce_csrf_checks=True), link.removeprefix(SITE_URL)
    assert "<form" in visitor.get(path).content.decode()
    assert selectors.wishes([ana.pk], selectors.KINDS["result_to_confirm"])[ana.pk] == {"site", "mail", "push"}
    # as a mail program does it: RFC 8058
    answer = visitor.post(path, "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 200
    assert selectors.wishes([ana.pk], selectors.KINDS["result_to_confirm"])[ana.pk] == {"site", "push"}
    tell_something(ana, key="2")
    assert len(delivered()) == 1
    assert selectors.unseen(ana) == 2


@pytest.mark.parametrize("token", ["x", "e30:abc", "eyJwbGF5ZXIiOiJ4In0:sig", "é", "a" * 3000])
def test_a_token_that_the_site_has_not_signed_is_not_there(token):
    path = reverse("notices:stop", args=[token])
    for answer in (Client().get(path), Client().post(path)):
        assert answer.status_code == 404


def test_in_the_quiet_hours_a_mail_waits_for_the_morning(hand):
    hand.advance(hours=10)  # 22 h in Montréal, and 19 h in Vancouver
    tell_something(a_reader("Zoe Roy"), a_reader("Eve Roy", time_zone="America/Vancouver"))
    assert work() == ["later", "sent"]
    row = outbox.OutboxRow.objects.get(task=mailing.MAIL_TASK, done_at__isnull=True)
    assert row.due_at == clock.now() + timedelta(hours=10)
    hand.advance(hours=10)
    assert [one.to for one in delivered()] == [["eve@example.org"], ["zoe@example.org"]]


def test_a_mail_is_sent_while_the_clock_goes_on(hand, monkeypatch):
    tell_something(a_reader("Ana Roy"))
    real = clock.now

    def ticking():
        hand.advance(microseconds=1)
        return real()

    monkeypatch.setattr(clock, "now", ticking)
    assert work() == ["sent"]


def test_other_quiet_hours_and_none(hand):
    ana = a_reader("Ana Roy")
    set_quiet_hours(by=ana, begins=11, ends=14)
    tell_something(ana)
    assert work() == ["later"]
    set_quiet_hours(by=ana, begins=7, ends=7)
    assert work() == ["sent"]


def test_what_was_read_or_has_become_useless_or_unwanted_meanwhile_is_not_mailed(hand):
    ana = a_reader("Ana Roy")
    tell_something(ana)
    mark_seen(by=ana, notice=Notice.objects.get())
    assert (work(), fate()) == (["dropped"], ("dropped", "seen"))
    Notice.objects.all().delete()
    tell_something(ana, useless_at=clock.now())
    assert (work(), fate()) == (["dropped"], ("dropped", "too_late"))
    Notice.objects.all().delete()
    tell_something(ana)
    choose(by=ana, wanted={"result_to_confirm": {"site"}})
    assert (work(), fate()) == (["dropped"], ("dropped", "switched_off"))


def test_nothing_goes_to_an_address_that_is_not_confirmed_or_to_a_closed_login():
    ana, bob = a_reader("Ana Roy"), a_reader("Bob Roy")
    EmailAddress.objects.filter(user=ana.user).update(verified=False)
    bob.user.is_active = False
    bob.user.save()
    tell_something(ana, bob)
    assert work() == ["dropped", "dropped"]
    assert set(Notice.objects.values_list("mail_why", flat=True)) == {"unconfirmed", "no_login"}


def test_an_address_that_is_refused_for_good_gets_nothing_until_the_person_says_so(monkeypatch):
    ana = a_reader("Ana Roy")
    tell_something(ana)
    real = mailing.message_of

    def refusing(code):
        def made(notice, email):
            message = real(notice, email)

            def send():
                raise SMTPRecipientsRefused({email: (code, b"no")})

            message.send = send
            return message

        return made

    monkeypatch.setattr(mailing, "message_of", refusing(450))
    assert work() == ["later"]  # greylisting
    monkeypatch.setattr(mailing, "message_of", refusing(550))
    assert (work(), fate()) == (["dropped"], ("dropped", "bounced"))
    monkeypatch.setattr(mailing, "message_of", real)
    assert selectors.bounce_of(ana.user).code == 550
    tell_something(ana, key="2")
    assert work() == ["dropped"]
    allow_mail(by=ana.user)
    tell_something(ana, key="3")
    assert work() == ["sent", "sent", "sent"]  # and what came back


def test_a_bounce_of_a_former_address_does_not_concern_the_new_one():
    ana = a_reader("Ana Roy")
    Bounce.objects.create(user=ana.user, email="former@example.org", at=clock.now(), code=550)
    tell_something(ana)
    assert work() == ["sent"]


def test_a_worker_leaves_alone_what_another_one_is_sending_and_takes_over_when_it_is_dead(hand):
    tell_something(a_reader("Ana Roy"))
    Notice.objects.update(mail_claimed_at=clock.now())
    assert work() == ["later"]
    hand.advance(minutes=11)
    assert work() == ["sent"]


def test_a_server_that_fails_is_tried_again_and_given_up_after_two_days(hand, monkeypatch):
    tell_something(a_reader("Ana Roy"))

    def gone(*_args):
        raise SMTPServerDisconnected("gone")

    monkeypatch.setattr(mailing, "message_of", gone)
    assert work() == ["later"]
    assert Notice.objects.get().mail_claimed_at is None
    hand.advance(days=2, minutes=1)
    assert (work(), fate()) == (["dropped"], ("dropped", "gave_up"))


def test_without_a_mail_server_mails_are_files_and_nothing_need_be_confirmed(settings, tmp_path):
    settings.ACCOUNT_EMAIL_VERIFICATION, settings.SITE_URL = "none", ""
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    ana = a_reader("Ana Roy")
    EmailAddress.objects.filter(user=ana.user).update(verified=False)
    tell_something(ana)
    assert work() == ["sent"]
    (written,) = tmp_path.glob("*.log")
    message = message_from_bytes(written.read_bytes(), policy=policy.default)
    assert message["To"] == "ana@example.org"
    assert message["List-Unsubscribe"] is None  # there is no address at which the button could arrive
