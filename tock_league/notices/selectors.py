"""Queries about a player's notices and settings."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import F

from tock_league.accounts.models import Player, User
from tock_league.common import clock
from tock_league.common.errors import NotThere

from . import names
from .core import quiet, weekly
from .kinds import KINDS, Kind, Told
from .models import Bounce, Device, DigestHour, Notice, Preference, QuietHours

ON_A_PAGE = 100
GIVE_UP_AFTER = timedelta(days=2)  # no mail and no push is sent later than that


@dataclass(frozen=True)
class NoticeView:
    """A notice as its reader sees it."""

    pk: int
    told: Told
    at: datetime
    seen: bool


@dataclass(frozen=True)
class WayView:
    """One way of a kind in the settings."""

    way: str
    wanted: bool
    fixed: bool


@dataclass(frozen=True)
class KindView:
    """A kind in the settings."""

    kind: Kind
    ways: tuple[WayView, ...]


def newest(player: Player) -> list[NoticeView]:
    """Return the newest notices in the site, at most ON_A_PAGE, in the active language. One query, and one for each kind
    of thing that they name."""
    return views(Notice.objects.filter(player=player, on_site=True)[:ON_A_PAGE], zone=player.time_zone)


def views(notices: Iterable[Notice], *, zone: str) -> list[NoticeView]:
    """Return the notices in words. A kind that is no more is left out."""
    rows = [row for row in notices if row.kind in KINDS]
    found = names.names_of(pair for row in rows for pair in KINDS[row.kind].wanted(row.data))
    return [
        NoticeView(row.pk, KINDS[row.kind].told(row.data, found, zone=zone), row.at, row.seen_at is not None)
        for row in rows
    ]


def unseen(player: Player) -> int:
    """Return how many notices in the site the player has not seen. One query."""
    return Notice.objects.filter(player=player, on_site=True, seen_at__isnull=True).count()


def own(player: Player, pk: int) -> Notice:
    """Return the player's own notice, or NotThere. One query."""
    found = Notice.objects.filter(player=player, on_site=True, pk=pk).first()
    if found is None:
        raise NotThere
    return found


def told_keys(kind: str, keys: Iterable[str]) -> set[str]:
    """Return which of these facts anybody has been told. One query."""
    return set(Notice.objects.filter(kind=kind, key__in=list(keys)).values_list("key", flat=True))


def wishes(players: Collection[int], kind: Kind) -> Mapping[int, frozenset[str]]:
    """Return by which ways each of the players, by their keys, hears of this kind. One query."""
    said: dict[int, dict[str, bool]] = {}
    for row in Preference.objects.filter(player__in=players, kind=kind.key):
        said.setdefault(row.player_id, {})[row.way] = row.wanted
    return {player: _ways(kind, said.get(player, {})) for player in players}


def kinds_for(player: Player) -> list[KindView]:
    """Return all kinds with the player's wishes. One query."""
    said: dict[str, dict[str, bool]] = {}
    for row in Preference.objects.filter(player=player):
        said.setdefault(row.kind, {})[row.way] = row.wanted
    return [
        KindView(
            kind,
            tuple(WayView(way, way in _ways(kind, said.get(kind.key, {})), way in kind.fixed) for way in kind.offered),
        )
        for kind in KINDS.values()
    ]


def quiet_hours(player: Player) -> tuple[int, int]:
    """Return the full hours at which the player's quiet hours begin and end. One query."""
    return hours_of(QuietHours.objects.filter(player=player).first())


def hours_of(row: QuietHours | None) -> tuple[int, int]:
    """Return the full hours at which these quiet hours begin and end; without a row, those that hold for everybody."""
    return (row.begins, row.ends) if row is not None else (quiet.BEGINS, quiet.ENDS)


def digest_hour(player: Player) -> tuple[int, int]:
    """Return the day, 0 for Monday, and the full hour at which the player's digest comes. One query."""
    row = DigestHour.objects.filter(player=player).first()
    return (row.day, row.hour) if row is not None else (weekly.DAY, weekly.HOUR)


def bounce_of(user: User) -> Bounce | None:
    """Return the refusal of the login's present address, or None. One query."""
    return Bounce.objects.filter(user=user, email__iexact=user.email).first()


def bounce_to_show(user: User) -> Bounce | None:
    """Return the refusal that the login's pages speak of: of its present address, or, for two days, of a former one: what
    came back can be sent again. One query.
    """
    row = Bounce.objects.filter(user=user).select_related("user").first()
    if row is None or row.is_present or row.at > clock.now() - GIVE_UP_AFTER:
        return row
    return None


def refused_players(players: Iterable[int]) -> frozenset[int]:
    """Return which of the players, by their keys, have an address that refuses mails. One query."""
    rows = Bounce.objects.filter(user__player__in=list(players), email__iexact=F("user__email"))
    return frozenset(rows.values_list("user__player", flat=True))


def address_of(user: User | None) -> tuple[str, str]:
    """Return the address to which mails may go, and "" or why there is none: `no_login`, `unconfirmed`, `bounced`.

    Where mail is sent, the address must be confirmed. Two queries.
    """
    if user is None or not user.is_active or not user.email:
        return "", "no_login"
    if mail_is_sent() and not _is_confirmed(user):
        return "", "unconfirmed"
    if bounce_of(user) is not None:
        return "", "bounced"
    return user.email, ""


def _is_confirmed(user: User) -> bool:
    return EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()


def mail_is_sent() -> bool:
    """Return whether this site has a mail server; otherwise mails lie in its folder. No query."""
    return bool(settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory")


def push_is_sent() -> bool:
    """Return whether this site has a key with which it can send pushes to browsers. No query."""
    return bool(settings.PUSH_KEY)


def devices_of(player: Player) -> list[Device]:
    """Return the devices to which the player's pushes go, the oldest first. One query."""
    return list(Device.objects.filter(player=player))


def _ways(kind: Kind, said: Mapping[str, bool]) -> frozenset[str]:
    return frozenset(way for way in kind.offered if way in kind.fixed or said.get(way, way in kind.ways))
