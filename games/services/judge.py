"""Judge a finished game's record: every row as the rules, the commitment and the table's clocks would have it.

The fold trusts its rows, for `play.submit` and the deadlines wrote them. A record that comes from a file deserves no
trust: here each row is held against what the live table would have allowed or done at that moment.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from django.utils.translation import gettext_lazy as _

from games import bots
from games.engine import shuffle
from games.engine.errors import EngineError
from games.fold import (
    CLOCK,
    REFEREE,
    SYSTEM,
    BadRecord,
    Row,
    Setup,
    TableState,
    apply_row,
    by_seat,
    legal,
    opening,
    rewind_target,
)
from games.fold.state import GIVE
from games.models import Table
from tock_league.common.errors import Refused, Text

from .calls import PER_SEAT
from .deals import DEALS, DRAW, SALT, SEED, Deals
from .play import TOUCHING, ranks_without
from .referee import MAX_ADJUST_MS

DIGEST = 32
# What may happen at a frozen table.
STILL = ("hold", "mark", "resume", "penalty", "touch", "warning", "adjust", "rewind", "forfeit", "seat_view", "open")


def judge(*, table: Table, setup: Setup, rows: Sequence[Row], now: int) -> TableState:
    """Answer the table after `rows`, the whole record of one finished game at `table`.

    `now`: milliseconds since 1970; nothing in a record is later. Raises Refused with the field at fault (`rows.<seq>`,
    and the part of it): `record_empty`, `record_not_ended`, `record_row`, `record_time`, `record_actor`,
    `record_commitment`, `record_deal`, `record_play` (the engine's code in the details as `why`), `record_act`.
    """
    if not rows:
        raise Refused("record_empty", _("The record holds no rows."), field="rows")
    secret = _opened(setup, rows)
    replay = _Replay(table, setup, secret, now)
    for row in rows:
        replay.take(row)
    return replay.state


def refuse(code: str, row: Row, part: str, sentence: Text, *, why: str = "") -> Refused:
    """Answer the refusal of a row, naming it and the part at fault."""
    field = f"rows.{row.seq}.{part}" if part else f"rows.{row.seq}"
    details = {"why": why} if why else {}
    return Refused(code, sentence, field=field, status=422, seq=row.seq, **details)


def _opened(setup: Setup, rows: Sequence[Row]) -> Deals:
    """Answer the secret of the deals that the record opens, each proved to lie under a root it began with."""
    last = next((row for row in reversed(rows) if row.code == "open"), None)
    if last is None:
        raise Refused("record_not_ended", _("The record does not end: its seeds are not opened."), field="rows")
    roots = {row.body.get("first"): row.body.get("root") for row in rows if row.code == "commit"}
    seeds, salts = b"", b""
    for d, (entry, seed, salt, path) in enumerate(_entries(last)):
        root = _bytes(roots.get(d - d % DEALS), DIGEST)
        proved = root and shuffle.merkle_verify(root, shuffle.commit(seed, salt), d % DEALS, DEALS, path)
        if entry != d or not proved:
            raise refuse("record_commitment", last, f"deals.{d}", _("This seed is not the one that was committed to."))
        seeds, salts = seeds + seed, salts + salt
    return Deals(game=setup.game, rules=setup.rules, seats=setup.seats, seeds=seeds, salts=salts)


def _entries(row: Row) -> Iterator[tuple[Any, bytes, bytes, list[bytes]]]:
    """Yield (d, seed, salt, path) of each opened deal; refuses what is not written like that."""
    deals = row.body.get("deals")
    for d, deal in enumerate(deals if isinstance(deals, list) else [None]):
        if isinstance(deal, Mapping) and deal.keys() == {"d", "seed", "salt", "path"}:
            seed, salt = _bytes(deal["seed"], SEED), _bytes(deal["salt"], SALT)
            path = [_bytes(node, DIGEST) for node in deal["path"]] if isinstance(deal["path"], list) else [b""]
            if seed and salt and all(path):
                yield deal["d"], seed, salt, path
                continue
        raise refuse("record_commitment", row, f"deals.{d}", _("An opened deal has d, seed, salt and path, in hex."))


def _bytes(text: object, size: int) -> bytes:
    """Answer the bytes that `text` writes in hex, or nothing when it does not write `size` of them."""
    try:
        value = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        return b""
    return value if len(value) == size else b""


class _Replay:
    """The table as far as the rows taken have led it. `late`: seats whose time has just run out."""

    def __init__(self, table: Table, setup: Setup, deals: Deals, now: int) -> None:
        self.table, self.setup, self.deals, self.now = table, setup, deals, now
        self.state = opening(setup)
        self.late: set[int] = set()
        self.ids: set[str] = set()
        self.opened = False
        self.called = False  # the row before was a call for the referee

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

    # What each kind of row must be, in the order in which they come.

    def commit(self, row: Row) -> None:
        """The promise of 64 deals, before the first row or when the deck about to be needed has none."""
        first = row.body.get("first")
        due = 0 if row.seq == 1 else self.state.decks + 1
        want = {"scheme": "tock-deal-v1", "first": due, "deals": DEALS, "shares": "zero", "beacon": ""}
        root = row.body.get("root")
        if first != due or due % DEALS or not _bytes(root, DIGEST) or row.body != {**want, "root": root}:
            raise refuse("record_commitment", row, "body", _("This is no commitment to the deals that follow."))
        self._by(row, SYSTEM)

    def ready(self, row: Row) -> None:
        seat = self._seat(row)
        if row.seq == 1 or self.state.position is not None or self.state.ready[seat]:
            raise refuse("record_act", row, "seat", _("Each seat says once that it is ready, before the first deal."))

    def draw(self, row: Row) -> None:
        """The first dealer follows from deal 0."""
        if self.state.position is not None or not all(self.state.ready):
            raise refuse("record_act", row, "code", _("The dealer is drawn once, when all seats are ready."))
        dealer, drawn = self.deals.first_dealer()
        if row.body != {"dealer": dealer, "cards": [list(pair) for pair in drawn]}:
            raise refuse("record_deal", row, "cards", _("The committed seed gives another first dealer."))
        self._by(row, SYSTEM)

    def play(self, row: Row) -> None:
        state, text = self.state, row.body.get("play")
        if not isinstance(text, str) or state.position is None:
            raise refuse("record_play", row, "play", _("A play is a line of notation, after the first dealer's draw."))
        word = text.split(" ", 1)[0]
        if state.chance:
            self._chance(row, text)
        elif state.phase == GIVE:
            self._handed_over(row, text)
        elif word in ("deck", "blind", "give"):
            raise refuse("record_play", row, "play", _("Nothing of this kind was due."), why="not_due")
        else:
            seat = self._turn(row, text)
            if state.touch:
                engine, touch = self.setup.engine, state.touch
                play = engine.parse_play(state.position, text, seat)
                engine.check(state.position, play, seat, card=touch.card or None, marbles=touch.marbles)

    def give_sealed(self, row: Row) -> None:
        """A card laid aside for the partner; the engine judges it when it is handed over."""
        if self.state.phase != GIVE:
            raise refuse("record_act", row, "code", _("No cards are exchanged here."))
        line = f"give {row.body.get('card')}"
        seat = self._turn(row, line)
        if line not in legal(self.state, seat):
            raise refuse("record_play", row, "card", _("The seat does not hold this card."), why="no_such_card")

    def touch(self, row: Row) -> None:
        """A card, then marbles; each touch leaves a play that uses it. A referee holds a seat to what it touched."""
        ruled, state = row.actor == REFEREE, self.state
        seat = self._ruled(row) if ruled else self._seat(row)
        part = "marble" if state.touch.card or (ruled and "marble" in row.body) else "card"
        used, keys = row.body.get(part), {"seat", part, "by"} if ruled else {"seat", part}
        if row.body.keys() != keys or not isinstance(used, str) or not self._may_touch(seat, part, used, ruled):
            raise refuse("record_act", row, part, _("No play is open to the seat with what it touches."))

    def _may_touch(self, seat: int, part: str, used: str, ruled: bool) -> bool:
        state, engine = self.state, self.setup.engine
        if not (self.setup.touch or ruled) or state.phase not in TOUCHING or seat not in state.to_act:
            return False
        if part == "card":
            return any(line.startswith(f"{used} ") for line in legal(state, seat))
        touched = state.touch
        plays = engine.narrow(state.position, card=touched.card or None, marbles=(*touched.marbles, used), seat=seat)
        return used not in touched.marbles and any(_moves(engine.play_text(play), used) for play in plays)

    def timeout(self, row: Row) -> None:
        state, seat = self.state, row.body.get("seat")
        due = state.clocks.due if state.clocks is not None else 0
        if not due or row.at <= due or seat not in state.to_act or row.body.get("n") != state.timeouts[seat] + 1:
            raise refuse("record_act", row, "at", _("No clock had run out."))
        self._by(row, CLOCK)
        self.late.add(seat)

    def resign(self, row: Row) -> None:
        self._gives_up(row, {self.state.team(self._seat(row))}, "resigned")

    def forfeit(self, row: Row) -> None:
        """A team's time-outs, or a ruling against one team."""
        if row.actor == REFEREE:
            teams = row.body.get("teams")
            if not isinstance(teams, list) or len(teams) != 1 or teams[0] not in range(self.setup.teams):
                raise refuse("record_act", row, "teams", _("A ruling names the team that loses."))
            self._gives_up(row, {teams[0]}, "forfeit_ruling")
            return
        settings, state = self.setup.clocks, self.state
        many = settings.timeouts if settings is not None and not self.table.bots_allowed else None
        losers = {state.team(seat) for seat in self.late if many is not None and state.timeouts[seat] > many}
        if not losers or row.body.get("teams") != sorted(losers):
            raise refuse("record_act", row, "teams", _("No team has used up its default plays."))
        self._by(row, CLOCK)
        self._gives_up(row, losers, "forfeit_timeouts")

    def phrase(self, row: Row) -> None:
        self._seat(row)
        code = row.body.get("code")
        silent = self.state.position is not None and self.state.result is None
        if silent or not isinstance(code, str) or len(code) > 32 or row.body.keys() != {"seat", "code"}:
            raise refuse("record_act", row, "code", _("Preset words are said before the first deal and after the end."))

    def open(self, row: Row) -> None:
        """Every deal used is opened, no other; that they are the promised ones has been proved before the first row."""
        if self.state.result is None or self.opened:
            raise refuse("record_act", row, "code", _("The seeds are opened once, when the game is over."))
        used = [deal["d"] for deal in row.body["deals"]]
        if used != list(range(DRAW, self.state.decks + 1)) or row.body.keys() != {"deals"}:
            raise refuse("record_commitment", row, "deals", _("Every deal that was used is opened, and no other."))
        self._by(row, SYSTEM)
        self.opened = True

    # Calls and rulings. That a ruling was one cannot be seen in a record; that it was possible can.

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
        if row.body.keys() != keys or by_call != self.called or not _is_time(until) or until <= row.at:
            raise refuse("record_act", row, "body", _("A table is frozen by a call or by a referee, for a time."))
        if by_call and not (_is_seat(row.body["seat"], self.setup) and self.state.calls[row.body["seat"]]):
            raise refuse("record_act", row, "seat", _("This seat has not called."))
        self._by(row, SYSTEM if by_call else REFEREE)

    def hold(self, row: Row) -> None:
        until = row.body.get("until")
        if self.state.frozen is None or row.body.keys() != {"until"} or not _is_time(until):
            raise refuse("record_act", row, "until", _("A referee takes a case while the table is frozen."))
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
        if row.body != want or not _is_time(at) or not 1 <= at <= self.state.seq:
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
        number = isinstance(ms, int) and not isinstance(ms, bool) and 0 < abs(ms) <= MAX_ADJUST_MS
        if self.state.clocks is None or not number or row.body.keys() != {"seat", "ms", "by"}:
            raise refuse("record_act", row, "ms", _("A clock is moved by at most an hour, where one runs."))

    def rewind(self, row: Row) -> None:
        to = row.body.get("to")
        self._by(row, REFEREE)
        possible = self.state.frozen is not None and _is_time(to) and rewind_target(self.state, to) is not None
        if not possible or row.body != {"to": to, "by": "referee"}:
            raise refuse("record_act", row, "to", _("At most the last turn is taken back, at a frozen table."))

    # What several of them share.

    def _runs(self, row: Row) -> None:
        if self.state.position is None or self.state.result is not None or self.state.frozen is not None:
            raise refuse("record_act", row, "code", _("The game is not running here."))

    def _ruled(self, row: Row) -> int:
        """Answer the seat that a ruling is about."""
        seat = row.body.get("seat")
        self._by(row, REFEREE)
        if self.state.position is None or self.state.result is not None:
            raise refuse("record_act", row, "code", _("The game is not running here."))
        if not _is_seat(seat, self.setup) or row.body.get("by") != "referee":
            raise refuse("record_row", row, "seat", _("There is no such seat at this table."))
        return seat

    def _by(self, row: Row, actor: str) -> None:
        if row.actor != actor:
            raise refuse("record_actor", row, "actor", _("This row is somebody else's to write."))

    def _seat(self, row: Row) -> int:
        """Answer the seat that the row is about; it must be its own doing."""
        seat = row.body.get("seat")
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < self.setup.seats:
            raise refuse("record_row", row, "seat", _("There is no such seat at this table."))
        self._by(row, by_seat(seat))
        return seat

    def _turn(self, row: Row, line: str) -> int:
        """Answer the seat that decides by `line`: itself, or the clock in its stead, which knows only the default play."""
        seat, state = row.body.get("seat"), self.state
        if row.actor == CLOCK and isinstance(seat, int) and seat in self.late:
            if bots.default_play(legal(state, seat)) != line:
                raise refuse("record_play", row, "play", _("The clock plays the default play, no other."))
        else:
            seat = self._seat(row)
            if state.clocks is not None and state.clocks.due and row.at > state.clocks.due:
                raise refuse("record_time", row, "at", _("The time of this decision had run out."))
        if seat not in state.to_act:
            raise refuse("record_play", row, "seat", _("It is not this seat's turn."), why="not_your_turn")
        if row.body.keys() - {"seat", "play", "card"}:
            raise refuse("record_row", row, "body", _("This row says more than a play."))
        return int(seat)

    def _chance(self, row: Row, text: str) -> None:
        """A deck or a blind burn: what the committed seed gives, and nothing else."""
        state, engine = self.state, self.setup.engine
        want: dict[str, Any] = {"chance": True}
        if state.chance == "deck":
            want["play"] = self.deals.deck_line(state.decks + 1) if state.decks + 1 < self.deals.committed() else ""
        else:
            want["seat"] = engine.to_act(state.position).seat
            hand = engine.view(state.position, want["seat"])["hand"]
            want["play"] = f"blind {self.deals.blind_card(state.decks, state.blinds, hand)}"
        if row.body != want:
            raise refuse("record_deal", row, "play", _("The committed seed gives other cards."))
        self._by(row, SYSTEM)

    def _handed_over(self, row: Row, text: str) -> None:
        """The cards laid aside go to the partners when all lie, in the order of the seats."""
        state = self.state
        seat = min(state.sealed, default=-1)
        if state.to_act or row.body != {"seat": seat, "play": f"give {state.sealed.get(seat)}"}:
            raise refuse("record_play", row, "play", _("Only cards laid aside are handed over, when all lie."))
        self._by(row, SYSTEM)

    def _gives_up(self, row: Row, losers: set[int], reason: str) -> None:
        if self.state.position is None or self.state.result is not None:
            raise refuse("record_act", row, "code", _("There is no game to give up."))
        if row.body.get("ranks") != ranks_without(self.state, losers) or row.body.get("reason") != reason:
            raise refuse("record_act", row, "ranks", _("The ranks do not follow from the marbles in heaven."))


def _is_time(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_seat(value: object, setup: Setup) -> TypeGuard[int]:
    return _is_time(value) and 0 <= value < setup.seats


def _moves(line: str, marble: str) -> bool:
    """Answer whether the play written as `line` uses the marble on that place."""
    words = re.findall(r"\w+", line.partition(" ")[2])
    return marble in words or (marble == "r" and "out" in words)


_CODES = (
    "commit ready draw play give_sealed touch timeout resign forfeit phrase open "
    "dispute freeze hold mark resume penalty warning seat_view adjust rewind"
)
_CHECKS: Mapping[str, Callable[[_Replay, Row], None]] = {code: getattr(_Replay, code) for code in _CODES.split()}
