"""Tables for pages: the lobby, the seats, and the data of the table's page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from games.bots import DEFAULT_LEVEL
from games.fold import SPECTATOR, Viewer, clocks_json, view, view_hash
from games.models import Game, HeldSeat, Seating, Table
from games.permissions import Person, seat_of

from . import games, referee, rule_sets

POWERS = ("play", "phrase", "resign")


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """The public description of a seat's holder."""

    seat: int
    name: str  # empty for a bot, and for a guest at a practice table
    player: str = ""
    bot: str = ""  # the bot's level, or empty

    def to_json(self) -> dict[str, Any]:
        """Return the seat's part of a `who` frame; keys with default values are omitted."""
        wire: dict[str, Any] = {"name": self.name}
        if self.player:
            wire["player"] = self.player
        if self.bot:
            wire["bot"] = self.bot
        return wire


def seats_of(table_id: int) -> list[SeatInfo]:
    """Return the seats in order. One query."""
    return seats_of_all([table_id]).get(table_id, [])


def seats_of_all(table_ids: Sequence[int]) -> dict[int, list[SeatInfo]]:
    """Return by table the seats in order, also those that nobody holds. One query."""
    found: dict[int, list[SeatInfo]] = {}
    seatings = Seating.objects.filter(table_id__in=table_ids).select_related("player").annotate(n=F("table__seats"))
    for seating in seatings.order_by("table", "seat"):
        seats = found.setdefault(seating.table_id, [SeatInfo(seat, "") for seat in range(seating.n)])
        seats[seating.seat] = SeatInfo(
            seat=seating.seat,
            name=seating.name,
            player=seating.player.slug if seating.player else "",
            bot=seating.bot,
        )
    return found


def players_of(game: Game) -> list[SeatInfo]:
    """Return the seats with those who played the game. At a casual table they change seats after it. Three queries at
    most.

    A seat that several held has the last one's name; a guest who has left the table has none.
    """
    table, seats = game.table, seats_of(game.table_id)
    if table.kind != Table.Kind.CASUAL or game.state != Game.State.OVER:
        return seats
    level = next((seat.bot for seat in seats if seat.bot), DEFAULT_LEVEL)
    found = [SeatInfo(seat, "", bot=level) for seat in range(table.seats)]
    guests = Seating.objects.filter(table=table).exclude(guest_key="")
    names = dict(guests.values_list("guest_key", "guest_name"))
    for held in HeldSeat.objects.filter(game=game).select_related("player").order_by("pk"):
        name = held.player.display_name if held.player else names.get(held.guest_key, "")
        found[held.seat] = SeatInfo(held.seat, name, player=held.player.slug if held.player else "")
    return found


def you(viewer: Viewer, release: str, *, referees: bool = True) -> dict[str, Any]:
    """Return the `you` of a snap: seat, role and powers of the viewer. `referees`: whether one can be called at the table.

    A referee has no power at the table itself: rulings are made in the case. `sees`: the seat whose hand is shown.
    """
    if viewer.seat is not None:
        powers = (*POWERS, "dispute") if referees else POWERS
        return {"seat": viewer.seat, "role": "seat", "powers": list(powers)}
    if viewer.referee:
        sees = {"sees": viewer.sees} if viewer.sees is not None else {}
        return {"role": "referee", "powers": []} | sees
    return {"role": "spectator", "powers": [], "delay": release}


def snap(game: Game, viewer: Viewer, *, now: int) -> dict[str, Any]:
    """Return the body of a snap of `game` for `viewer` at `now` (ms)."""
    state = games.state_at(game, games.shown_to(game, viewer, now=now))
    seen = view(state, viewer)
    return {
        "t": "snap",
        "epoch": state.epoch,
        "seq": state.seq,
        "you": you(viewer, game.table.release, referees=game.table.kind == Table.Kind.MATCH),
        "view": seen,
        "clocks": clocks_json(state),
        "now": now if viewer.live else state.at,
        "hash": view_hash(seen),
    }


def names_of(game: Game) -> dict[str, list[str]]:
    """Return `names` and `bots` of those who played the game by seat, as in `boot`. Three queries at most."""
    seats = players_of(game)
    return {"names": [seat.name for seat in seats], "bots": [seat.bot for seat in seats]}


def viewer_of(table: Table, person: Person) -> Viewer:
    """Return how `person` sees the table: as its seat, its referee, or a spectator."""
    seat = seat_of(table.pk, person)
    if seat is not None:
        return Viewer(seat=seat)
    return referee_viewer(table.pk, person) or SPECTATOR


def referee_viewer(table_id: int, person: Person) -> Viewer | None:
    """Return how `person` sees the table as its referee, or None without that role."""
    if person.player_id is None:
        return None
    found = referee.referees(table_id)
    return Viewer(referee=True, sees=found[person.player_id]) if person.player_id in found else None


def page(table: Table, game: Game, person: Person, *, now: int) -> dict[str, Any]:
    """Return the `boot` data of the table's page: everything that the browser needs to begin, except addresses.

    It contains the viewer's own view with the hand, so caches must not store the page.
    """
    viewer = viewer_of(table, person)
    seats = seats_of(table.pk)
    return boot(table, game, viewer, seats) | {"snap": snap(game, viewer, now=now)}


def boot(table: Table, game: Game, viewer: Viewer, seats: Sequence[SeatInfo]) -> dict[str, Any]:
    """Return the `boot` data that the pages of tables and of replays have in common."""
    return {
        "table": table.slug,
        "game": game.slug,
        "seat": viewer.seat,
        "role": "seat" if viewer.seat is not None else "referee" if viewer.referee else "spectator",
        "seats": table.seats,
        "teams": table.teams,
        "rules": table.rules,
        "rules_name": rule_sets.name_of(table.rules),
        "family": rule_sets.game_of(table.rules),
        "full_ranking": table.full_ranking,
        "rounds": table.rounds,
        "touch": table.touch,
        # Whether the viewer may take the own last play back: alone against bots, in practice.
        "takes_back": table.kind == Table.Kind.PRACTICE
        and viewer.seat is not None
        and all(seat.bot for number, seat in enumerate(seats) if number != viewer.seat),
        "kind": table.kind,
        "name": table.name,
        "state": table.state,
        "best_of": table.best_of,
        "names": [seat.name for seat in seats],
        "bots": [seat.bot for seat in seats],
        "team_names": list(table.team_names),
        # Whether a seat may call a referee here, whether one is on duty, and how long the game waits for one.
        "calls": table.kind == Table.Kind.MATCH,
        "referee": {"on_duty": referee.on_duty(table.pk), "wait_s": table.referee_wait_s},
    }


def lobby(limit: int = 50) -> list[Table]:
    """Return the tables of matches that are being seated or played now, the earliest first. One query."""
    open_ones = Table.objects.filter(kind=Table.Kind.MATCH, state__in=[Table.State.OPEN, Table.State.PLAYING])
    return list(open_ones.order_by("starts_at", "pk")[:limit])
