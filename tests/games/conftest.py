"""Fixtures for the tests of games: players at a table, built through services, and a helper that plays for everybody."""

import random
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from games import bots, store
from games.announcements import GameFinished
from games.fold import TableState, Viewer, view
from games.models import Game, Table
from games.permissions import Person
from games.services import play, referee, tables
from games.services.tables import ClockSettings, SeatPlan
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player
from tock_league.common import bus, clock
from tock_league.common.transactions import writing

Names = ("Martine", "Gilles", "Sylvie", "Réal")


@dataclass
class Sat:
    """A table with four people at it, and methods for what they do."""

    table: Table
    players: list[Player]
    roll: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def game(self) -> Game:
        return Game.objects.select_related("table").filter(table=self.table).order_by("-number")[0]

    @property
    def state(self) -> TableState:
        return store.current(self.game)

    def person(self, seat: int) -> Person:
        return Person(player_id=self.players[seat].pk)

    def send(
        self, seat: int, kind: str, /, *, turn: str = "", id: str = "", by: Person | None = None, **args: str
    ) -> play.Answer:
        """Let `seat` send a command, by default with the current decision and a fresh id."""
        return play.submit(
            game_id=self.game.pk,
            seat=seat,
            command_id=id or str(uuid.uuid4()),
            turn=turn or self.state.decision_id,
            kind=kind,
            args=args,
            by=by or self.person(seat),
        )

    def call(self, seat: int, **args: str) -> play.Answer:
        """Let `seat` call the referee."""
        return self.send(seat, "dispute", **args)

    def begin(self) -> int:
        """Deal and exchange; return the seat whose turn it is."""
        self.all_ready()
        self.exchange()
        return min(self.state.to_act)

    def all_ready(self) -> None:
        for seat in range(self.table.seats):
            answer = self.send(seat, "ready")
            assert not answer.code, answer

    def exchange(self) -> None:
        for seat in sorted(self.state.to_act):
            card = view(self.state, Viewer(seat))["hand"][0]
            assert not self.send(seat, "exchange", card=card).code

    def exchange_of(self, seat: int) -> None:
        """Let one seat lay a card aside."""
        assert not self.send(seat, "exchange", card=view(self.state, Viewer(seat))["hand"][0]).code

    def choose(self, seat: int) -> str:
        """Return a line for `seat`, usually a bot's, from its view only."""
        seen = view(self.state, Viewer(seat))
        return bots.choose(seen, seen["legal"], level="club", roll=self.roll.randrange)

    def play_on(self, plays: int = 100_000) -> None:
        """Play for all seats until the game ends, at most `plays` plays."""
        game = self.game
        for _ in range(plays):
            state = store.current(Game.objects.select_related("table").get(pk=game.pk))
            if state.result is not None:
                return
            seat = min(state.to_act)
            answer = play.submit(
                game_id=game.pk,
                seat=seat,
                command_id=str(uuid.UUID(int=self.roll.getrandbits(128))),
                turn=state.decision_id,
                kind="play",
                args={"play": self.choose(seat)},
                by=self.person(seat),
            )
            assert not answer.code, answer


def appoint_referee(sat: Sat, role: str = "referee") -> Player:
    """Give the table a referee, who holds no seat there."""
    with writing():
        found = create_player(display_name="Rosalie")
    referee.appoint(table_id=sat.table.pk, roles=[(found.pk, role)])
    return found


def four_players() -> list[Player]:
    with writing():
        return [create_player(display_name=name) for name in Names]


@pytest.fixture
def players(db: Any) -> list[Player]:
    return four_players()


@pytest.fixture
def open_table(players: list[Player]) -> Callable[..., Sat]:
    def build(**more: Any) -> Sat:
        plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]
        wanted: dict[str, Any] = {
            "rules": "shawinigan/1",
            "name": "Draveurs - Pieux",
            "seat_plan": plan,
            "team_names": ["Draveurs", "Pieux"],
        }
        return Sat(tables.open_match_table(**(wanted | more)), players)

    return build


@pytest.fixture
def open_tractor(open_table: Callable[..., Sat]) -> Callable[..., Any]:
    """Open a table of Tractor, by default with people, no clock, one round."""

    def build(**more: Any) -> Any:
        from .tractor.four import Four

        found = open_table(**({"rules": "tractor/1", "rounds": 1} | more))
        return Four(found.table, found.players)

    return build


@pytest.fixture
def sat_table(open_table: Callable[..., Sat]) -> Sat:
    return open_table()


@pytest.fixture
def over(sat_table: Sat) -> Sat:
    """A game that was given up in its first deal, after fourteen plays."""
    sat_table.begin()
    sat_table.play_on(14)
    assert not sat_table.send(min(sat_table.state.to_act), "resign").code
    return sat_table


@pytest.fixture
def timed_table(open_table: Callable[..., Sat], frozen_clock: clock.Frozen) -> Sat:
    return open_table(clocks=ClockSettings())


@pytest.fixture
def refereed_table(timed_table: Sat) -> Sat:
    """A table with clocks and a referee on duty; the game has not begun."""
    appoint_referee(timed_table)
    return timed_table


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The announcements, in order; no other subscriber gets them."""
    found: list[Any] = []
    monkeypatch.setattr(bus, "publish", found.append)
    return found


@pytest.fixture
def finished(monkeypatch: pytest.MonkeyPatch) -> list[GameFinished]:
    """The announcements about games that end; the other subscribers get them too."""
    found: list[GameFinished] = []
    publish = bus.publish

    def listen(news: object) -> None:
        if isinstance(news, GameFinished):
            found.append(news)
        publish(news)

    monkeypatch.setattr(bus, "publish", listen)
    return found
