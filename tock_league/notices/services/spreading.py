"""From a fact to what leaves: an outbox row for each mail, and for each push to a device."""

from tock_league.common import clock, outbox
from tock_league.common.transactions import writing

from ..kinds import KINDS
from ..models import Device, Notice, Push
from ..selectors import push_is_sent
from .mailing import MAIL_TASK
from .pushing import PUSH_TASK
from .wanted import after_quiet

AT_ONCE = 500  # rows of one statement


def spread(*, outbox_id: int, kind: str, key: str) -> int:
    """Enqueue the mail and the pushes of each player who was told the fact; return how many. Idempotent."""
    with writing():
        mails = _mails(kind, key)
        pushes = _pushes(kind, key) if kind in KINDS and push_is_sent() else 0
        outbox.done(outbox_id)
        return mails + pushes


def _mails(kind: str, key: str) -> int:
    waiting = Notice.objects.filter(kind=kind, key=key, mail=Notice.Mail.WAITING).order_by("pk")
    rows = list(waiting.select_related("player__quiet_hours"))
    now = clock.now()
    for row in rows:
        outbox.enqueue(MAIL_TASK, str(row.pk), due_at=after_quiet(row, now), notice=row.pk)
    return len(rows)


def _pushes(kind: str, key: str) -> int:
    notices = Notice.objects.filter(kind=kind, key=key, push=True, seen_at__isnull=True)
    devices = Device.objects.filter(player__in=notices.values("player"))
    by_player: dict[int, list[int]] = {}
    for device, player in devices.values_list("pk", "player"):
        by_player.setdefault(player, []).append(device)
    made = [
        Push(notice_id=notice, device_id=device)
        for notice, player in notices.values_list("pk", "player")
        for device in by_player.get(player, ())
    ]
    Push.objects.bulk_create(made, batch_size=AT_ONCE, ignore_conflicts=True)
    now = clock.now()
    waiting = Push.objects.filter(notice__in=notices, state=Push.State.WAITING).order_by("pk")
    rows = list(waiting.select_related("notice__player__quiet_hours"))
    for row in rows:
        due = now if KINDS[kind].at_once else after_quiet(row.notice, now)
        outbox.enqueue(PUSH_TASK, str(row.pk), due_at=due, push=row.pk)
    return len(rows)
