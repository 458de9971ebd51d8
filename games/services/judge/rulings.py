"""Calls and rulings. A record cannot prove that a referee made a ruling; it can prove that the ruling was possible."""

from django.utils.translation import gettext_lazy as _

from games.fold import CLOCK, REFEREE, SYSTEM, Row, caps, counts_from, rewind_target, take_back_target
from games.models import Table
from tock_league.common.numbers import is_whole

from ..calls import PER_SEAT
from ..credits import CREDITS, credited_seat
from ..referee import MAX_ADJUST_MS
from .common import Judged, is_seat, refuse


class Rulings(Judged):
    """One method per code; the docstrings say what a row must be."""

    def dispute(self, row: Row) -> None:
        seat = self._seat(row)
        kind = row.body.get("kind")
        self._runs(row)
        if self.table.kind != Table.Kind.MATCH or self.state.calls[seat] >= PER_SEAT or not isinstance(kind, str):
            raise refuse("record_act", row, "code", _("A seat calls the referee twice in a game, at a match."))
        if row.body.keys() != {"seat", "kind"} or len(kind) > 16:
            raise refuse("record_row", row, "body", _("A call says who calls and about what kind of thing."))

    def freeze(self, row: Row) -> None:
        self._runs(row)
        by_call = row.body.get("by") == "call"
        keys = {"by", "seat", "until"} if by_call else {"by", "until"}
        until = row.body.get("until")
        if row.body.keys() != keys or by_call != self.called or not is_whole(until) or until <= row.at:
            raise refuse("record_act", row, "body", _("A table is frozen by a call or by a referee, for a time."))
        if by_call and not (is_seat(row.body["seat"], self.setup) and self.state.calls[row.body["seat"]]):
            raise refuse("record_act", row, "seat", _("This seat has not called."))
        self._by(row, SYSTEM if by_call else REFEREE)

    def hold(self, row: Row) -> None:
        until = row.body.get("until")
        frozen, again = self.state.frozen, row.body.get("again")
        keys = {"until"} if again is None else {"until", "again"}
        if frozen is None or row.body.keys() != keys or not is_whole(until) or again not in (None, True):
            raise refuse("record_act", row, "until", _("A referee takes a case while the table is frozen."))
        if again and not frozen.held:
            raise refuse("record_act", row, "again", _("No referee has this case."))
        self._by(row, REFEREE)

    def free(self, row: Row) -> None:
        frozen, until = self.state.frozen, row.body.get("until")
        if frozen is None or not frozen.held or row.body.keys() != {"until"} or not is_whole(until):
            raise refuse("record_act", row, "until", _("No referee has this case."))
        self._by(row, REFEREE)

    def mark(self, row: Row) -> None:
        """Nobody was on duty, or nobody came in time."""
        frozen = self.state.frozen
        if frozen is None:
            want, actor = {"seq": self.state.seq, "why": "no_referee"}, SYSTEM
        else:
            want, actor = {"seq": frozen.seq, "why": "lapsed" if frozen.held else "unanswered"}, CLOCK
        if row.body != want or (frozen is None) != self.called or (frozen is not None and row.at < frozen.until):
            raise refuse("record_act", row, "code", _("Nothing was to be marked here."))
        self._by(row, actor)

    def resume(self, row: Row) -> None:
        frozen, by_clock = self.state.frozen, row.actor == CLOCK
        if frozen is None or row.body != {"by": "clock" if by_clock else "referee"}:
            raise refuse("record_act", row, "code", _("Only a frozen table goes on."))
        if by_clock and row.at < frozen.until:
            raise refuse("record_time", row, "at", _("The referee was still waited for."))
        self._by(row, CLOCK if by_clock else REFEREE)

    def penalty(self, row: Row) -> None:
        seat, at = self._ruled(row), row.body.get("at")
        want = {"seat": seat, "penalty": "talk", "at": at, "by": "referee"}
        if not self.setup.engine.burns:
            raise refuse("record_act", row, "code", _("This game knows no blind burn."))
        if row.body != want or not is_whole(at) or not 1 <= at <= self.state.seq:
            raise refuse("record_act", row, "body", _("A penalty names the seat and the place in the game."))

    def warning(self, row: Row) -> None:
        if row.body.keys() != {"seat", "by"}:
            raise refuse("record_row", row, "body", _("A warning names a seat, no more."))
        self._ruled(row)

    def seat_view(self, row: Row) -> None:
        self.warning(row)

    def adjust(self, row: Row) -> None:
        self._ruled(row)
        ms = row.body.get("ms")
        number = is_whole(ms) and 0 < abs(ms) <= MAX_ADJUST_MS
        if self.state.clocks is None or not number or row.body.keys() != {"seat", "ms", "by"}:
            raise refuse("record_act", row, "ms", _("A clock is moved by at most an hour, where one runs."))

    def credit(self, row: Row) -> None:
        """Time given back. A record cannot prove an outage; the credit must fit the clocks that were running."""
        state, ms, back = self.state, row.body.get("ms"), row.body.get("back")
        self._by(row, CLOCK)
        want = {"ms": ms, "back": back, "why": row.body.get("why")}
        if (seat := credited_seat(state)) is not None:
            want["seat"] = seat
        since = counts_from(state)
        if row.body != want or want["why"] not in CREDITS or not is_whole(ms) or not is_whole(back):
            raise refuse("record_row", row, "body", _("A credit says how long nothing was served, and until when."))
        if since is None or not since < back <= row.at or not 0 < ms <= back - since:
            raise refuse("record_act", row, "ms", _("No clock ran for so long here."))

    def cap(self, row: Row) -> None:
        """The call; that the time was up is checked by the fold."""
        self._by(row, CLOCK)
        if self.setup.cap is None or row.body != {"call": self.setup.cap.call}:
            raise refuse("record_act", row, "call", _("This game has no such time cap."))

    def extra(self, row: Row) -> None:
        self._ends_by_time(row, {"tie", "counts"})
        if self.setup.cap is None or row.body.get("tie") != self.setup.cap.tie:
            raise refuse("record_act", row, "tie", _("This game has no such time cap."))

    def time(self, row: Row) -> None:
        self._ends_by_time(row, {"counts", "ranks"})
        if caps.goes_on(self.state):
            raise refuse("record_act", row, "code", _("The sides are equal, and by the regulations play goes on."))

    def _ends_by_time(self, row: Row, keys: set[str]) -> None:
        self._by(row, SYSTEM)
        if row.body.keys() != keys or row.body["counts"] != list(caps.reached(self.state)):
            raise refuse("record_act", row, "counts", _("The sides have reached something else."))

    def rewind(self, row: Row) -> None:
        to = row.body.get("to")
        if row.body.get("by") == "seat":
            self._taken_back(row)
            return
        self._by(row, REFEREE)
        possible = self.state.frozen is not None and is_whole(to) and rewind_target(self.state, to) is not None
        if not possible or row.body != {"to": to, "by": "referee"}:
            raise refuse("record_act", row, "to", _("At most the last turn is taken back, at a frozen table."))

    def _taken_back(self, row: Row) -> None:
        """A seat takes its own last play back, at a practice table."""
        seat = self._seat(row)
        to = take_back_target(self.state, seat)
        if to is None or row.body != {"to": to.decision, "by": "seat", "seat": seat}:
            raise refuse("record_act", row, "to", _("In practice a seat takes back its own last play of the hand."))
