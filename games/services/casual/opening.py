"""Open a casual table, or sit down at one that waits for anybody."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext_lazy as _

from games import bots
from games.fold import ClockSettings
from games.models import CasualTable, Game, Seating, Table
from games.models.casual import CODE_LENGTH
from games.permissions import Person
from games.selectors import rule_sets
from tock_league.accounts.models import Player
from tock_league.common import clock, limits
from tock_league.common.alone import in_turn
from tock_league.common.errors import Refused
from tock_league.common.ids import new_slug
from tock_league.common.transactions import writing

from ..tables import check_shape
from .room import Room, begin_in, locked
from .seating import MOST_SEATS, is_apart, place

CLOCKS: Mapping[str, ClockSettings | None] = {
    "none": None,
    "fast": ClockSettings(bank_s=120, increment_s=3, bank_max_s=120, cap_s=30, short_s=15),
    "normal": ClockSettings(),
    "slow": ClockSettings(bank_s=900, increment_s=10, bank_max_s=900, cap_s=180, short_s=40),
}
TABLES_A_DAY = 60  # of one player
WAITS = timedelta(minutes=1)  # since somebody was seen at a table that "quick seat" leads to

__all__ = ["CLOCKS", "MOST_SEATS", "open_table", "quick_seat"]


def open_table(
    *,
    by: Person,
    name: str = "",
    rules: str = "shawinigan/1",
    seats: int = 4,
    teams: int = 2,
    full_ranking: bool = False,
    rounds: int = 0,
    touch: bool = False,
    pace: str = "none",
    rated: bool = False,
    level: str = bots.DEFAULT_LEVEL,
    listed: bool = False,
    seated_only: bool = False,
    quick: bool = False,
) -> CasualTable:
    """Open a table at which `by` has the first seat; `name`: of a guest.

    `pace`: a key of CLOCKS. `seated_only`: nobody else may watch. A rated game has a clock, binding touches and only
    signed-in people. Raises Refused: `clock` (on `pace`), `level`, `rated_guest`, `rated_clock`, `rated_touch`, those of
    `check_shape` and of `sit`.
    """
    check_shape(rules, seats=seats, teams=teams, full_ranking=full_ranking, rounds=rounds)
    if pace not in CLOCKS:
        raise Refused("clock", _("There is no such clock."), field="pace")
    if level not in bots.levels(rules):
        raise Refused("level", _("No bot of this level plays this game; choose another one."), field="level")
    if rated:
        _may_be_rated(by, rules, pace=pace, touch=touch)
    settings = CLOCKS[pace]
    code = _new_code()
    with writing():
        table = Table.objects.create(
            slug=new_slug(),
            kind=Table.Kind.CASUAL,
            name=code.upper(),
            rules=rules,
            seats=seats,
            teams=teams,
            full_ranking=full_ranking,
            rounds=rounds,
            touch=touch and rule_sets.touches(rules),
            clocks=settings.to_json() if settings else None,
            rated=rated,
            bots_allowed=not rated,
            seated_only=seated_only,
            referee_wait_s=0,
        )
        casual = CasualTable.objects.create(
            table=table,
            code=code,
            host_id=by.player_id,
            host_key="" if by.player_id is not None else by.guest_key,
            listed=listed,
            quick=quick,
            level=level,
        )
        place(locked(code), 0, by, name)
        if by.player_id is not None:
            limits.spend_of_day(
                Player(pk=by.player_id), "casual", count=TABLES_A_DAY,
                sentence=_("You have opened very many tables today. Sit down at one that is open."),
            )  # fmt: skip
        return casual


def quick_seat(*, by: Person, name: str = "", rules: str = "shawinigan/1") -> CasualTable:
    """Give `by` a seat at a table that waits for anybody, any partner and any opponents; open one if none waits.

    The game begins when the table is full. Two people who press at once meet. Raises as `open_table` does.
    """
    with writing():
        in_turn("casual quick seat")
        for code in _waiting(rules) if rule_sets.is_played(rules) else ():
            try:
                room = locked(code)
            except Refused:
                continue  # its people have closed it meanwhile
            if room.running or room.table.state != Table.State.OPEN or room.is_full or is_apart(room, by):
                continue
            if room.seat_of(by) is None:
                place(room, _first_empty(room), by, name)
            if len(room.seatings) == room.table.seats:
                begin_in(room)
            return room.casual
        shape: dict[str, Any] = {}
        one = next((one for one in rule_sets.offered() if one.id == rules), None)
        if one is not None:
            seats = 4 if 4 in one.shapes else min(one.shapes)
            shape = {"seats": seats, "teams": one.shapes[seats][0]}
        return open_table(by=by, name=name, rules=rules, listed=True, quick=True, **shape)


def _waiting(rules: str) -> list[str]:
    """Return the codes of the tables that wait for anybody and where somebody is, the oldest first."""
    here = Seating.objects.filter(bot="", seen_at__gte=clock.now() - WAITS)
    tables = CasualTable.objects.filter(
        quick=True, listed=True, table__rules=rules, table__state=Table.State.OPEN, table__in=here.values("table")
    )
    tables = tables.exclude(table__games__state__in=[Game.State.SEATING, Game.State.PLAYING])
    return list(tables.order_by("pk").values_list("code", flat=True)[:20])


def _first_empty(room: Room) -> int:
    return next(seat for seat in range(room.table.seats) if seat not in room.seatings)


def _may_be_rated(by: Person, rules: str, *, pace: str, touch: bool) -> None:
    if by.player_id is None:
        raise Refused("rated_guest", _("A rated game is for people who have signed in."), field="rated")
    if pace == "none":
        raise Refused("rated_clock", _("A rated game has a clock: choose one."), field="pace")
    if rule_sets.touches(rules) and not touch:
        raise Refused("rated_touch", _("In a rated game what is touched must be played."), field="touch")


def _new_code() -> str:
    """Return a code that no table has; the column is unique if two are drawn at once."""
    while CasualTable.objects.filter(code=(code := new_slug(CODE_LENGTH))).exists():
        continue
    return code
