"""What notices hold about a person. Texts name nobody: names are looked up when a notice is read."""

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Q

from tock_league.common import clock
from tock_league.common.persons import Leaving, Obstacle, Person, Row, Section, exported, of_login, of_player
from tock_league.common.transactions import writing

from .kinds import KINDS, PUSH
from .models import Bounce, Device, DigestHour, Notice, Preference, Push, QuietHours

A_DAY = timedelta(days=1)
FLEETING = [kind.key for kind in KINDS.values() if kind.offered == (PUSH,)]  # of use for minutes
AT_ONCE = 1000  # rows deleted in one transaction


def obstacles(_person: Person) -> list[Obstacle]:
    """Return nothing: no notice prevents an erasure."""
    return []


def forget(leaving: Leaving) -> None:
    """Delete the person's notices, wishes, devices and refused address; call it inside `writing()`."""
    person = leaving.person
    if person.player is not None:
        for model in (Notice, Preference, QuietHours, DigestHour, Device):
            model.objects.filter(player=person.player).delete()
    if person.user is not None:
        Bounce.objects.filter(user=person.user).delete()


def forget_old() -> int:
    """Delete notices older than KEEP_NOTICES_DAYS, and those of turns after a day; return how many. In chunks."""
    before = clock.now() - timedelta(days=settings.KEEP_NOTICES_DAYS)
    count = 0
    while True:
        with writing():
            old = Q(at__lt=before) | Q(kind__in=FLEETING, at__lt=clock.now() - A_DAY)
            found = list(Notice.objects.filter(old).order_by("at").values_list("pk", flat=True)[:AT_ONCE])
            Notice.objects.filter(pk__in=found).delete()
        count += len(found)
        if len(found) < AT_ONCE:
            return count


def _devices(person: Person) -> Iterator[Row]:
    """Yield the devices without their endpoints and keys."""
    for row in Device.objects.filter(player=person.player) if person.player is not None else ():
        service = urlsplit(row.endpoint).hostname
        yield exported(row, "name", "shows_text", "made_at", "used_at", push_service=service)


def _pushes(person: Person) -> Iterator[Row]:
    rows = Push.objects.filter(device__player=person.player).select_related("notice", "device")
    for row in rows if person.player is not None else ():
        yield exported(row, "state", "why", "sent_at", kind=row.notice.kind, device=row.device.name)


SECTIONS = (
    Section(
        "notices",
        Notice._meta.label,
        of_player(Notice, "kind", "data", "address", "at", "seen_at", "mail", "mail_why", "mailed_at"),
    ),
    Section("notice_settings", Preference._meta.label, of_player(Preference, "kind", "way", "wanted")),
    Section("quiet_hours", QuietHours._meta.label, of_player(QuietHours, "begins", "ends")),
    Section("digest_hour", DigestHour._meta.label, of_player(DigestHour, "day", "hour")),
    Section("push_devices", Device._meta.label, _devices),
    Section("pushes", Push._meta.label, _pushes),
    Section("refused_address", Bounce._meta.label, of_login(Bounce, "email", "at", "code")),
)
