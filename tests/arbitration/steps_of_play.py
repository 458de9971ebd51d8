"""The steps of a sequence that are about playing: tables, entries, rosters, results on paper."""

import uuid

from games.models import Game, Table
from games.permissions import Person
from games.services import play
from tests.games.conftest import Sat
from tock_league.accounts.models import Player
from tock_league.common.errors import Refused
from tock_league.competitions.models import Entry, Match
from tock_league.competitions.services.entries import checkin, registration, rosters
from tock_league.competitions.services.results import paper, settlement
from tock_league.competitions.services.rounds import publishing

from .trying import Act, Trying


def answered(answer: play.Answer) -> play.Answer:
    """Return the table's answer. Raises Refused where the table refuses."""
    if answer.code:
        raise Refused(answer.why or answer.code)
    return answer


class Playing(Trying):
    """Players at tables and on rosters, and the desk."""

    def open_table(self) -> Act:
        """Open the table of a match, early."""
        waiting = list(self.stage.league.matches.filter(state="scheduled", table=None).order_by("starts_at", "pk")[:4])
        if not waiting:
            return None
        match = self.dice.choice(waiting)
        return lambda: publishing.open_table(match_id=match.pk, early=True)

    def _sats(self) -> list[Sat]:
        """Return the open tables with who sits there."""
        found = Table.objects.filter(match__competition=self.stage.league, games__state__in=("seating", "playing"))
        tables = found.exclude(state__in=("finished", "closed")).distinct().order_by("pk")
        return [
            Sat(table, [seating.player for seating in table.seatings.select_related("player").order_by("seat")])
            for table in tables
        ]

    def _begun(self) -> Sat | None:
        """Return a table where everybody has sat down, if there is one."""
        found = [sat for sat in self._sats() if sat.state.position is not None]
        return self.dice.choice(found) if found else None

    def seat(self) -> Act:
        """Sit down at a table."""
        free = [
            (sat, seat)
            for sat in self._sats()
            if sat.state.position is None
            for seat, taken in enumerate(sat.state.ready)
            if not taken
        ]
        if not free:
            return self.open_table()
        player = self.about_them([sat.players[seat] for sat, seat in free])
        sat, seat = self.dice.choice([(sat, seat) for sat, seat in free if sat.players[seat] == player])
        by = self.who([player], 0.95)
        return lambda: answered(self._send(sat, seat, "ready", by))

    def _send(self, sat: Sat, seat: int, what: str, by: Player, /, **args: str) -> play.Answer:
        key = str(uuid.UUID(int=self.dice.getrandbits(128)))
        return sat.send(seat, what, id=key, by=Person(player_id=by.pk), **args)

    def play(self) -> Act:
        """Play a turn for everybody, or let those who are missing sit down."""
        if (sat := self._begun()) is None:
            return self.seat()
        sat.roll = self.dice

        def turn() -> None:
            for seat in sorted(sat.state.to_act):
                kind = "exchange" if sat.state.phase == "exchange" else "play"
                line = sat.choose(seat)
                args = {"card": line.split(" ")[-1]} if kind == "exchange" else {"play": line}
                answered(self._send(sat, seat, kind, sat.players[seat], **args))

        return turn

    def call(self) -> Act:
        """Call the referee to a running table."""
        if (sat := self._begun()) is None:
            return self.seat()
        seat, kind = self.dice.randrange(4), self.dice.choice(["talk", "talk", "clock", "conduct"])
        by = self.who([sat.players[seat]], 0.95)
        return lambda: answered(self._send(sat, seat, "dispute", by, kind=kind))

    def resign(self) -> Act:
        """Let a side give a game up, and settle it."""
        if self.dice.random() < 0.6 or (sat := self._begun()) is None:
            return None
        seat = self.dice.randrange(4)

        def give_up() -> None:
            answered(self._send(sat, seat, "resign", sat.players[seat]))
            if sat.game.state == Game.State.OVER:
                settlement.settle(game_id=sat.game.pk)

        return give_up

    # --- entries and rosters -----------------------------------------------------------------------------------------

    def enter(self) -> Act:
        player = self.about_them(self.stage.players)
        teams = [team for team in self.stage.teams if team.spells.filter(player=player).exists()]
        if not teams:
            return None
        team = self.dice.choice(teams)
        captain = team.spells.select_related("player").order_by("slot")[0].player
        by = self.who([captain, self.stage.organiser], 0.9)
        others = [row.player for row in team.spells.select_related("player").order_by("slot") if row.slot > 2]
        extra = others if self.dice.random() < 0.5 else []
        return lambda: registration.register(by=by, competition=self.stage.fair, team=team, substitutes=extra)

    def _entry(self, player: Player) -> Entry | None:
        """Return an entry with that player, at the cup or at the fair or in the league."""
        found = Entry.objects.filter(roster__player=player, roster__left__isnull=True)
        entries = list(found.select_related("team", "player", "competition").order_by("pk"))
        return self.dice.choice(entries) if entries else None

    def confirm(self) -> Act:
        player = self.about_them(self.stage.players)
        entry = Entry.objects.filter(competition=self.stage.fair, roster__player=player, roster__left=None).first()
        by = self.who([player], 0.95)
        return (lambda: registration.confirm(by=by, entry=entry)) if entry is not None else None

    def admit(self) -> Act:
        player = self.about_them(self.stage.players)
        entry = Entry.objects.filter(competition=self.stage.fair, roster__player=player).order_by("pk").first()
        by = self.who([self.stage.organiser])
        return (lambda: registration.admit(by=by, entry=entry)) if entry is not None else None

    def check_in(self) -> Act:
        player = self.about_them(self.stage.players)
        entry = Entry.objects.filter(competition=self.stage.fair, roster__player=player, roster__left=None).first()
        by = self.who([player, self.stage.organiser], 0.9)
        return (lambda: checkin.check_in(by=by, entry=entry, player=player)) if entry is not None else None

    def substitute(self) -> Act:
        """Put a substitute in, in the league or at the cup."""
        if (entry := self._entry(self.about_them(self.stage.players))) is None:
            return None
        spots = list(entry.roster.filter(left__isnull=True).select_related("player").order_by("role", "slot"))
        starters = [spot.player for spot in spots if spot.role == "starter"]
        others = [spot.player for spot in spots if spot.role == "substitute"]
        if not others:
            return None
        leaves, comes = self.dice.choice(starters), self.dice.choice(others)
        by = self.who([self.stage.organiser, starters[0]], 0.9)
        return lambda: rosters.substitute(by=by, entry=entry, leaves=leaves, comes=comes)

    # --- results on paper --------------------------------------------------------------------------------------------

    def _on_paper(self) -> tuple[Match, list[paper.Game]] | None:
        if (entry := self._entry(self.about_them(self.stage.players))) is None or entry.competition != self.stage.cup:
            return None
        match = entry.side_rows.filter(match__state__in=("scheduled", "called", "reported", "contested")).first()
        if match is None:
            return None
        return match.match, [paper.Game(self.dice.choice([0, 1]), 3)] * (match.match.best_of // 2 + 1)

    def certify(self) -> Act:
        if (found := self._on_paper()) is None:
            return None
        match, games = found
        by = self.who([self.stage.organiser, self.stage.referees[0]], 0.9)
        return lambda: paper.certify(by=by, match=match, games=games)

    def report(self) -> Act:
        if (found := self._on_paper()) is None:
            return None
        match, games = found
        captains = [spot.player for side in match.side_rows.all() for spot in self._captain(side.entry)]
        by = self.who(captains, 0.9)
        return lambda: paper.report(by=by, match=match, games=games)

    def _captain(self, entry: Entry | None) -> list:
        return list(entry.roster.filter(role="starter", slot=1, left=None).select_related("player")) if entry else []
