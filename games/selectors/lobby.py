"""What people who look for a game find: open tables, and running games to watch."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Count, F, Q
from django.utils.functional import Promise

from games.fold import SPECTATOR
from games.models import Game, Seating, Table
from tock_league.common import clock

from . import rule_sets
from .tables import SeatInfo, seats_of_all, snap

HERE = timedelta(minutes=3)  # an open table is listed while somebody was seen at it since
LISTED = 40
WATCHED = 6
BOARD_S = 4  # seconds for which a board to watch is kept
# A casual game that everybody may find: any other table is nobody else's business.
LISTED_GAME = Q(table__kind=Table.Kind.CASUAL, table__casual__listed=True, table__seated_only=False)


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A line of the list of open tables."""

    code: str
    rules: str
    rules_name: str | Promise
    seats: int
    teams: int
    people: Sequence[str]
    rated: bool
    strict: bool
    has_touches: bool
    timed: bool

    @property
    def free(self) -> int:
        """How many seats a person can take: empty ones, and those that bots keep."""
        return self.seats - len(self.people)


def open_tables(filters: Mapping[str, str] | None = None) -> list[OpenTable]:
    """Return the listed tables that wait for people and where somebody is, the oldest first. Two queries.

    `filters`: `rules` (an id), `seats` (a number), `rated` ("yes" or "no"), `touch` ("strict" or "free"); a value that
    is unknown matches nothing, an empty one everything.
    """
    wanted = {name: value for name, value in (filters or {}).items() if value}
    found = Table.objects.filter(kind=Table.Kind.CASUAL, state=Table.State.OPEN, casual__listed=True)
    here = Seating.objects.filter(bot="", seen_at__gte=clock.now() - HERE)
    found = found.filter(pk__in=here.values("table")).exclude(games__state__in=[Game.State.SEATING, Game.State.PLAYING])
    if "rules" in wanted:
        if not rule_sets.is_played(wanted["rules"]):
            return []
        found = found.filter(rules=wanted["rules"])
    if "seats" in wanted:
        found = found.filter(seats=int(wanted["seats"]) if wanted["seats"].isdecimal() else 0)
    if "rated" in wanted:
        found = found.filter(rated=wanted["rated"] == "yes")
    if "touch" in wanted:
        found = found.filter(touch=wanted["touch"] == "strict")
    taken = Count("seatings", filter=Q(seatings__bot=""))
    tables = list(
        found.annotate(code=F("casual__code"), taken=taken).filter(taken__lt=F("seats")).order_by("pk")[:LISTED]
    )
    seats = seats_of_all([table.pk for table in tables])
    return [_line(table, seats[table.pk]) for table in tables]


def _line(table: Table, seats: Sequence[SeatInfo]) -> OpenTable:
    return OpenTable(
        code=table.code,  # type: ignore[attr-defined]
        rules=table.rules,
        rules_name=rule_sets.name_of(table.rules),
        seats=table.seats,
        teams=table.teams,
        people=[seat.name for seat in seats if seat.name],
        rated=table.rated,
        strict=table.touch,
        has_touches=rule_sets.touches(table.rules),
        timed=table.clocks is not None,
    )


@dataclass(frozen=True, slots=True)
class Watchable:
    """A running game that everybody may watch, with what is released of it."""

    slug: str  # of the table
    name: str
    rules_name: str | Promise
    family: str
    boot: Mapping[str, Any]  # what `{% board_of %}` reads
    is_match: bool


@dataclass(frozen=True, slots=True)
class ToWatch:
    """A running casual game, without its board."""

    slug: str  # of the table
    names: str
    rules_name: str | Promise


def watchable(limit: int = WATCHED) -> list[Watchable]:
    """Return running games to watch: matches first, then listed casual tables, the latest play first.

    The boards show what spectators may see, one deal late. Two queries, and those of each game's record once in BOARD_S.
    """
    running = Game.objects.filter(
        LISTED_GAME | Q(table__kind=Table.Kind.MATCH), state=Game.State.PLAYING, table__state=Table.State.PLAYING
    )
    found = list(running.select_related("table").order_by("-table__kind", "-updated_at", "-pk")[:limit])
    seats = seats_of_all([game.table_id for game in found])
    return [_watchable(game, seats[game.table_id]) for game in found]


def watchable_of(players: Collection[int], limit: int = WATCHED) -> list[ToWatch]:
    """Return the running games of listed casual tables at which one of the players sits, the latest play first. Two
    queries; none without players.
    """
    if not players:
        return []
    running = Game.objects.filter(
        LISTED_GAME,
        table__in=Seating.objects.filter(player__in=players, bot="").values("table"),
        state=Game.State.PLAYING,
        table__state=Table.State.PLAYING,
    )
    found = list(running.select_related("table").order_by("-updated_at", "-pk")[:limit])
    seats = seats_of_all([game.table_id for game in found])
    return [
        ToWatch(game.table.slug, names_of(seats[game.table_id]), rule_sets.name_of(game.table.rules)) for game in found
    ]


def names_of(seats: Sequence[SeatInfo]) -> str:
    """Return the people on the seats in one line."""
    return ", ".join(seat.name for seat in seats if seat.name)


def _watchable(game: Game, seats: Sequence[SeatInfo]) -> Watchable:
    table = game.table
    is_match = table.kind == Table.Kind.MATCH
    return Watchable(
        slug=table.slug,
        name=table.name if is_match else names_of(seats),
        rules_name=rule_sets.name_of(table.rules),
        family=rule_sets.game_of(table.rules),
        boot={
            "seats": table.seats,
            "teams": table.teams,
            "seat": None,
            "rules": table.rules,
            "names": [seat.name for seat in seats],
            "bots": [seat.bot for seat in seats],
            "snap": _board(game),
        },
        is_match=is_match,
    )


def _board(game: Game) -> dict[str, Any]:
    """Return what spectators see of the game. Kept for BOARD_S: every open page of the list asks for it again and again,
    and folding a record takes some ten milliseconds of CPU.
    """
    key = f"board:{game.pk}"
    found: dict[str, Any] | None = cache.get(key)
    if found is None:
        found = snap(game, SPECTATOR, now=clock.now_ms())
        cache.set(key, found, BOARD_S)
    return found
