"""Casual tables for pages: a table's room, and invitations to one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F
from django.utils.functional import Promise

from games.models import CasualTable, Game, Seating, Table, TableInvitation
from games.permissions import Person, holds
from tock_league.common import clock

from . import rule_sets

AWAY = timedelta(minutes=2)  # since a person was last seen at the seat; from then on the others may give it away
SHOWN = 10  # invitations
INVITED = timedelta(hours=2)  # that an invitation is shown


@dataclass(frozen=True, slots=True)
class RoomSeat:
    """A seat of a casual table as its room shows it."""

    seat: int
    team: int
    name: str = ""  # of a person
    player: str = ""  # the player's public id; "" for a guest
    bot: str = ""  # the level of the bot that keeps it
    is_bot: bool = False  # whether a program plays: one of the site, or a bot account
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


def codes_of(slugs: Sequence[str]) -> dict[str, str]:
    """Return by public id the codes of those tables that are casual. One query."""
    return dict(CasualTable.objects.filter(table__slug__in=slugs).values_list("table__slug", "code"))


def _seat(seat: int, teams: int, held: Seating | None, person: Person) -> RoomSeat:
    if held is None:
        return RoomSeat(seat, seat % teams)
    return RoomSeat(
        seat=seat,
        team=seat % teams,
        name=held.name,
        player=held.player.slug if held.player else "",
        bot=held.bot,
        is_bot=bool(held.bot or (held.player and held.player.is_bot_account)),
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
