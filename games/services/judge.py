"""Judge a finished game's record: every row as the rules, the commitment and the table's clocks would have it.

The fold trusts its rows, for `play.submit` and the deadlines wrote them. A record that comes from a file deserves no
trust: here each row is held against what the live table would have allowed or done at that moment.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from games import bots
from games.engine import shuffle
from games.engine.errors import EngineError
from games.fold import CLOCK, SYSTEM, BadRecord, Row, Setup, TableState, apply_row, by_seat, legal, opening
from games.fold.state import GIVE
from games.models import Table
from tock_league.common.errors import Refused, Text

from .deals import DEALS, DRAW, SALT, SEED, Deals
from .play import TOUCHING, ranks_without

DIGEST = 32
ENDING = "resign", "forfeit"


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

    def take(self, row: Row) -> None:
        """Follow one row, or refuse it."""
        state = self.state
        if row.seq != state.seq + 1 or row.epoch != 0:
            raise refuse("record_row", row, "seq", _("Rows are numbered from 1 without a gap, and none is taken back."))
        if not state.at <= row.at <= self.now:
            raise refuse("record_time", row, "at", _("Time runs back here, or lies ahead of us."))
        if row.command_id and (row.command_id in self.ids or len(row.command_id) > 36):
            raise refuse(
                "record_row", row, "command_id", _("A command is obeyed once, and its id has 36 letters at most.")
            )
        self.ids.add(row.command_id)
        if state.result is not None and not self.opened and row.code != "open":
            raise refuse("record_act", row, "code", _("The seeds are opened as soon as the game is over."))
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
        """A card, then marbles; each touch leaves a play that uses it."""
        seat, state = self._seat(row), self.state
        part = "marble" if state.touch.card else "card"
        used = row.body.get(part)
        if row.body.keys() != {"seat", part} or not isinstance(used, str) or not self._may_touch(seat, part, used):
            raise refuse("record_act", row, part, _("No play is open to the seat with what it touches."))

    def _may_touch(self, seat: int, part: str, used: str) -> bool:
        state, engine = self.state, self.setup.engine
        if not self.setup.touch or state.phase not in TOUCHING or seat not in state.to_act:
            return False
        if part == "card":
            return any(line.startswith(f"{used} ") for line in legal(state, seat))
        touched = state.touch
        plays = engine.narrow(state.position, card=touched.card, marbles=(*touched.marbles, used), seat=seat)
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

    # What several of them share.

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


def _moves(line: str, marble: str) -> bool:
    """Answer whether the play written as `line` uses the marble on that place."""
    words = re.findall(r"\w+", line.partition(" ")[2])
    return marble in words or (marble == "r" and "out" in words)


_CODES = "commit ready draw play give_sealed touch timeout resign forfeit phrase open"
_CHECKS: Mapping[str, Callable[[_Replay, Row], None]] = {code: getattr(_Replay, code) for code in _CODES.split()}
