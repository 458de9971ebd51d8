"""Delivers the facts of the feed to webhooks: at least once, with back-off, for a day.

`notice_facts` runs in the transaction of the facts and writes outbox rows only where somebody listens. `spread` makes a
delivery for each webhook. `deliver` claims one, makes its body and posts it outside any transaction, and writes what became
of it. A worker that is killed between the answer and the row leaves a second delivery; both have the same id.
"""

import logging
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.urls import reverse

from tock_league.accounts.seals import opened
from tock_league.arbitration.models import Case
from tock_league.common import clock, outbox
from tock_league.common.errors import Refused
from tock_league.common.transactions import writing
from tock_league.feed import payloads
from tock_league.feed.announcements import FactsWritten
from tock_league.feed.models import FeedEvent
from tock_league.notices.services import tell

from ..models import Delivery, Webhook
from ..selectors import listening, managers
from . import addresses, posting
from .bodies import body_of, headers_of
from .keeping import enqueue
from .posting import Answer

log = logging.getLogger(__name__)

SPREAD_TASK = "tock_league.webhooks.tasks.spread"
FIRST_WAIT = timedelta(seconds=15)  # doubled with each attempt
LONGEST_WAIT = timedelta(hours=1)
DISABLE_AFTER = timedelta(days=1)  # of failures without a success
GIVE_UP_AFTER = DISABLE_AFTER + 2 * LONGEST_WAIT  # so that a delivery alone fails for a day
CLAIM = timedelta(minutes=1)  # longer than an attempt can take
SOON = timedelta(minutes=5)  # until a fact that is not public yet is looked at again
S = Delivery.State


@dataclass(frozen=True)
class Claimed:
    """An attempt that this worker, and no other one, makes now."""

    delivery: Delivery
    secret: str


def notice_facts(written: FactsWritten) -> None:
    """Enqueue the telling of the facts to which a webhook listens; WITHIN subscriber of FactsWritten. One query where none
    does."""
    heard = {kind for kinds in listening(written.competition_id).values_list("kinds", flat=True) for kind in kinds}
    for event, kind in written.events:
        if kind in heard:
            outbox.enqueue(SPREAD_TASK, str(event), event=event)


def spread(*, outbox_id: int, event: int) -> int:
    """Make and enqueue a delivery for each webhook that listens to the fact; return how many are new. Idempotent."""
    with writing():
        row = FeedEvent.objects.select_related("competition").filter(pk=event).first()
        made = 0
        if row is not None and not outbox.is_done(outbox_id):
            for webhook in listening(row.competition_id):
                if row.kind in webhook.kinds:
                    made += _begin(webhook, row)
        outbox.done(outbox_id)
        return made


def _begin(webhook: Webhook, row: FeedEvent) -> bool:
    now = clock.now()
    delivery, is_new = Delivery.objects.get_or_create(
        webhook=webhook, event=payloads.event_id(row), defaults={"kind": row.kind, "made_at": now, "asked_at": now}
    )
    if is_new:
        enqueue(delivery)
    return is_new


def deliver(*, outbox_id: int, delivery: int) -> str:
    """Make one attempt; return what became of it.

    `sent`; `later`: it failed or its time has not come, and the outbox sends it again; `given_up`; `done`: nothing to do.
    """
    claimed = _claim(outbox_id, delivery)
    if isinstance(claimed, str):
        return claimed
    body = body_of(claimed.delivery)
    if body is None:
        return _without_body(outbox_id, claimed.delivery)
    return _end(outbox_id, claimed.delivery, _attempt(claimed, body))


def _attempt(claimed: Claimed, body: bytes) -> Answer:
    delivery = claimed.delivery
    try:
        target = addresses.parsed(delivery.webhook.address)
        numeric = addresses.resolved(target)
    except Refused as error:  # the name leads elsewhere now, or nowhere
        return Answer(None, "", error.code.removeprefix("webhook_"), 0)
    try:
        return posting.post(target, numeric, body, headers_of(delivery, claimed.secret, body, at=clock.now()))
    except Exception:  # a bug of ours must not leave the delivery without an end
        log.exception("webhook %s", delivery.webhook.slug[:8])
        return Answer(None, "", "broken", 0)


