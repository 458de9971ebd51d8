"""A table of Tractor for tests: four people, and methods for what they do."""

import random
import re
import uuid
from collections.abc import Sequence
from typing import Any

from games import store
from games.bots import at_table
from games.fold import EVERYTHING, SPECTATOR, Row, Setup, Step, TableState, Viewer, acts, by_seat, opening, steps, view
from games.models import Game, Table
from games.services import play, tables
from games.services.record import Draft, default_line, follow, step_due
from games.services.results import conclude
from games.services.tables import ClockSettings, SeatPlan
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.transactions import writing

from ..conftest import Sat
from ..every_table import people

CLOCKS = ClockSettings()
CARD = re.compile(r"(?<![A-Za-z0-9])(?:(?:A|[2-9]|10|J|Q|K)[SHDC]|RJ|BJ)(?![A-Za-z0-9])")
VIEWERS = (*map(Viewer, range(4)), SPECTATOR, EVERYTHING, Viewer(referee=True), Viewer(referee=True, sees=2))


def reserve(players: Sequence[Player], **more: Any) -> Table:
    """Return a match table of Tractor without a game, by default for two rounds."""
    plan = [SeatPlan(seat, player_id=player.pk) for seat, player in enumerate(players)]
    wanted: dict[str, Any] = {"rules": "tractor/1", "name": "Draveurs - Pieux", "seat_plan": plan, "rounds": 2}
    return tables.reserve_match_table(**(wanted | more))


def open_game(players: Sequence[Player], **more: Any) -> Game:
    """Return the first game at such a table; nobody is ready yet."""
    with writing():
        game = tables.new_game(reserve(players, **more))
    return Game.objects.select_related("table").get(pk=game.pk)


def all_steps(setup: Setup, rows: Sequence[Row]) -> list[Step]:
    return list(steps(opening(setup), rows))


def a_game_played(hand: clock.Frozen) -> Game:
    """Return a finished game of two rounds between people, with shows during drawing and throws; needs TOCK_DRAW_MS."""
    game = open_game(people(4), clocks=CLOCKS)
    play_whole(game)
    hand.advance(hours=12)
    return Game.objects.select_related("table").get(pk=game.pk)


def answer(state: TableState, seat: int, roll: Any, level: str = "novice") -> str:
    """Return what a bot would send from that seat, possibly nothing."""
    seen = view(state, Viewer(seat))
    if "legal" not in seen:
        return ""
    laid = state.setup.family.laid(state)
    return at_table.answer(seen, seen["legal"], level=level, roll=roll, seat=seat, seen=laid)


class Four(Sat):
    """Four people at a table of Tractor."""

    def shows(self, seat: int) -> list[str]:
        return [line for line in self.state.legal(seat) if line.startswith("show ")]

    def hand(self, seat: int) -> list[str]:
        found: list[str] = view(self.state, Viewer(seat))["hand"]
        return found

    def name_trumps(self) -> int:
        """Let the first seat that can show something, and let everybody pass; return the starter, who is to bury."""
        while self.state.phase == "show":
            able = [seat for seat in range(4) if self.shows(seat)]
            if able and "show" not in view(self.state, Viewer(0)):
                assert not self.send(able[0], "play", play=self.shows(able[0])[0]).code
            self.pass_all()
        (seat,) = self.state.to_act
        assert self.state.phase == "bury"
        return seat

    def pass_all(self) -> None:
        for seat in sorted(self.state.to_act):
            assert not self.send(seat, "pass").code

    def begin(self) -> int:
        """Deal, name trumps and bury; return the seat that leads."""
        self.all_ready()
        starter = self.name_trumps()
        assert not self.send(starter, "play", play=default_line(self.state, starter)).code
        return starter

    def choose(self, seat: int) -> str:
        return answer(self.state, seat, self.roll.randrange)

    def play_on(self, plays: int = 100_000) -> None:
        """Play for all seats until the game ends, at most `plays` plays."""
        game = self.game
        for _ in range(plays):
            state = store.current(Game.objects.select_related("table").get(pk=game.pk))
            if state.result is not None or not state.to_act:
                return
            seat = min(state.to_act)
            found = play.submit(
                game_id=game.pk,
                seat=seat,
                command_id=str(uuid.UUID(int=self.roll.getrandbits(128))),
                turn=state.decision_id,
                kind="play",
                args={"play": answer(state, seat, self.roll.randrange)},
                by=self.person(seat),
            )
            assert not found.code, found


def strange(state: TableState, seat: int, roll: random.Random) -> str:
    """Return a random line, usually a candidate, sometimes random cards of the hand."""
    seen = view(state, Viewer(seat))
    if state.phase == "play" and roll.random() < 0.25:
        many = len(seen["trick"][0]) if seen.get("trick") else roll.randint(1, 4)
        if many <= len(seen["hand"]):
            line = f"play {' '.join(sorted(roll.sample(seen['hand'], many)))}"
            engine = state.setup.engine
            if engine.is_legal(state.position, engine.parse_play(state.position, line), seat):
                return line
    return roll.choice(seen["legal"])


def play_whole(game: Game, *, seed: int = 1, stop: int = 100_000) -> TableState:
    """Play the game to its end, or for `stop` acts, in one transaction: sometimes a show during drawing, random plays.

    Needs TOCK_DRAW_MS; time passes automatically.
    """
    roll = random.Random(seed)
    with writing():
        draft = Draft.of(game, store.current(game))
        for _ in range(stop):
            state = draft.state
            if state.result is not None:
                break
            if not state.to_act:
                if state.may_act and roll.random() < 0.1:
                    _speak(draft, roll)
                draft.at = max(draft.at, step_due(draft.state))
                follow(draft)
                continue
            draft.at += roll.randrange(4000)
            seat = min(state.to_act)
            if state.position is None:
                draft.act(acts.Ready(seat=seat), by_seat(seat))
            else:
                draft.play(strange(state, seat, roll), seat, by_seat(seat))
            follow(draft)
        conclude(draft)
        return draft.state


def _speak(draft: Draft, roll: random.Random) -> None:
    seat = roll.choice(sorted(draft.state.may_act))
    if lines := draft.state.legal(seat):
        draft.play(roll.choice(lines), seat, by_seat(seat))
