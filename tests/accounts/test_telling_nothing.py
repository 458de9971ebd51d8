"""Sign-up and password reset do and answer the same for known and unknown addresses; links never follow the Host."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.servers.site import LiveSite, eventually
from tock_league.accounts import tasks
from tock_league.accounts.models import Player, User
from tock_league.accounts.services import LETTER_TASK, create_player, create_user
from tock_league.clubs import services as clubs
from tock_league.common import outbox
from tock_league.common.models import OutboxRow

from .letters import delivered
from .signing import sign_up_form

pytestmark = pytest.mark.django_db
PASSWORD = "le tock du mercredi soir"
KNOWN, UNKNOWN = "martine@example.org", "oceaned@example.org"  # of the same length, because pages show it
LIMITS = {"signup": "5/h/ip", "reset_password": "5/h/ip,3/h/key", "confirm_email": "1/3m/key"}
SECRETS = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"')
VALUES = re.compile(r"'[^']*'|\b\d+\b|s\d+_x\d+")


@pytest.fixture(autouse=True)
def confirmed_by_mail() -> Iterator[None]:
    """Use the settings of a site that sends mail."""
    with override_settings(ACCOUNT_EMAIL_VERIFICATION="mandatory", ACCOUNT_RATE_LIMITS=LIMITS):
        yield


@pytest.fixture
def martine() -> Player:
    return create_player(display_name="Martine Gélinas", user=create_user(email=KNOWN, password=PASSWORD))


class Watched:
    """What one form did and what it answered, without what is random."""

    def __init__(self, name: str, form: dict[str, str], hashes: list[str], **headers: Any) -> None:
        cache.clear()
        client = Client(raise_request_exception=True)
        before = len(hashes)
        client.get(reverse(name))
        with CaptureQueriesContext(connection) as queries:
            answer: HttpResponse = client.post(reverse(name), form, **headers)
        said = (VALUES.sub("?", query["sql"]) for query in queries.captured_queries)
        self.statements = Counter(statement for statement in said if "SAVEPOINT" not in statement)
        self.hashes = len(hashes) - before
        self.status = answer.status_code
        self.headers = without_time(answer)
        self.cookies = {key: (len(cookie.value), cookie["path"]) for key, cookie in answer.cookies.items()}
        address = form["email"]
        page = client.get(answer.url) if answer.status_code == 302 else answer  # type: ignore[attr-defined]
        self.bytes = SECRETS.sub("", page.content.decode()).replace(address, "ADDRESS")
        self.next = without_time(page)

    def told(self) -> dict[str, Any]:
        return dict(vars(self))


def without_time(answer: HttpResponse) -> dict[str, str]:
    """Return the headers but the one that holds the second of the answer."""
    return {name: value for name, value in answer.headers.items() if name != "Expires"}


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give a list to which every computed hash of a password is appended."""
    from django.contrib.auth.hashers import MD5PasswordHasher

    made, real = [], MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher, "encode", lambda self, *words, **more: (made.append("hash"), real(self, *words, **more))[1]
    )
    return made


def test_signing_up_with_a_known_address_does_and_answers_the_same(martine: Player, hashes: list[str]) -> None:
    known = Watched("account_signup", sign_up_form(KNOWN), hashes)
    assert (User.objects.count(), Player.objects.count()) == (1, 1)
    unknown = Watched("account_signup", sign_up_form(UNKNOWN), hashes)
    assert (User.objects.count(), Player.objects.count()) == (2, 2)
    assert known.hashes == 1
    assert known.status == 302
    assert known.told() == unknown.told()


def test_asking_for_a_password_does_and_answers_the_same(martine: Player, hashes: list[str]) -> None:
    known, unknown = (Watched("account_reset_password", {"email": one}, hashes) for one in (KNOWN, UNKNOWN))
    assert known.told() == unknown.told()
    assert (known.status, known.hashes) == (302, 0)


def test_no_letter_is_sent_inside_the_request_and_each_gets_its_own(client: Client, martine: Player) -> None:
    for address in (KNOWN, UNKNOWN):
        client.post(reverse("account_signup"), sign_up_form(address))
    client.post(reverse("account_reset_password"), {"email": KNOWN})
    client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert mail.outbox == []
    assert len(outbox.waiting(LETTER_TASK)) == 4
    letters = {(letter.to[0], re.findall(r"/accounts/[a-z-]+/", letter.body)[0]) for letter in delivered()}
    assert letters == {
        (KNOWN, "/accounts/password/"),
        (UNKNOWN, "/accounts/confirm-email/"),
        ("nobody@example.org", "/accounts/signup/"),
    }
    assert len(mail.outbox) == 4
    assert [row.body for row in OutboxRow.objects.filter(task=LETTER_TASK)] == [{}] * 4
    delivered()
    assert len(mail.outbox) == 4


def test_an_account_is_confirmed_by_the_link_of_its_letter(client: Client) -> None:
    client.post(reverse("account_signup"), sign_up_form(UNKNOWN))
    (letter,) = delivered()
    path = re.search(r"http://testserver(/accounts/confirm-email/\S+)", letter.body)
    assert path
    client.post(path[1])
    signed_in = client.post(reverse("account_login"), {"login": UNKNOWN, "password": PASSWORD})
    assert (signed_in.status_code, signed_in.url) == (302, "/")  # type: ignore[attr-defined]


