"""The one place that decides who hears what: `tell`, called in the transaction of the fact."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any

from tock_league.accounts.models import Player
from tock_league.common import clock, outbox
from tock_league.common.errors import Broken
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing

from ..kinds import KINDS, MAIL, PUSH, SITE
from ..models import ADDRESS_LENGTH, Device, Notice
from ..selectors import wishes

MAIL_TASK = "tock_league.notices.tasks.send_mail"
SPREAD_TASK = "tock_league.notices.tasks.spread"
AT_ONCE = 500  # rows of one statement
_silent = ContextVar("silent", default=False)


def tell(
    players: Collection[int],
    kind: str,
    key: str,
    *,
    address: str,
    useless_at: datetime | None = None,
    **data: str | datetime,
) -> int:
    """Tell the players, by their keys, one fact; return how many were told. Nobody is told it twice.

    `kind`: in `kinds.KINDS`. `key`: names the fact within the kind. `address`: the path of the page that the notice leads
    to. `useless_at`: nothing is sent after it. `data`: the fields of the kind; public ids, instants and numbers. Players
    without a login, and bots, are told nothing. Five statements and an outbox row, however many players.
    """
    made = KINDS[kind]
    inside = address.startswith("/") and not address.startswith("//") and len(address) <= ADDRESS_LENGTH
    if set(data) != made.fields or not inside:
        raise Broken(f"notice {kind}: fields {sorted(data)}, address {address!r}")
    if _silent.get() or not players:
        return 0
    stored: dict[str, Any] = {
        name: value.isoformat() if isinstance(value, datetime) else str(value) for name, value in data.items()
    }
    with writing():
        known = Notice.objects.filter(kind=kind, key=key).values("player")
        people = Player.objects.filter(pk__in=players, user__isnull=False, bot="").exclude(pk__in=known).order_by("pk")
        ids = list(people.values_list("pk", flat=True))
        if not ids:
            return 0
        ways = wishes(ids, made)
        with_devices = set(Device.objects.filter(player__in=ids).values_list("player", flat=True))
        now = clock.now()
        rows = [
            Notice(
                player_id=player,
                kind=kind,
                key=key,
                data=stored,
                address=address,
                on_site=SITE in ways[player],
                at=now,
                useless_at=useless_at,
                mail=Notice.Mail.WAITING if MAIL in ways[player] else Notice.Mail.NONE,
                push=PUSH in ways[player] and player in with_devices,
            )
            for player in ids
            if ways[player] - {PUSH} or (ways[player] and player in with_devices)
        ]
        # A concurrent transaction may tell the same: then its rows stand.
        Notice.objects.bulk_create(rows, batch_size=AT_ONCE, ignore_conflicts=True)
        if any(row.push or row.mail == Notice.Mail.WAITING for row in rows):
            outbox.enqueue(SPREAD_TASK, new_slug(24), kind=kind, fact=key)
        return len(rows)


def tell_withdrawn(kind: str, key: str, *, players: Collection[int] | None = None) -> int:
    """Delete notices of a fact that is no more, such as an invitation that was taken back; return how many.

    `players`: by their keys; everybody by default. What has been mailed stays.
    """
    with writing():
        rows = Notice.objects.filter(kind=kind, key=key)
        if players is not None:
            rows = rows.filter(player__in=players)
        deleted, _by_model = rows.delete()
        return deleted


@contextmanager
def silence() -> Iterator[None]:
    """Tell nobody anything inside the block; for loading the demo, whose facts lie in the past."""
    token = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(token)


def is_silent() -> bool:
    """Return whether the code runs inside `silence()`."""
    return _silent.get()
