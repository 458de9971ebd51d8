"""A table of Tractor for tests: four people, and verbs for what they do."""

import uuid
from typing import Any

from games import store
from games.bots import at_table
from games.fold import TableState, Viewer, view
from games.models import Game
from games.services import play
from games.services.record import default_line
from games.services.tables import ClockSettings

from .conftest import Sat

CLOCKS = ClockSettings()


def answer(state: TableState, seat: int, roll: Any, level: str = "novice") -> str:
    """Answer what a bot would send from that seat, which may be nothing."""
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
        """Let the first who can show something, and everybody pass; answer the starter, who is to bury."""
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
        """Deal, name trumps and bury; answer the seat that leads."""
        self.all_ready()
        starter = self.name_trumps()
        assert not self.send(starter, "play", play=default_line(self.state, starter)).code
        return starter

    def choose(self, seat: int) -> str:
        return answer(self.state, seat, self.roll.randrange)

    def play_on(self, plays: int = 100_000) -> None:
        """Let everybody play, at most `plays` plays, to the end of the game."""
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
