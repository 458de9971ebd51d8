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

from tests.competitions.world import FIRST_ROUND
from tock_league.common.transactions import writing
from tock_league.notices.models import Bounce, Notice
from tock_league.notices.services import tell

from .world import a_reader, tell_something, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mail_is_sent", "hand")]


@dataclass
class Post:
    """What the server got, and how it misbehaves."""

    got: list[EmailMessage] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  # the answer to an address
    mood: str = ""  # dies, hangs

    async def handle_RCPT(self, server: SMTP, _session: Any, envelope: Any, address: str, _options: Any) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Any, envelope: Any) -> str:
        if self.mood == "dies":
            server.transport.abort()
        elif self.mood == "hangs":
            await asyncio.sleep(2)
        else:
            message = message_from_bytes(envelope.content, policy=policy.default)
            assert isinstance(message, EmailMessage)
            self.got.append(message)
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


def test_a_mail_arrives_in_each_language_with_its_headers(post: Post) -> None:
    people = [
        a_reader("Ana Roy"),
        a_reader("Élodie Roy", language="fr"),
        a_reader("Luz Roy", language="es", time_zone="Europe/Madrid"),
    ]
    with writing():
        data = {"match": "x", "competition": "x", "starts_at": FIRST_ROUND}
        tell([player.pk for player in people], "match_in_a_day", "1", address="/matches/x/", **data)
    assert work() == ["sent", "sent", "sent"]
    english, french, spanish = (message.get_body(["plain"]).get_content() for message in post.got)
    assert "On Wed, Sept. 2, 7:00 p.m.: " in english
    assert "mer. 2 sept., 19 h 00" in french.replace("\xa0", " ")
    assert "jue. 3 sept., 1:00" in spanish  # the reader's hour
    spoken = ["en", "fr-ca", "es"]
    for message, language in zip(post.got, spoken, strict=True):
        assert f'<html lang="{language}">' in message.get_body(["html"]).get_content()
    for message in post.got:
        assert message["Subject"].startswith("[Tock League] ")
        assert message["List-Unsubscribe"].strip().startswith("<https://tock.example.org/notices/stop/")
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert message["Auto-Submitted"] == "auto-generated"
        assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]


def test_one_refused_address_does_not_keep_the_others(post: Post) -> None:
    ana, bob, eve = (a_reader(f"{name} Roy") for name in ("Ana", "Bob", "Eve"))
    post.refused = {"ana@example.org": "550 no such mailbox", "bob@example.org": "450 come back later"}
    tell_something(ana, bob, eve)
    assert work() == ["dropped", "later", "sent"]
    assert [bounce.user for bounce in Bounce.objects.all()] == [ana.user]
    post.refused = {}
    assert work() == ["sent"]
    assert [message["To"] for message in post.got] == ["eve@example.org", "bob@example.org"]


@pytest.mark.parametrize("mood", ["dies", "hangs"])
def test_a_server_that_dies_or_hangs_in_the_middle_loses_and_doubles_nothing(post: Post, mood: str) -> None:
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