def _claim(outbox_id: int, pk: int) -> Claimed | str:
    with writing():
        rows = Delivery.objects.select_for_update(of=("self",)).select_related("webhook__club", "webhook__competition")
        row = rows.filter(pk=pk).first()
        if row is None or row.state != S.WAITING or outbox.is_done(outbox_id):
            outbox.done(outbox_id)
            return "done"
        now = clock.now()
        if row.claimed_at is not None and row.claimed_at > now - CLAIM:
            return "later"
        if row.webhook.off:
            return _give_up(outbox_id, row, "off")
        if row.asked_at < now - GIVE_UP_AFTER:
            return _give_up(outbox_id, row, row.error)
        try:
            secret = opened(row.webhook.sealed)
        except InvalidToken:  # the site's key has changed: its staff must renew the secret
            return _give_up(outbox_id, row, "secret")
        row.claimed_at = now
        row.save(update_fields=["claimed_at"])
        return Claimed(row, secret)


def _without_body(outbox_id: int, delivery: Delivery) -> str:
    """Release a delivery whose fact is not public: give it up, unless the fact becomes public by itself."""
    with writing():
        row = Delivery.objects.select_for_update().filter(pk=delivery.pk).first()
        if row is None:  # deleted meanwhile
            outbox.done(outbox_id)
            return "done"
        if not _may_come(row):
            return _give_up(outbox_id, row, "gone")
        row.claimed_at = None
        row.save(update_fields=["claimed_at"])
        outbox.postpone(outbox_id, clock.now() + SOON)
        return "later"


def _may_come(row: Delivery) -> bool:
    """Return whether the fact becomes public by itself: a ruling about a game that is not over."""
    event = FeedEvent.objects.filter(pk=int(row.event)).first()
    return event is not None and event.kind == "ruling.published" and Case.objects.filter(number=event.subject).exists()


def _give_up(outbox_id: int, row: Delivery, error: str) -> str:
    row.state, row.error, row.claimed_at = S.GIVEN_UP, error, None
    row.save(update_fields=["state", "error", "claimed_at"])
    outbox.done(outbox_id)
    return "given_up"


def _end(outbox_id: int, delivery: Delivery, answer: Answer) -> str:
    """Write what became of the attempt, and let the outbox make the next one where it failed."""
    with writing():
        now = clock.now()
        # In the order of `keeping`: the webhook first.
        webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
        row = Delivery.objects.select_for_update().filter(pk=delivery.pk).first()
        if row is None or webhook is None:  # deleted meanwhile
            outbox.done(outbox_id)
            return "done"
        row.attempts += 1
        row.claimed_at, row.last_at = None, now
        row.status, row.answer, row.error, row.took_ms = answer.status, answer.text, answer.error, answer.took_ms
        if answer.is_good:
            row.state = S.SENT
            outbox.done(outbox_id)
            Webhook.objects.filter(pk=webhook.pk, failing_since__isnull=False).update(failing_since=None)
        else:
            outbox.postpone(outbox_id, now + wait_after(row.attempts))
            _count_failure(webhook, now)
        row.save()
        return "sent" if answer.is_good else "later"


def wait_after(attempts: int) -> timedelta:
    """Return how long to wait after that many attempts: doubled each time, and between half and all of it, by chance, so
    that the deliveries of an outage do not all come back at once."""
    longest = min(FIRST_WAIT * 2 ** min(attempts - 1, 16), LONGEST_WAIT)
    return longest * (0.5 + secrets.randbelow(500) / 1000)


def _count_failure(webhook: Webhook, now: datetime) -> None:
    """Note when failures began; disable a webhook that has failed for a day, and tell those who look after it."""
    if webhook.off:
        return
    if webhook.failing_since is None:
        webhook.failing_since = now
        webhook.save(update_fields=["failing_since"])
        return
    if webhook.failing_since > now - DISABLE_AFTER:
        return
    webhook.off, webhook.off_at = Webhook.Off.FAILURES, now
    webhook.save(update_fields=["off", "off_at"])
    log.warning("webhook %s is disabled after a day of failures", webhook.slug[:8])
    tell(
        managers(webhook),
        "webhook_disabled",
        f"{webhook.slug}:{clock.ms(now)}",
        address=reverse("webhooks:one", args=[webhook.slug]),
        webhook=webhook.slug,
    )


def forget_old() -> int:
    """Delete deliveries older than KEEP_DELIVERIES_DAYS that do not wait; return how many."""
    with writing():
        before = clock.now() - timedelta(days=settings.KEEP_DELIVERIES_DAYS)
        deleted, _by_model = Delivery.objects.filter(made_at__lt=before).exclude(state=S.WAITING).delete()
        return deleted
