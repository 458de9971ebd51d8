"""Rows of seats, clock and chance: deals, plays, touches, time-outs, phrases, and the end."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.engine.cards import NUMBER
from games.fold import CLOCK, REFEREE, SYSTEM, Row, rivals
from games.fold.phases import GIVE
from games.models import Table
from tock_league.common.numbers import is_whole

from ..deals import DRAW
from ..record import default_line
from .common import Judged, is_seat, refuse


class Plays(Judged):
    """One method per code; the docstrings say what a row must be."""

    def draw(self, row: Row) -> None:
        """The first dealer follows from deal 0."""
        if self.state.position is not None or not self.state.all_there:
            raise refuse("record_act", row, "code", _("The dealer is drawn once, when all seats are ready."))
        if not self.state.shares.settled:
            raise refuse("record_act", row, "code", _("The seats’ shares are not settled yet."))
        self.deals = self.deals.shared(self.state.shares)
        dealer, drawn = self.deals.first_dealer()
        if row.body != {"dealer": dealer, "cards": [list(pair) for pair in drawn]}:
            raise refuse("record_deal", row, "cards", _("The committed seed gives another first dealer."))
        self._by(row, SYSTEM)

    def begin(self, row: Row) -> None:
        """A practice game may begin at a position, whose stock follows from deal 0; no seat adds a share."""
        position, body = row.body.get("position"), row.body
        practice = self.table.kind == Table.Kind.PRACTICE and self.setup.clocks is None
        if not practice or row.seq != 2 or self.state.shares.root:
            raise refuse(
                "record_act", row, "code", _("A game begins at a position in practice, and nothing else does.")
            )
        pile, shown = body.get("pile"), body.get("shown")
        told = isinstance(body.get("of"), str) and is_whole(body.get("seq")) and isinstance(pile, str)
        cards = shown if isinstance(shown, list) else [None]
        whole = body.keys() == {"of", "seq", "position", "pile", "shown"}
        if (
            not told
            or not whole
            or not isinstance(position, Mapping)
            or not all(card in NUMBER for card in (*cards, *([pile] if pile else [])))
        ):
            raise refuse("record_row", row, "body", _("A beginning names a game, a play of it, and its position."))
        self.deals = self.deals.shared(self.state.shares)
        stock = self.setup.engine.to_json(self.setup.engine.from_json(position))["stock"]
        if position.get("phase") == "over" or position.get("stock") != self.deals.stock(stock):
            raise refuse("record_deal", row, "position", _("The committed seed gives the stock another order."))
        self._by(row, SYSTEM)

    def play(self, row: Row) -> None:
        state, text = self.state, row.body.get("play")
        if not isinstance(text, str) or state.position is None:
            raise refuse("record_play", row, "play", _("A play is a line of notation, after the first dealer's draw."))
        word = text.split(" ", 1)[0]
        by_table = word in self.setup.family.by_table
        if state.chance and (by_table or not state.may_act):
            self._chance(row, text)
        elif state.phase == GIVE:
            self._handed_over(row, text)
        elif by_table or word == "give":
            raise refuse("record_play", row, "play", _("Nothing of this kind was due."), why="not_due")
        else:
            seat = self._turn(row, text)
            if state.touch:
                engine, touch = self.setup.engine, state.touch
                play = engine.parse_play(state.position, text, seat)
                engine.check(state.position, play, seat, card=touch.card or None, marbles=touch.marbles)

    def give_sealed(self, row: Row) -> None:
        """A card laid aside for the partner; the engine checks it when it is handed over."""
        if self.state.phase != GIVE:
            raise refuse("record_act", row, "code", _("No cards are exchanged here."))
        line = f"give {row.body.get('card')}"
        seat = self._turn(row, line)
        if line not in self.state.legal(seat):
            raise refuse("record_play", row, "card", _("The seat does not hold this card."), why="no_such_card")

    def touch(self, row: Row) -> None:
        """A card, then marbles; each touch leaves a play that uses it. A referee binds a seat to what it touched."""
        ruled, state = row.actor == REFEREE, self.state
        seat = self._ruled(row) if ruled else self._seat(row)
        part = "marble" if state.touch.card or (ruled and "marble" in row.body) else "card"
        used, keys = row.body.get(part), {"seat", part, "by"} if ruled else {"seat", part}
        may_touch = state.may_touch_card if part == "card" else state.may_touch_marble
        binds = ruled or self.setup.touches  # a ruling binds where the table itself does not
        if row.body.keys() != keys or not isinstance(used, str) or not binds or not may_touch(seat, used):
            raise refuse("record_act", row, part, _("No play is open to the seat with what it touches."))

    def timeout(self, row: Row) -> None:
        state, seat = self.state, row.body.get("seat")
        due = state.clocks.due if state.clocks is not None else 0
        counts = self.setup.family.counts_timeouts(state)
        if (
            not due
            or not counts
            or row.at <= due
            or seat not in state.to_act
            or row.body.get("n") != state.timeouts[seat] + 1
        ):
            raise refuse("record_act", row, "at", _("No clock had run out."))
        self._by(row, CLOCK)
        self.late.add(seat)

    def resign(self, row: Row) -> None:
        self._gives_up(row, {self.state.team(self._seat(row))}, "resigned")

    def forfeit(self, row: Row) -> None:
        """A team's time-outs, a ruling against one team, or absent teams while the others play without them."""
        if row.actor == REFEREE:
            teams = row.body.get("teams")
            if not isinstance(teams, list) or len(teams) != 1 or teams[0] not in range(self.setup.teams):
                raise refuse("record_act", row, "teams", _("A ruling names the team that loses."))
            self._gives_up(row, {teams[0]}, "forfeit_ruling")
            return
        settings, state = self.setup.clocks, self.state
        if state.position is None:
            self._no_show(row)
            return
        many = settings.timeouts if settings is not None and not self.table.bots_allowed else None
        losers = {state.team(seat) for seat in self.late if many is not None and state.timeouts[seat] > many}
        if not losers or row.body.get("teams") != sorted(losers):
            raise refuse("record_act", row, "teams", _("No team has used up its default plays."))
        self._by(row, CLOCK)
        self._gives_up(row, losers, "forfeit_timeouts")

    def _no_show(self, row: Row) -> None:
        absent = {self.state.team(seat) for seat in self.state.to_act}
        want = {"teams": sorted(absent), "reason": "no_show"}
        if self.setup.clocks is None or row.body != want or len(rivals(self.state, absent)) < 2:
            raise refuse("record_act", row, "teams", _("No other team was there to play without these."))
        self._by(row, CLOCK)

    def phrase(self, row: Row) -> None:
        self._seat(row)
        code = row.body.get("code")
        silent = self.state.position is not None and self.state.result is None
        if silent or not isinstance(code, str) or len(code) > 32 or row.body.keys() != {"seat", "code"}:
            raise refuse("record_act", row, "code", _("Preset words are said before the first deal and after the end."))

    def open(self, row: Row) -> None:
        """Every used deal is revealed and no other; that they match the commitment was proved before the first row."""
        if self.state.result is None or self.opened:
            raise refuse("record_act", row, "code", _("The seeds are opened once, when the game is over."))
        used = [deal["d"] for deal in row.body["deals"]]
        if used != list(range(DRAW, self.state.decks + 1)) or row.body.keys() != {"deals"}:
            raise refuse("record_commitment", row, "deals", _("Every deal that was used is opened, and no other."))
        self._by(row, SYSTEM)
        self.opened = True

    def _turn(self, row: Row, line: str) -> int:
        """Return the seat that decides by `line`: itself, or the clock for it, which only makes the default play."""
        seat, state = row.body.get("seat"), self.state
        out = is_seat(seat, self.setup) and state.is_out(seat)
        if row.actor == CLOCK and is_seat(seat, self.setup) and (seat in self.late or out or self._passed_over(row)):
            if seat not in state.to_act or default_line(state, seat) != line:
                raise refuse("record_play", row, "play", _("The clock plays the default play, no other."))
        else:
            seat = self._seat(row)
            if out:
                raise refuse("record_actor", row, "actor", _("The team of this seat is out of the game."))
            if state.clocks is not None and state.clocks.due and row.at > state.clocks.due:
                raise refuse("record_time", row, "at", _("The time of this decision had run out."))
        if seat not in state.may_act:
            raise refuse("record_play", row, "seat", _("It is not this seat's turn."), why="not_your_turn")
        if row.body.keys() - {"seat", "play", "card"}:
            raise refuse("record_row", row, "body", _("This row says more than a play."))
        return int(seat)

    def _passed_over(self, row: Row) -> bool:
        """Return whether the time is up in which seats may speak and need not: then the table passes for them."""
        state = self.state
        due = state.clocks.due if state.clocks is not None else 0
        return bool(due) and row.at > due and not self.setup.family.counts_timeouts(state)

    def _chance(self, row: Row, text: str) -> None:
        """A deck, a draw or a blind burn: exactly what the committed seed gives."""
        state = self.state
        want: dict[str, Any] = {"chance": True}
        if state.chance == "draw":
            want["play"] = self.setup.family.draw_line
        elif state.chance == "deck":
            want["play"] = self.deals.deck_line(state.decks + 1) if state.decks + 1 < self.deals.committed() else ""
        else:
            want["seat"] = state.burning
            hand = self.setup.engine.view(state.position, want["seat"])["hand"]
            want["play"] = f"blind {self.deals.blind_card(state.decks, state.blinds, hand)}"
        if row.body != want:
            raise refuse("record_deal", row, "play", _("The committed seed gives other cards."))
        self._by(row, SYSTEM)

    def _handed_over(self, row: Row, text: str) -> None:
        """The cards laid aside go to the partners when all have been laid, in the order of the seats."""
        state = self.state
        seat = min(state.sealed, default=-1)
        if state.to_act or row.body != {"seat": seat, "play": f"give {state.sealed.get(seat)}"}:
            raise refuse("record_play", row, "play", _("Only cards laid aside are handed over, when all lie."))
        self._by(row, SYSTEM)
