"""What is kept for a time only: docs/people.md has the table. Each step is idempotent and can be interrupted."""

import logging
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db.models import ProtectedError, RestrictedError

from games import people as games
from tock_league.accounts import people as accounts
from tock_league.accounts import sessions
from tock_league.accounts.models import Player, User
from tock_league.api import services as answers
from tock_league.arbitration import people as arbitration
from tock_league.clubs import people as clubs
from tock_league.common import halls, outbox
from tock_league.common.transactions import writing
from tock_league.competitions import people as competitions
from tock_league.feed import services as feed
from tock_league.integrity import services as integrity
from tock_league.notices import people as notices
from tock_league.oauth import services as oauth
from tock_league.webhooks.services import delivering

from . import erasure, export, restored
from .models import Farewell

log = logging.getLogger(__name__)
AT_ONCE = 100  # logins handled in one run


def forget_unconfirmed() -> int:
    """Delete the logins whose address nobody confirmed, with their players; return how many."""
    count = 0
    for user in list(accounts.unconfirmed().order_by("pk")[:AT_ONCE]):
        try:
            with writing():
                Player.objects.filter(user=user).delete()
                User.objects.filter(pk=user.pk).delete()
                count += 1
        except (ProtectedError, RestrictedError):
            log.warning("login %s was never confirmed, and its player is in use", user.pk)
    return count


def ask_idle() -> int:
    """Ask the people whom nobody has seen for IDLE_AFTER_DAYS whether they stay; return how many letters were promised.

    Only where mail is sent: without an answer the account is erased, and whoever is not asked cannot answer.
    """
    if not settings.IDLE_AFTER_DAYS or settings.ACCOUNT_EMAIL_VERIFICATION != "mandatory":
        return 0
    found = accounts.idle(timedelta(days=settings.IDLE_AFTER_DAYS))
    asked = Farewell.objects.filter(user__isnull=False).values("user")
    users = list(found.exclude(pk__in=asked).order_by("pk")[:AT_ONCE])
    for user in users:
        erasure.begin_idle(user)
    return len(users)


STEPS: dict[str, Callable[[], object]] = {
    "erasures": erasure.do_due,
    "traces": erasure.wipe_traces,
    "exports": export.expire,
    "unconfirmed": forget_unconfirmed,
    "addresses": sessions.forget,
    "statements": arbitration.forget_statements,
    "findings": integrity.forget,
    "partner desks": competitions.forget_searches,
    "talk": competitions.forget_talk,
    "notices": notices.forget_old,
    "club news": clubs.forget_news,
    "mails": accounts.forget_old_mails,
    "guests": games.forget_guests,
    "answers": answers.forget,
    "feed": feed.forget_old,
    "deliveries": delivering.forget_old,
    "accesses": oauth.forget,
    "halls": halls.forget,
    "outbox": outbox.forget,
    "idle": ask_idle,
    "lists": restored.write_lists,
}


def forget_all() -> dict[str, object]:
    """Run every step; return what each returned. A step that fails is logged and does not keep the others."""
    found: dict[str, object] = {}
    for name, step in STEPS.items():
        try:
            found[name] = step()
        except Exception:
            log.exception("retention: the step %s failed", name)
            found[name] = None
    return found
