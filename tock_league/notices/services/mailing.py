"""Mails about notices: each at most once, from the outbox, outside the quiet hours of the person.

A worker claims the notice, sends without a transaction, because a mail server that hangs must not keep writers waiting, and
then writes that it was sent. What two workers get at the same time is sent by the one that has the claim. A worker that is
killed between the server's answer and the row leaves the only case of a second mail; both have the same Message-ID.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from tock_league.accounts.selectors import site_language
from tock_league.common import clock, outbox
from tock_league.common.transactions import writing

from .. import names
from ..kinds import DIGEST, KINDS, MAIL
from ..models import Bounce, Notice
from ..selectors import address_of, views
from .settings import token_for
from .telling import MAIL_TASK as MAIL_TASK
from .wanted import after_quiet, unwanted

log = logging.getLogger(__name__)

SITE_NAME = "Tock League"
CLAIM = timedelta(minutes=10)  # longer than one mail can take: EMAIL_TIMEOUT holds for each answer of the server
M = Notice.Mail


@dataclass(frozen=True)
class Claimed:
    """A mail that this worker, and no other one, sends now."""

    notice: Notice
    email: str


def send(*, outbox_id: int, notice: int) -> str:
    """Send the mail of a notice if it is still wanted; return what became of it.

    `sent`; `dropped`; `later`: quiet hours, a failure that may pass, or another worker is sending it; `done`: nothing to do.
    """
    if outbox.is_done(outbox_id):
        return "done"
    claimed = _claim(outbox_id, notice)
    if isinstance(claimed, str):
        return claimed
    try:
        message = message_of(claimed.notice, claimed.email)
        if message is None:
            return _end(outbox_id, claimed.notice, M.DROPPED, "nothing")
        message.send()
    except SMTPRecipientsRefused as error:
        codes = [code for code, _said in error.recipients.values()]
        if codes and all(code >= 500 for code in codes):  # for good: RFC 5321, 4.2.1
            return _bounced(outbox_id, claimed, max(codes))
        return _failed(claimed.notice)
    except OSError:  # SMTPException is one
        log.info("mail of notice %s failed", notice, exc_info=True)
        return _failed(claimed.notice)
    return _end(outbox_id, claimed.notice, M.SENT)


def message_of(notice: Notice, email: str) -> EmailMultiAlternatives | None:
    """Return the mail, plain text and HTML, in the player's language, with the headers of RFC 2369 and RFC 8058.

    None for a digest that has nothing to say.
    """
    player, kind = notice.player, KINDS[notice.kind]
    with translation.override(site_language(player.language)):
        (view,) = views([notice], zone=player.time_zone)
        parts = names.digest_of(player) if kind.key == DIGEST else []
        if kind.key == DIGEST and not parts:
            return None
        stop = settings.SITE_URL + reverse("notices:stop", args=[token_for(player, kind)])
        context = {
            "told": view.told,
            "kind": kind,
            "parts": parts,
            "base": settings.SITE_URL,
            "page": settings.SITE_URL + notice.address,
            "stop": stop,
            "settings": settings.SITE_URL + reverse("notices:settings"),
            "site": SITE_NAME,
            "language": translation.get_language(),
        }
        headers = {"Message-ID": f"<notice-{notice.pk}-{player.slug}@{_domain()}>", "Auto-Submitted": "auto-generated"}
        if settings.SITE_URL:
            headers |= {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        subject = " ".join(f"[{SITE_NAME}] {view.told.title}".split())
        message = EmailMultiAlternatives(
            subject, render_to_string("notices/mail.txt", context), to=[email], headers=headers
        )
        message.attach_alternative(render_to_string("notices/mail.html", context), "text/html")
        return message


def _domain() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def _claim(outbox_id: int, pk: int) -> Claimed | str:
    with writing():
        row = Notice.objects.select_for_update(of=("self",)).select_related("player__user").filter(pk=pk).first()
        if row is None or row.mail != M.WAITING or row.kind not in KINDS:
            outbox.done(outbox_id)
            return "done"
        now = clock.now()
        email, why = address_of(row.player.user)
        why = why or unwanted(row, MAIL, now)
        if why:
            return _end(outbox_id, row, M.DROPPED, why)
        if row.mail_claimed_at is not None and row.mail_claimed_at > now - CLAIM:
            return "later"
        if (later := after_quiet(row, now)) > now:
            outbox.postpone(outbox_id, later)
            return "later"
        row.mail_claimed_at = now
        row.save(update_fields=["mail_claimed_at"])
        return Claimed(row, email)


def _end(outbox_id: int, row: Notice, state: str, why: str = "") -> str:
    with writing():
        at = clock.now() if state == M.SENT else None
        Notice.objects.filter(pk=row.pk).update(mail=state, mail_why=why, mailed_at=at, mail_claimed_at=None)
        outbox.done(outbox_id)
        return str(state)


def _failed(row: Notice) -> str:
    """Give the claim back; the outbox sends the task again."""
    with writing():
        Notice.objects.filter(pk=row.pk).update(mail_claimed_at=None)
        return "later"


def _bounced(outbox_id: int, claimed: Claimed, code: int) -> str:
    user = claimed.notice.player.user
    with writing():
        if user is not None:
            refused = {"email": claimed.email, "at": clock.now(), "code": code}
            Bounce.objects.update_or_create(user=user, defaults=refused)
        log.warning("notice %s: the mail server refuses the address with %s", claimed.notice.pk, code)
        return _end(outbox_id, claimed.notice, M.DROPPED, "bounced")
