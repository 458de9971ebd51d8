"""Tables for pages: the lobby, who sits where, and what the table's page needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.fold import Viewer, clocks_json, view, view_hash
from games.models import Game, Seating, Table
from games.permissions import Person, seat_of

from . import games

POWERS = ("play", "phrase", "resign")


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who holds a seat, as anybody may know it. `name` empty: a guest. `bot`: the level, or empty."""

    seat: int
    name: str
    player: str = ""
    bot: str = ""

    def to_json(self) -> dict[str, Any]:
        """Answer the seat's part of a `who` frame; what rests is left out."""
        wire: dict[str, Any] = {"name": self.name}
        if self.player:
            wire["player"] = self.player
        if self.bot:
            wire["bot"] = self.bot
        return wire


def seats_of(table_id: int) -> list[SeatInfo]:
    """Answer the seats in order. One query."""
    found = Seating.objects.filter(table_id=table_id).select_related("player").order_by("seat")
    return [
        SeatInfo(
            seat=seating.seat,
            name=seating.player.display_name if seating.player else "",
            player=seating.player.slug if seating.player else "",
            bot=seating.bot,
        )
        for seating in found
    ]


def you(viewer: Viewer, release: str) -> dict[str, Any]:
    """Answer the `you` of a snap: seat, role and powers of the viewer."""
    if viewer.seat is None:
        return {"role": "spectator", "powers": [], "delay": release}
    return {"seat": viewer.seat, "role": "seat", "powers": list(POWERS)}


def snap(game: Game, viewer: Viewer, *, now: int) -> dict[str, Any]:
    """Answer the body of a snap of `game` for `viewer` at `now` (ms)."""
    state = games.state_at(game, games.shown_to(game, viewer, now=now))
    seen = view(state, viewer)
    return {
        "t": "snap",
        "epoch": state.epoch,
        "seq": state.seq,
        "you": you(viewer, game.table.release),
        "view": seen,
        "clocks": clocks_json(state),
        "now": now if viewer.seat is not None else state.at,
        "hash": view_hash(seen),
    }


def viewer_of(table: Table, person: Person) -> Viewer:
    """Answer how `person` sees the table: from a seat, or as a spectator."""
    return Viewer(seat=seat_of(table.pk, person))


def page(table: Table, game: Game, person: Person, *, now: int) -> dict[str, Any]:
    """Answer the `boot` data of the table's page, without its addresses: everything the browser needs to begin.

    The view in it is the viewer's own, hand included: the page must not be stored by caches.
    """
    viewer = viewer_of(table, person)
    seats = seats_of(table.pk)
    return boot(table, game, viewer, seats) | {"snap": snap(game, viewer, now=now)}


def boot(table: Table, game: Game, viewer: Viewer, seats: Sequence[SeatInfo]) -> dict[str, Any]:
    """Answer what table and replay pages share."""
    return {
        "table": table.slug,
        "game": game.slug,
        "seat": viewer.seat,
        "role": "spectator" if viewer.seat is None else "seat",
        "seats": table.seats,
        "teams": table.teams,
        "rules": table.rules,
        "touch": table.touch,
        "kind": table.kind,
        "name": table.name,
        "state": table.state,
        "best_of": table.best_of,
        "names": [seat.name for seat in seats],
        "bots": [seat.bot for seat in seats],
        "team_names": list(table.team_names),
    }


def lobby(limit: int = 50) -> list[Table]:
    """Answer the tables of matches where people sit or play now, the earliest first. One query."""
    open_ones = Table.objects.filter(kind=Table.Kind.MATCH, state__in=[Table.State.OPEN, Table.State.PLAYING])
    return list(open_ones.order_by("starts_at", "pk")[:limit])
