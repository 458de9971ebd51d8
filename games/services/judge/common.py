"""Shared by all checks of rows: the table so far, refusals that name row and part, and the allowed authors."""

from typing import TypeGuard

from django.utils.translation import gettext_lazy as _

from games.fold import REFEREE, Row, Setup, by_seat, opening
from games.models import Table
from tock_league.common.errors import Refused, Text
from tock_league.common.numbers import is_whole

from ..deals import Deals
from ..leaving import final_ranks


def refuse(code: str, row: Row, part: str, sentence: Text, *, why: str = "") -> Refused:
    """Return the refusal of a row, which names it and the wrong part."""
    field = f"rows.{row.seq}.{part}" if part else f"rows.{row.seq}"
    details = {"why": why} if why else {}
    return Refused(code, sentence, field=field, status=422, seq=row.seq, **details)


def is_seat(value: object, setup: Setup) -> TypeGuard[int]:
    return is_whole(value) and 0 <= value < setup.seats


class Judged:
    """The table after the rows so far. `late`: seats whose time has just run out."""

    def __init__(self, table: Table, setup: Setup, deals: Deals, now: int) -> None:
        self.table, self.setup, self.deals, self.now = table, setup, deals, now
        self.state = opening(setup)
        self.late: set[int] = set()
        self.ids: set[str] = set()
        self.opened = False
        self.called = False  # the row before was a call for the referee

    def _by(self, row: Row, actor: str) -> None:
        if row.actor != actor:
            raise refuse("record_actor", row, "actor", _("This row is somebody else's to write."))

    def _seat(self, row: Row) -> int:
        """Return the seat that the row is about, which must also be its author."""
        seat = row.body.get("seat")
        if not is_seat(seat, self.setup):
            raise refuse("record_row", row, "seat", _("There is no such seat at this table."))
        self._by(row, by_seat(seat))
        return seat

    def _ruled(self, row: Row) -> int:
        """Return the seat that a ruling is about."""
        seat = row.body.get("seat")
        self._by(row, REFEREE)
        if self.state.position is None or self.state.result is not None:
            raise refuse("record_act", row, "code", _("The game is not running here."))
        if not is_seat(seat, self.setup) or row.body.get("by") != "referee":
            raise refuse("record_row", row, "seat", _("There is no such seat at this table."))
        return seat

    def _runs(self, row: Row) -> None:
        if self.state.position is None or self.state.result is not None or self.state.frozen is not None:
            raise refuse("record_act", row, "code", _("The game is not running here."))

    def _gives_up(self, row: Row, losers: set[int], reason: str) -> None:
        if self.state.position is None or self.state.result is not None or losers & set(self.state.out):
            raise refuse("record_act", row, "code", _("There is no game to give up."))
        ranks = final_ranks(self.table, self.state, losers)
        if row.body.get("ranks") != ranks or ("ranks" in row.body) != (ranks is not None):
            raise refuse("record_act", row, "ranks", _("The ranks do not follow from where the teams stand."))
        if row.body.get("reason") != reason:
            raise refuse("record_act", row, "reason", _("The reason is another one."))