def test_a_link_confirms_the_address_of_the_account_that_asked_and_no_newer_one(
    client: Client, martine: Player
) -> None:
    client.post(reverse("account_signup"), sign_up_form(UNKNOWN))
    theirs = EmailAddress.objects.create(
        user=martine.user, email=UNKNOWN
    )  # the attack: added before the letter is written
    (letter,) = delivered()
    path = re.search(r"http://testserver(/accounts/confirm-email/\S+)", letter.body)
    assert path
    client.post(path[1])
    theirs.refresh_from_db()
    assert not theirs.verified
    assert EmailAddress.objects.get(user__email=UNKNOWN).verified


@pytest.mark.parametrize("site", ["", "https://tock.example.org"])
def test_links_in_letters_and_invitations_never_follow_the_host(martine: Player, settings: Any, site: str) -> None:
    settings.SITE_URL = site
    client = Client(headers={"host": "evil.example"})
    client.post(reverse("account_signup"), sign_up_form(UNKNOWN))
    client.post(reverse("account_signup"), sign_up_form(KNOWN))
    client.post(reverse("account_reset_password"), {"email": KNOWN})
    client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert len(delivered()) == 4
    for letter in mail.outbox:
        assert "evil" not in letter.body + letter.subject
        assert f"{site or 'http://testserver'}/accounts/" in letter.body
        assert letter.subject.startswith("[Tock League] ")
    team = clubs.found_team(by=martine, name="Les Draveurs")
    client.force_login(martine.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    page = client.post(reverse("clubs:invite_link", args=[team.slug]), {"slot": 2}).content.decode()
    assert "evil" not in page
    link = reverse("clubs:invitation", args=["SECRET"]).removesuffix("SECRET/")
    assert f"{site or 'http://testserver'}{link}" in page


def test_a_host_that_is_not_allowed_is_refused(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["tock.example.org"]
    answer = Client(headers={"host": "evil.example"}).post(reverse("account_reset_password"), {"email": KNOWN})
    assert answer.status_code == 400
    assert outbox.waiting(LETTER_TASK) == []


@pytest.mark.parametrize(
    ("language", "words"), [("fr-CA,fr;q=0.9", "Trop d’essais"), ("", "Trop d’essais"), ("en", "Too many attempts")]
)
def test_the_sixth_sign_up_from_an_address_is_refused_on_the_sites_own_page(language: str, words: str) -> None:
    client = Client(headers={"accept-language": language} if language else {})
    statuses = [
        client.post(reverse("account_signup"), sign_up_form(f"someone{number}@example.org")).status_code
        for number in range(5)
    ]
    assert statuses == [302] * 5
    sixth = client.post(reverse("account_signup"), sign_up_form("someone6@example.org"))
    page = sixth.content.decode()
    assert sixth.status_code == 429
    assert f"<h1>{words}</h1>" in page
    assert "look/site.css" in page
    assert User.objects.count() == 5
    other = Client(REMOTE_ADDR="10.0.0.9").post(reverse("account_signup"), sign_up_form("another@example.org"))
    assert other.status_code == 302


def test_a_letter_that_cannot_be_sent_is_tried_again_and_given_up_after_a_day(
    monkeypatch: pytest.MonkeyPatch, frozen_clock: Any
) -> None:
    Client().post(reverse("account_reset_password"), {"email": KNOWN})
    (row,) = outbox.waiting(LETTER_TASK)

    def down(*_words: Any) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.EmailMessage.send", down)
    with pytest.raises(ConnectionRefusedError):
        tasks.send_letter(outbox_id=row.pk, **row.body)
    assert outbox.waiting(LETTER_TASK) == [row]
    frozen_clock.advance(seconds=86401)
    tasks.send_letter(outbox_id=row.pk, **row.body)
    assert outbox.waiting(LETTER_TASK) == []


@pytest.mark.parametrize(("code", "repeated"), [(450, True), (550, False)])
def test_an_address_refused_for_now_is_tried_again(monkeypatch: pytest.MonkeyPatch, code: int, repeated: bool) -> None:
    Client().post(reverse("account_reset_password"), {"email": KNOWN})
    (row,) = outbox.waiting(LETTER_TASK)

    def refuse(*_words: Any) -> None:
        raise SMTPRecipientsRefused({KNOWN: (code, b"Greylisted" if repeated else b"No such user")})

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    with pytest.raises(SMTPRecipientsRefused) if repeated else nullcontext():
        tasks.send_letter(outbox_id=row.pk, **row.body)
    assert outbox.waiting(LETTER_TASK) == ([row] if repeated else [])


@pytest.mark.django_db(transaction=True)
def test_the_worker_of_the_running_site_sends_the_letter(live_site: LiveSite, martine: Player) -> None:
    client = Client(headers={"host": "evil.example"})
    client.post(reverse("account_reset_password"), {"email": KNOWN})
    (letter,) = eventually(lambda: list(mail.outbox))
    assert letter.to == [KNOWN]
    assert "http://testserver/accounts/password/reset/key/" in letter.body
    eventually(lambda: OutboxRow.objects.filter(task=LETTER_TASK, done_at__isnull=False, body={}).count() == 1)
