"""Pushes to browsers: each at most once for a device, from the outbox, as mails are (`mailing`).

A device whose push service says that it is gone is forgotten. A service that is busy or down is asked again, as long as the
push is of use.
"""

import json
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tock_league.accounts.selectors import site_language
from tock_league.common import clock, outbox, outward
from tock_league.common.transactions import writing

from ..kinds import KINDS, PUSH
from ..models import Device, Push
from ..selectors import push_is_sent, views
from . import endpoints, vapid
from .wanted import after_quiet, unwanted

log = logging.getLogger(__name__)

PUSH_TASK = "tock_league.notices.tasks.send_push"
CLAIM = timedelta(minutes=2)  # longer than one push can take
LONGEST_WAIT = timedelta(hours=6)  # whatever a push service asks for
FIRST_REST = timedelta(seconds=30)  # of a device whose push service has failed; doubled with each failure
MOST_FAILURES = 20  # one after another: days; then the device is forgotten
PATIENCE_S = 5.0  # with a push service: a worker has more to do
LETTERS = 400  # of a sentence: one record of RFC 8188 has 4096 bytes
S = Push.State


@dataclass(frozen=True)
class Claimed:
    """A push that this worker, and no other one, sends now."""

    push: Push
    ends_at: datetime  # later it is of no use


def send(*, outbox_id: int, push: int) -> str:
    """Send a push if it is still wanted; return what became of it.

    `sent`; `dropped`; `gone`: the device is forgotten; `later`: quiet hours, a failure that may pass, or another worker is
    sending it; `done`: nothing to do.
    """
    if outbox.is_done(outbox_id):
        return "done"
    claimed = _claim(outbox_id, push)
    if isinstance(claimed, str):
        return claimed
    row = claimed.push
    lasts_s = max(0, int((claimed.ends_at - clock.now()).total_seconds()))
    kind = KINDS[row.notice.kind]
    topic = kind.collapse_key(row.notice.data)
    try:
        made = vapid.message(row.device, payload(row, topic), lasts_s=lasts_s, topic=topic)
        answer = endpoints.post(row.device.endpoint, made.body, made.headers, patience=PATIENCE_S)
    except endpoints.Forbidden:
        return _gone(outbox_id, row.device)
    except outward.Unknown:
        log.info("push %s: no such name", push)
        return _later(outbox_id, row, "")
    if answer.status is None:
        log.info("push %s: the push service is not reached: %s", push, answer.error)
        return _later(outbox_id, row, "")
    if 200 <= answer.status < 300:
        return _end(outbox_id, row, S.SENT)
    if answer.status in (404, 410):  # RFC 8030, 7.3: the subscription has expired
        return _gone(outbox_id, row.device)
    if answer.status == 429 or answer.status >= 500:
        return _later(outbox_id, row, answer.retry_after)
    log.warning("push %s: the push service refuses it with %s", push, answer.status)
    return _end(outbox_id, row, S.DROPPED, "refused")


def payload(row: Push, topic: str) -> bytes:
    """Return what the browser shows, as JSON. Without the person's word for this device, it says nothing of the fact."""
    player = row.notice.player
    with translation.override(site_language(player.language)):
        shown: dict[str, Any] = {
            "title": "Tock League",
            "body": _("You have a new notice."),
            "address": reverse("notices:list"),
            "tag": topic,
            "lang": translation.get_language(),
        }
        if row.device.shows_text:
            (view,) = views([row.notice], zone=player.time_zone)
            shown |= {"title": view.told.title[:LETTERS], "body": view.told.sentence[:LETTERS]}
            shown["address"] = row.notice.address
        return json.dumps(shown, ensure_ascii=False).encode()


def _claim(outbox_id: int, pk: int) -> Claimed | str:
    with writing():
        row = (
            Push.objects.select_for_update(of=("self",))
            .select_related("notice__player__user", "device")
            .filter(pk=pk, state=S.WAITING)
            .first()
        )
        if row is None or row.notice.kind not in KINDS:
            outbox.done(outbox_id)
            return "done"
        now, notice, kind = clock.now(), row.notice, KINDS[row.notice.kind]
        ends_at = min(notice.at + kind.lasts, notice.useless_at or datetime.max.replace(tzinfo=notice.at.tzinfo))
        if why := _why_not(row, ends_at, now):
            return _end(outbox_id, row, S.DROPPED, why)
        if row.claimed_at is not None and row.claimed_at > now - CLAIM:
            return "later"
        if not kind.at_once and (later := after_quiet(notice, now)) > now:
            outbox.postpone(outbox_id, later)
            return "later"
        if row.device.rests_until is not None and row.device.rests_until > now:
            outbox.postpone(outbox_id, row.device.rests_until)
            return "later"
        row.claimed_at = now
        row.save(update_fields=["claimed_at"])
        return Claimed(row, ends_at)


def _why_not(row: Push, ends_at: datetime, now: datetime) -> str:
    """Return why the push is not sent any more, as `unwanted` does, or `no_login`; "" otherwise."""
    user = row.notice.player.user
    if user is None or not user.is_active or row.device.player_id != row.notice.player_id:
        return "no_login"
    if not push_is_sent():
        return "switched_off"
    return unwanted(row.notice, PUSH, now) or ("too_late" if ends_at <= now else "")


def _end(outbox_id: int, row: Push, state: str, why: str = "") -> str:
    with writing():
        at = clock.now() if state == S.SENT else None
        Push.objects.filter(pk=row.pk).update(state=state, why=why, sent_at=at, claimed_at=None)
        if at is not None:
            Device.objects.filter(pk=row.device_id).update(used_at=at, failures=0, rests_until=None)
        outbox.done(outbox_id)
        return str(state)


def _gone(outbox_id: int, device: Device) -> str:
    with writing():
        Device.objects.filter(pk=device.pk, digest=device.digest).delete()
        outbox.done(outbox_id)
        return "gone"


def _later(outbox_id: int, row: Push, retry_after: str) -> str:
    """Give the claim back, and let the device rest: the longer, the more often it has failed, and for as long as its push
    service wants.

    Nobody can keep the workers busy with a push service that never answers. A service that asks for a second each time
    would otherwise use up MOST_FAILURES, and lose its device, within minutes.
    """
    with writing():
        device = Device.objects.select_for_update().filter(pk=row.device_id).first()
        if device is None:
            outbox.done(outbox_id)
            return "gone"
        device.failures += 1
        if device.failures >= MOST_FAILURES:
            return _gone(outbox_id, device)
        wait = max(timedelta(seconds=seconds_of(retry_after)), FIRST_REST * 2**device.failures)
        device.rests_until = clock.now() + min(wait, LONGEST_WAIT)
        device.save(update_fields=["failures", "rests_until"])
        Push.objects.filter(pk=row.pk).update(claimed_at=None)
        outbox.postpone(outbox_id, device.rests_until)
        return "later"


def seconds_of(retry_after: str) -> int:
    """Return how long a push service wants to be left alone (RFC 9110, 10.2.3); 0 where it does not say."""
    if retry_after.isascii() and retry_after.isdigit():
        return int(retry_after[:9])
    try:
        until = parsedate_to_datetime(retry_after)
    except (ValueError, OverflowError):  # the second one for a year of twenty digits
        return 0
    if until.tzinfo is None:
        return 0
    return max(0, int((until - clock.now()).total_seconds()))
