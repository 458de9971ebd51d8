"""The players whom a suspension or a ban in force keeps out of competitions, and the entries and matches it touches."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.errors import Text
from tock_league.competitions.models import Competition, Entry, Match, RosterSpot

from ...models import Effect
from ..cases.kinds import is_shielded
from .context import HERE, running

SANCTIONS = ("suspension", "ban")
TAKES_PART = ("pending", "accepted", "waitlisted", "checked_in", "playing")
AHEAD = ("waiting", "ready", "scheduled", "called")
UNDER_WAY = ("live", "reported", "contested")
OVER = (Competition.State.FINISHED, Competition.State.ARCHIVED, Competition.State.CANCELLED)


@dataclass(frozen=True)
class Sanction:
    """A suspension until an instant, or a ban, which has no end."""

    player: int
    until: datetime | None
    ruling: str  # its ref
    number: str  # of its case
    shielded: bool = False  # of a minor, for conduct: only told to those concerned; known of published ones

    @property
    def day(self) -> str:
        """The day on which it ends, where the clubs play; "" for a ban."""
        return date_format(self.until.astimezone(HERE), "DATE_FORMAT") if self.until is not None else ""

    def sentence(self, name: str) -> Text:
        """Return who may not play, and until when."""
        if self.until is None:
            return _("%(name)s is banned.") % {"name": name}
        return _("%(name)s is suspended until %(day)s.") % {"name": name, "day": self.day}

    def match_sentence(self, name: str) -> Text:
        """Return who may not play the match whose page shows it, and why."""
        if self.until is None:
            return _("%(name)s may not play this match: banned by a ruling.") % {"name": name}
        return _("%(name)s may not play this match: suspended by a ruling until %(day)s.") % {
            "name": name,
            "day": self.day,
        }


@dataclass(frozen=True)
class Touched:
    """A team with a sanctioned player in a competition that goes on, and its matches that are not decided."""

    entry: Entry
    player: Player
    starter: bool
    substitutes: tuple[Player, ...]  # who could play instead, by slot
    ahead: tuple[Match, ...]  # by time
    under_way: tuple[Match, ...]
    at_table: bool  # one of its matches has its table open, so that its roster cannot change

    @property
    def substitute_names(self) -> str:
        return ", ".join(player.display_name for player in self.substitutes)

    @property
    def named_matches(self) -> list[tuple[str, Match]]:
        """The matches with the names of their sides."""
        return [
            (" – ".join(str(side.entry) for side in match.side_rows.all() if side.entry is not None), match)
            for match in self.matches
        ]

    @property
    def matches(self) -> tuple[Match, ...]:
        return (*self.under_way, *self.ahead)


def in_force(players: Collection[int], at: datetime | None = None, *, published: bool = False) -> dict[int, Sanction]:
    """Return by player the sanction in force at the instant, by default now: a ban, or the longest suspension.

    `published`: without sanctions of cases whose game is still being played. One query; of published ones for conduct one
    more each.
    """
    at = at if at is not None else clock.now()
    rows = Effect.objects.filter(
        Q(until__isnull=True) | Q(until__gt=at),
        type__in=SANCTIONS,
        target__in=[f"player:{pk}" for pk in players],
        from_at__lte=at,
        lifted_by__isnull=True,
    ).select_related("ruling__case", "ruling__offender", "ruling__event")
    if published:
        rows = rows.exclude(running("ruling__case__"))
    found: dict[int, Sanction] = {}
    for row in rows.order_by("ruling", "number"):
        player = int(row.target.removeprefix("player:"))
        known = found.get(player)
        longer = known is None or (known.until is not None and (row.until is None or row.until > known.until))
        if longer:
            shielded = published and is_shielded(row.ruling)
            found[player] = Sanction(player, row.until, row.ruling.ref, row.ruling.case.number, shielded)
    return found


def kept_out(match: Match, players: Collection[Player]) -> list[tuple[Player, Sanction]]:
    """Return which of the players may not play the match, by published rulings. One query; none once it has begun."""
    if match.state not in AHEAD or not players:
        return []
    at = max(clock.now(), match.starts_at) if match.starts_at is not None else None
    found = in_force([player.pk for player in players], at, published=True)
    return [(player, found[player.pk]) for player in players if player.pk in found]


def on_desk(competition: Competition) -> list[tuple[Touched, Sanction]]:
    """Return the teams of the competition that have a sanctioned player, with the sanction; by name. Six queries at most."""
    spots = RosterSpot.objects.filter(competition=competition, left__isnull=True, entry__state__in=TAKES_PART)
    sanctions = in_force(list(spots.values_list("player", flat=True)))
    if not sanctions:
        return []
    return [(row, sanctions[row.player.pk]) for row in touched(sanctions, competition)]


def touched(players: Collection[int], competition: Competition | None = None) -> list[Touched]:
    """Return what a sanction of these players touches, in one competition or in all that go on; by competition and team.

    Four queries at most.
    """
    spots = RosterSpot.objects.filter(player__in=players, left__isnull=True, entry__state__in=TAKES_PART)
    spots = spots.filter(competition=competition) if competition else spots.exclude(competition__state__in=OVER)
    rows = list(spots.select_related("player", "entry__team", "entry__player", "entry__competition"))
    entries = {spot.entry_id for spot in rows}
    matches, free = _matches(entries), _substitutes(entries, in_force(_others(entries)))
    found = [
        Touched(
            entry=spot.entry,
            player=spot.player,
            starter=spot.role == RosterSpot.Role.STARTER,
            substitutes=tuple(player for player in free[spot.entry_id] if player.pk not in players),
            ahead=tuple(match for match in matches[spot.entry_id] if match.state in AHEAD),
            under_way=tuple(match for match in matches[spot.entry_id] if match.state in UNDER_WAY),
            at_table=any(match.table_id and match.state in ("called", "live") for match in matches[spot.entry_id]),
        )
        for spot in rows
    ]
    return sorted(found, key=lambda row: (row.entry.competition_id, str(row.entry), row.player.pk))


def _others(entries: Collection[int]) -> list[int]:
    role = RosterSpot.Role.SUBSTITUTE
    rows = RosterSpot.objects.filter(entry__in=entries, left__isnull=True, role=role)
    return list(rows.values_list("player", flat=True))


def _substitutes(entries: Collection[int], sanctions: Collection[int]) -> dict[int, list[Player]]:
    found: dict[int, list[Player]] = defaultdict(list)
    rows = RosterSpot.objects.filter(entry__in=entries, left__isnull=True, role=RosterSpot.Role.SUBSTITUTE)
    for spot in rows.exclude(player__in=sanctions).select_related("player").order_by("slot"):
        found[spot.entry_id].append(spot.player)
    return found


def _matches(entries: Collection[int]) -> dict[int, list[Match]]:
    """Return by entry its matches that are not decided, the next one first."""
    found: dict[int, list[Match]] = defaultdict(list)
    rows = Match.objects.filter(side_rows__entry__in=entries, state__in=(*AHEAD, *UNDER_WAY))
    rows = rows.select_related("competition", "round").prefetch_related(
        "side_rows__entry__team", "side_rows__entry__player"
    )
    for match in rows.order_by("starts_at", "pk").distinct():
        for side in match.side_rows.all():
            if side.entry_id is not None and side.entry_id in entries:
                found[side.entry_id].append(match)
    return found
