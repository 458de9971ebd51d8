"""Private links to calendars, and the numbers by which calendars know that a date has changed."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from itertools import chain

from cryptography.fernet import InvalidToken
from django.db.models import Exists, OuterRef, QuerySet

from tock_league.accounts.models import Player
from tock_league.accounts.seals import opened, seal
from tock_league.common import clock
from tock_league.common.transactions import writing
from tock_league.competitions.models import Match

from .facts import KEEP_CANCELLED, Fact
from .models import CalendarItem, CalendarLink

SECRET_BYTES = 24  # 192 bits
CHANGED = ("competition", "starts_at", "ends_at", "digest", "sequence", "changed_at", "gone_at")


def renew(*, by: Player, kind: str) -> CalendarLink:
    """Make the person's own link of that kind, or replace it: the former one is unknown from now on."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    values = {"digest": digest_of(secret), "sealed": seal(secret), "made_at": clock.now()}
    with writing():
        Player.objects.select_for_update().get(pk=by.pk)  # two clicks: one after the other
        link, _made = CalendarLink.objects.update_or_create(player=by, kind=CalendarLink.Kind(kind), defaults=values)
        return link


def stop(*, by: Player, kind: str) -> None:
    """Delete the person's own link of that kind; nothing happens where there is none."""
    with writing():
        CalendarLink.objects.filter(player=by, kind=kind).delete()


def digest_of(secret: str) -> str:
    """Return what is stored to find a link by its secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def secret_of(link: CalendarLink) -> str:
    """Return the secret of a link for its person; "" where the site's key has changed since: it must be renewed."""
    try:
        return opened(link.sealed)
    except InvalidToken:
        return ""


def link_of(secret: str, kind: str) -> CalendarLink | None:
    """Return the link of that secret, None for an unknown one. One query."""
    return CalendarLink.objects.filter(digest=digest_of(secret), kind=kind).select_related("player").first()


def told(facts: Sequence[Fact]) -> Mapping[str, CalendarItem]:
    """Return the row of each fact by its uid, after writing what has changed. One query when nothing has.

    A changed row gets the next sequence number and the present time.
    """
    found = _rows(facts)
    if not any(_differs(found.get(fact.uid), fact) for fact in facts):
        return found
    with writing():
        _create([fact for fact in facts if fact.uid not in found])
        found = _rows(facts, lock=True)
        changed = [fact for fact in facts if _differs(found.get(fact.uid), fact)]
        for fact in changed:
            _apply(found[fact.uid], fact)
        CalendarItem.objects.bulk_update([found[fact.uid] for fact in changed], CHANGED)
        _write_entries(changed, found)
    return found


def gone(items: QuerySet[CalendarItem]) -> list[CalendarItem]:
    """Return the matches of a calendar that do not exist any more and were told of, with `entries`.

    Those that have just been found missing get the next sequence number first. Two to three queries, and the writing.
    """
    missing = items.exclude(match_slug="").filter(~Exists(Match.objects.filter(slug=OuterRef("match_slug"))))
    fresh = missing.filter(gone_at__isnull=True)
    if fresh.exists():
        now = clock.now()
        with writing():
            rows = list(
                CalendarItem.objects.select_for_update().filter(pk__in=fresh.values("pk"), gone_at__isnull=True)
            )
            for row in rows:
                row.sequence, row.changed_at, row.gone_at = row.sequence + 1, now, now
            CalendarItem.objects.bulk_update(rows, CHANGED)
    kept = missing.filter(gone_at__gte=clock.now() - KEEP_CANCELLED).select_related("competition__club")
    return list(kept.prefetch_related("entries__team", "entries__player"))


def _rows(facts: Sequence[Fact], *, lock: bool = False) -> dict[str, CalendarItem]:
    rows = CalendarItem.objects.filter(uid__in=[fact.uid for fact in facts]).order_by("pk")
    return {row.uid: row for row in (rows.select_for_update() if lock else rows)}


def _differs(row: CalendarItem | None, fact: Fact) -> bool:
    return row is None or row.digest != fact.digest


def _create(facts: Sequence[Fact]) -> None:
    """Insert rows without a digest, which `told` then fills; a row that another reader has just written stays."""
    rows = [
        CalendarItem(
            uid=fact.uid,
            competition=fact.competition,
            match_slug=fact.view.match.slug if fact.view is not None else "",
            starts_at=fact.starts_at,
            ends_at=fact.ends_at,
            changed_at=clock.now(),
        )
        for fact in facts
    ]
    CalendarItem.objects.bulk_create(rows, ignore_conflicts=True)


def _apply(row: CalendarItem, fact: Fact) -> None:
    if row.digest:  # told before
        row.sequence += 1
    row.competition, row.starts_at, row.ends_at = fact.competition, fact.starts_at, fact.ends_at
    row.digest, row.changed_at, row.gone_at = fact.digest, clock.now(), None


def _write_entries(changed: Sequence[Fact], rows: Mapping[str, CalendarItem]) -> None:
    through = CalendarItem.entries.through
    through.objects.filter(calendaritem__in=[rows[fact.uid].pk for fact in changed]).delete()
    pairs = chain.from_iterable(((rows[fact.uid].pk, entry) for entry in fact.entries) for fact in changed)
    through.objects.bulk_create(through(calendaritem_id=item, entry_id=entry) for item, entry in pairs)
