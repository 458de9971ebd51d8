"""Judge a finished game's record: check every row against the rules, the commitment and the table's clocks.

The fold trusts its rows, because `play.submit` and the deadlines wrote them. A record from a file is not trusted: each
row is compared with what the live table would have allowed or done at that moment.
"""

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from games.engine.errors import EngineError
from games.fold import BadRecord, Row, Setup, TableState, apply_row, caps
from games.models import Table
from tock_league.common.errors import Refused

from .common import refuse
from .opened import opened
from .plays import Plays
from .rulings import Rulings
from .shares import Committed

LATE_CALL_MS = 60_000  # how late a live table may make the call of a time cap
# What may happen at a frozen table.
STILL = (
    *(
        "hold",
        "free",
        "mark",
        "resume",
        "penalty",
        "touch",
        "warning",
        "adjust",
        "rewind",
        "forfeit",
        "seat_view",
        "open",
    ),
    "credit",
)


def judge(*, table: Table, setup: Setup, rows: Sequence[Row], now: int) -> TableState:
    """Return the table after `rows`, the whole record of one finished game at `table`.

    `now`: milliseconds since 1970; nothing in a record is later. Raises Refused with the wrong field (`rows.<seq>`, and
    the part of it): `record_empty`, `record_not_ended`, `record_row`, `record_time`, `record_actor`,
    `record_commitment`, `record_deal`, `record_play` (with the engine's code in the details as `why`), `record_act`.
    """
    if not rows:
        raise Refused("record_empty", _("The record holds no rows."), field="rows")
    secret = opened(setup, rows)
    replay = _Replay(table, setup, secret, now)
    for row in rows:
        replay.take(row)
    return replay.state


class _Replay(Plays, Rulings, Committed):
    """Follow a record row by row."""

    def take(self, row: Row) -> None:
        """Follow one row, or refuse it."""
        state = self.state
        if row.seq != state.seq + 1 or row.epoch != state.epoch + (row.code == "rewind"):
            raise refuse("record_row", row, "seq", _("Rows are numbered from 1 without a gap, epochs by the rewinds."))
        if not state.at <= row.at <= self.now:
            raise refuse("record_time", row, "at", _("Time runs back here, or lies ahead of us."))
        if row.command_id and (row.command_id in self.ids or len(row.command_id) > 36):
            raise refuse(
                "record_row", row, "command_id", _("A command is obeyed once, and its id has 36 letters at most.")
            )
        self.ids.add(row.command_id)
        if state.result is not None and not self.opened and row.code != "open":
            raise refuse("record_act", row, "code", _("The seeds are opened as soon as the game is over."))
        if self.called and row.code not in ("freeze", "mark"):
            raise refuse(
                "record_act", row, "code", _("A call freezes the table, or is marked where nobody is on duty.")
            )
        if state.frozen is not None and row.code not in STILL:
            raise refuse("record_act", row, "code", _("Nobody plays at a table that is frozen."))
        if caps.is_over(state) and row.code not in ("extra", "time"):
            raise refuse(
                "record_act", row, "code", _("The time of this game is up: what the sides have reached decides.")
            )
        if row.kind == "play" and caps.is_due(state, row.at - LATE_CALL_MS):
            raise refuse("record_act", row, "code", _("The time of this game was up, and nobody has called it."))
        check = _CHECKS.get(row.code) if (row.kind == "play") == (row.code == "play") else None
        if check is None:
            raise refuse("record_act", row, "code", _("A record from elsewhere holds no row of this code."))
        try:
            check(self, row)
            self.state = apply_row(state, row)
        except EngineError as error:
            raise refuse("record_play", row, "play", _("The rules do not allow this play."), why=error.code) from error
        except BadRecord as error:
            raise refuse("record_row", row, "", str(error)) from error
        self.called = row.code == "dispute"
        if row.kind == "play":
            self.late.discard(row.body.get("seat", -1))


_CODES = (
    "commit ready sharing share shared beacon draw begin play give_sealed touch timeout resign forfeit phrase open "
    "dispute freeze hold free mark resume penalty warning seat_view adjust rewind credit cap extra time"
)
_CHECKS: Mapping[str, Callable[[_Replay, Row], None]] = {code: getattr(_Replay, code) for code in _CODES.split()}
