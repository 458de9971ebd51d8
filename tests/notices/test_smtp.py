"""Mails through a real SMTP server (aiosmtpd): what arrives, and what becomes of servers that refuse, die or hang."""

import asyncio
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP
from django.utils import translation
from django.utils.html import escape
from django.utils.translation import gettext

from tests.competitions.world import FIRST_ROUND
from tock_league.notices.kinds import KINDS
from tock_league.notices.models import Bounce, Notice

from .world import a_reader, send, spread, tell_something, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mail_is_sent", "hand")]


@dataclass
class Post:
    """What the server got, and how it misbehaves."""

    got: list[EmailMessage] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  # the answer to an address
    mood: str = ""  # when and how it fails: MOODS

    async def handle_RCPT(self, server: SMTP, _session: Any, envelope: Any, address: str, _options: Any) -> str:
        if self.mood == "hangs at the address":
            await asyncio.sleep(2)
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Any, envelope: Any) -> str:
        if self.mood == "dies":
            server.transport.abort()
        elif self.mood == "hangs":
            await asyncio.sleep(2)
        elif self.mood == "is full":
            return "452 no space left"
        elif self.mood == "shuts down":
            return "421 closing"
        else:
            message = message_from_bytes(envelope.content, policy=policy.default)
            assert isinstance(message, EmailMessage)
            self.got.append(message)
            if self.mood == "dies before it answers":
                server.transport.abort()
        return "250 OK"


@pytest.fixture
def post(settings: Any) -> Iterator[Post]:
    made = Post()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(made, hostname="127.0.0.1", port=port)
    controller.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_TIMEOUT = 1
    yield made
    controller.stop()


LANGUAGES = {
    "en": ("en", "Wed, Sept. 2, 7:00 p.m."),
    "fr": ("fr-ca", "mer. 2 sept., 19 h 00"),
    "es": ("es", "mié. 2 sept., 19:00"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_arrives_in_the_language_of_the_person_with_its_headers(post: Post, language: str) -> None:
    code, when = LANGUAGES[language]
    ana = a_reader("Ana Roy", language=language)
    data = {"match": "x", "competition": "x", "starts_at": FIRST_ROUND}
    tell_something(ana, kind="match_in_a_day", address="/matches/x/", **data)
    assert work() == ["sent"]
    [message] = post.got
    plain, html = (message.get_body([kind]).get_content() for kind in ("plain", "html"))  # type: ignore[union-attr]
    assert when in plain.replace("\xa0", " ")
    assert f'<html lang="{code}">' in html
    with translation.override(code):
        words = [gettext("Stop these mails"), gettext("Open the page"), str(KINDS["match_in_a_day"].label)]
        subject = str(KINDS["match_in_a_day"].title) % {"match": "—"}
    assert all(escape(word) in html for word in words)
    assert message["Subject"] == " ".join(f"[Tock League] {subject}".split())
    assert message["List-Unsubscribe"].strip().startswith("<https://tock.example.org/notices/stop/")
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message["Auto-Submitted"] == "auto-generated"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]


def test_a_mail_says_the_hour_of_the_reader(post: Post) -> None:
    luz = a_reader("Luz Roy", time_zone="Europe/Madrid")
    data = {"match": "x", "competition": "x", "starts_at": FIRST_ROUND}
    tell_something(luz, kind="match_in_a_day", address="/matches/x/", **data)
    work()
    assert "Thu, Sept. 3, 1:00 a.m." in post.got[0].get_body(["plain"]).get_content()  # type: ignore[union-attr]


def test_one_refused_address_does_not_keep_the_others(post: Post) -> None:
    ana, bob, eve = (a_reader(f"{name} Roy") for name in ("Ana", "Bob", "Eve"))
    post.refused = {"ana@example.org": "550 no such mailbox", "bob@example.org": "450 come back later"}
    tell_something(ana, bob, eve)
    assert work() == ["dropped", "later", "sent"]
    assert [bounce.user for bounce in Bounce.objects.all()] == [ana.user]
    post.refused = {}
    assert work() == ["sent"]
    assert [message["To"] for message in post.got] == ["eve@example.org", "bob@example.org"]


MOODS = ("dies", "hangs", "hangs at the address", "is full", "shuts down")


@pytest.mark.parametrize("mood", MOODS)
def test_a_server_that_fails_in_the_middle_loses_and_doubles_nothing(post: Post, mood: str) -> None:
    tell_something(a_reader("Ana Roy"))
    post.mood = mood
    began = time.monotonic()
    assert work() == ["later"]
    assert time.monotonic() - began < 10
    assert Notice.objects.get().mail == "waiting"
    post.mood = ""
    assert work() == ["sent"]
    assert work() == []
    assert len(post.got) == 1


def test_half_of_the_mails_before_the_server_dies_are_not_sent_again(post: Post) -> None:
    tell_something(*(a_reader(f"{name} Roy") for name in ("Ana", "Bob", "Eve")))
    [first, *rest] = spread()
    assert send(first) == "sent"
    post.mood = "dies"
    assert [send(row) for row in rest] == ["later", "later"]
    post.mood = ""
    assert [send(row) for row in (first, *rest)] == ["done", "sent", "sent"]
    assert [message["To"] for message in post.got] == ["ana@example.org", "bob@example.org", "eve@example.org"]


def test_a_server_that_takes_a_mail_and_dies_without_an_answer_gets_it_again_with_the_same_id(post: Post) -> None:
    tell_something(a_reader("Ana Roy"))
    post.mood = "dies before it answers"
    assert work() == ["later"]
    post.mood = ""
    assert work() == ["sent"]
    assert len({message["Message-ID"] for message in post.got}) == 1  # mailboxes know it by that


def test_there_is_no_server_at_all(post: Post, settings: Any) -> None:
    settings.EMAIL_HOST = "no-such-host.invalid"
    tell_something(a_reader("Ana Roy"))
    assert work() == ["later"]
    settings.EMAIL_HOST = "127.0.0.1"
    assert work() == ["sent"]
