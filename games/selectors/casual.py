"""Casual tables for pages: a table's room, the list of open tables, and games to watch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, F, Q
from django.utils.functional import Promise

from games.fold import SPECTATOR
from games.models import CasualTable, Game, Seating, Table, TableInvitation
from games.permissions import Person, holds
from tock_league.common import clock

from . import rule_sets
from .tables import snap

AWAY = timedelta(minutes=2)  # since a person was last seen at the seat; from then on the others may give it away
HERE = timedelta(minutes=3)  # an open table is listed while somebody was seen at it since
LISTED = 40
SHOWN = 10  # invitations
INVITED = timedelta(hours=2)  # that an invitation is shown
WATCHED = 6


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """A seat of a casual table as its room shows it."""

    seat: int
    team: int
    name: str = ""  # of a person
    player: str = ""  # the player's public id; "" for a guest
    bot: str = ""  # the level of the bot that keeps it
    mine: bool = False
    away: bool = False  # whether the others may give the seat away

    @property
    def is_empty(self) -> bool:
        return not self.name and not self.bot

    @property
    def is_guest(self) -> bool:
        return bool(self.name) and not self.player


@dataclass(frozen=True, slots=True)
class Room:
    """A casual table as one person sees it."""

    code: str
    table: Table
    level: str
    listed: bool
    quick: bool
    seats: Sequence[RoomSeat]
    game: Game | None  # the last one
    person: Person

    @property
    def running(self) -> bool:
        """Whether a game has begun that is not over."""
        return self.game is not None and self.game.state != Game.State.OVER

    @property
    def is_over(self) -> bool:
        return self.table.state == Table.State.FINISHED

    @property
    def is_closed(self) -> bool:
        return self.table.state == Table.State.CLOSED

    @property
    def mine(self) -> RoomSeat | None:
        return next((seat for seat in self.seats if seat.mine), None)

    @property
    def empty(self) -> int:
        return sum(seat.is_empty for seat in self.seats)

    @property
    def people(self) -> int:
        return sum(bool(seat.name) for seat in self.seats)

    @property
    def rules_name(self) -> str | Promise:
        return rule_sets.name_of(self.table.rules)

    @property
    def is_guest(self) -> bool:
        """Whether the person would sit down as a guest."""
        return self.person.player_id is None

    @property
    def has_touches(self) -> bool:
        return rule_sets.touches(self.table.rules)

    @property
    def in_teams(self) -> bool:
        return self.table.teams < self.table.seats


def is_away(seating: Seating) -> bool:
    """Return whether nobody has seen the seat's person for AWAY; never for a bot."""
    return not seating.bot and (seating.seen_at is None or seating.seen_at < clock.now() - AWAY)


def room(code: str, person: Person) -> Room | None:
    """Return the casual table with this code, or None. Three queries."""
    casual = CasualTable.objects.select_related("table").filter(code=code.lower()).first()
    if casual is None:
        return None
    table = casual.table
    held = {seating.seat: seating for seating in Seating.objects.filter(table=table).select_related("player")}
    return Room(
        code=casual.code,
        table=table,
        level=casual.level,
        listed=casual.listed,
        quick=casual.quick,
        seats=[_seat(seat, table.teams, held.get(seat), person) for seat in range(table.seats)],
        game=table.games.order_by("-number").first(),
        person=person,
    )


def code_is_known(code: str) -> bool:
    """Return whether a casual table has this code. One query."""
    return code.isascii() and code.isalnum() and CasualTable.objects.filter(code=code).exists()


def code_of(table_id: int) -> str:
    """Return the code of a casual table, "" for another one. One query."""
    return CasualTable.objects.filter(table=table_id).values_list("code", flat=True).first() or ""


def code_of_slug(slug: str) -> str:
    """Return the code of the casual table with that public id, "" where there is none. One query."""
    return CasualTable.objects.filter(table__slug=slug).values_list("code", flat=True).first() or ""


