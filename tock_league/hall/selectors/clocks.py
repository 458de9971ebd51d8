"""The round clock as pages show it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from tock_league.common import clock
from tock_league.competitions.models import Competition

from ..models import RoundClock

USUAL_MINUTES = 40


@dataclass(frozen=True)
class ClockView:
    """A clock at one moment; times in milliseconds since 1970, counted by the server.

    `left_ms`: negative after the call. `tables`: by table number, when its own time ends, of those that have extra time.
    """

    state: str  # "", "running" or "paused"
    version: int = 0
    minutes: int = 0
    ends_ms: int = 0
    left_ms: int = 0
    call: str = ""
    call_code: str = ""
    tables: Mapping[int, int] = field(default_factory=dict)

    @property
    def is_on(self) -> bool:
        return bool(self.state)

    @property
    def is_over(self) -> bool:
        return self.is_on and self.left_ms <= 0

    @property
    def shown(self) -> str:
        """What is left, such as 12:05 or 1:00:00: what a page without script shows."""
        return as_digits(self.left_ms)

    @property
    def ends_at(self) -> datetime:
        return clock.from_ms(self.ends_ms)

    @property
    def extra(self) -> list["ClockView"]:
        """The clocks of the tables with extra time, by number."""
        return [self.of_table(number) for number in sorted(self.tables)]

    table: int = 0  # of which table it is the clock; 0 for that of all

    def of_table(self, number: int | None) -> "ClockView":
        """Return the clock of one table: with its extra time, else that of all."""
        if number is None or number not in self.tables:
            return self
        more = self.tables[number] - self.ends_ms
        return ClockView(
            self.state, self.version, self.minutes, self.ends_ms + more, self.left_ms + more, self.call, self.call_code,
            table=number,
        )  # fmt: skip


def as_digits(left_ms: int) -> str:
    """Return minutes and seconds, with hours from one hour on; a started second counts whole."""
    seconds = max(0, -(-left_ms // 1000))
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def clock_of(competition: Competition) -> ClockView:
    """Return the clock of an event; one that is off where none was started or it was stopped. Two queries at most."""
    return _view(RoundClock.objects.filter(competition=competition).first())


def usual(competition: Competition) -> tuple[int, str]:
    """Return the minutes and the call that the desk is offered: as the regulations cap the games.

    No query. A cap is a part of the regulations that an event need not have.
    """
    cap = competition.regulations.body.get("cap")
    if isinstance(cap, Mapping) and isinstance(cap.get("minutes"), int):
        call = str(cap.get("call", ""))
        return cap["minutes"], call if call in RoundClock.Call.values else str(RoundClock.Call.DEAL)
    return USUAL_MINUTES, str(RoundClock.Call.DEAL)


def now_of(competition: Competition) -> tuple[ClockView, str]:
    """Return the clock of an event, and the sentence that is said to everybody, "" without one.

    One query while no clock is on: every page of an event asks.
    """
    rows = Competition.objects.select_related("round_clock", "announcement").only("pk", "round_clock", "announcement")
    found = rows.get(pk=competition.pk)
    said = getattr(found, "announcement", None)
    return _view(getattr(found, "round_clock", None)), said.text if said is not None else ""


def _view(row: RoundClock | None) -> ClockView:
    if row is None:
        return ClockView("")
    if row.stopped_at is not None:
        return ClockView("", row.version, row.minutes, call_code=row.call)
    ends = clock.ms(row.ends_at)
    at = clock.ms(row.paused_at) if row.paused_at is not None else clock.now_ms()
    return ClockView(
        state="paused" if row.paused_at is not None else "running",
        version=row.version,
        minutes=row.minutes,
        ends_ms=ends,
        left_ms=ends - at,
        call=str(row.get_call_display()),
        call_code=row.call,
        tables={extra.table_no: ends + 1000 * extra.seconds for extra in row.tables.all()},
    )