def _seat(seat: int, teams: int, held: Seating | None, person: Person) -> RoomSeat:
    if held is None:
        return RoomSeat(seat, seat % teams)
    return RoomSeat(
        seat=seat,
        team=seat % teams,
        name=held.player.display_name if held.player else held.guest_name,
        player=held.player.slug if held.player else "",
        bot=held.bot,
        mine=holds(held, person),
        away=is_away(held),
    )


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation to a casual table."""

    code: str
    by: str  # the name of who invites
    rules_name: str | Promise


def invitations(player_id: int) -> list[Invited]:
    """Return the player's latest invitations, at most SHOWN, of the last INVITED to tables that are open and where the
    inviter still sits. One query.
    """
    found = TableInvitation.objects.filter(
        player=player_id,
        at__gte=clock.now() - INVITED,
        casual__table__state__in=[Table.State.OPEN, Table.State.PLAYING],
        casual__table__seatings__player=F("by"),
    )
    rows = found.select_related("casual__table", "by").order_by("-at", "-pk")[:SHOWN]
    return [Invited(row.casual.code, row.by.display_name, rule_sets.name_of(row.casual.table.rules)) for row in rows]


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A line of the list of open tables."""

    code: str
    rules: str
    rules_name: str | Promise
    seats: int
    teams: int
    people: Sequence[str]
    bots: int
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
    people = Count("seatings", filter=Q(seatings__bot=""))
    tables = list(
        found.annotate(code=F("casual__code"), people=people).filter(people__lt=F("seats")).order_by("pk")[:LISTED]
    )
    names: dict[int, list[str]] = {}
    bots: dict[int, int] = {}
    for seating in Seating.objects.filter(table__in=tables).select_related("player").order_by("table", "seat"):
        if seating.bot:
            bots[seating.table_id] = bots.get(seating.table_id, 0) + 1
        else:
            name = seating.player.display_name if seating.player else seating.guest_name
            names.setdefault(seating.table_id, []).append(name)
    return [_line(table, names.get(table.pk, []), bots.get(table.pk, 0)) for table in tables]


def _line(table: Table, people: Sequence[str], bots: int) -> OpenTable:
    return OpenTable(
        code=table.code,  # type: ignore[attr-defined]
        rules=table.rules,
        rules_name=rule_sets.name_of(table.rules),
        seats=table.seats,
        teams=table.teams,
        people=people,
        bots=bots,
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


def watchable(limit: int = WATCHED) -> list[Watchable]:
    """Return running games to watch: matches first, then listed casual tables, the latest play first.

    The boards show what spectators may see, one deal late. Two queries, and those of each game's record.
    """
    casual = Q(table__kind=Table.Kind.CASUAL, table__casual__listed=True, table__seated_only=False)
    running = Game.objects.filter(
        casual | Q(table__kind=Table.Kind.MATCH), state=Game.State.PLAYING, table__state=Table.State.PLAYING
    )
    found = list(running.select_related("table").order_by("-table__kind", "-updated_at", "-pk")[:limit])
    names: dict[int, list[str]] = {}
    seatings = Seating.objects.filter(table__in=[game.table_id for game in found]).select_related("player")
    for seating in seatings.order_by("table", "seat"):
        name = seating.player.display_name if seating.player else seating.guest_name
        names.setdefault(seating.table_id, []).append(name)
    return [_watchable(game, names.get(game.table_id, [])) for game in found]


def _watchable(game: Game, names: Sequence[str]) -> Watchable:
    table = game.table
    is_match = table.kind == Table.Kind.MATCH
    return Watchable(
        slug=table.slug,
        name=table.name if is_match else ", ".join(filter(None, names)),
        rules_name=rule_sets.name_of(table.rules),
        family=rule_sets.game_of(table.rules),
        boot={
            "seats": table.seats,
            "teams": table.teams,
            "seat": None,
            "rules": table.rules,
            "names": list(names),
            "bots": ["" if name else "club" for name in names],
            "snap": snap(game, SPECTATOR, now=clock.now_ms()),
        },
        is_match=is_match,
    )
