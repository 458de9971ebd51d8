"""What the time of a play tells about hands: `python benchmarks/timing.py [MOVES] [frames | bots]` (2000, both).

Cohen's d between moves of seats with few plays and with many: of the moment at which a bot's play is sent, with and
without the pad, and of the moment at which a watcher gets the frame after which a seat with few or many plays is to act.
The goal is |d| < 0.1.
"""

import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, pvariance
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

FEW, MANY = 2, 5  # plays: at most, at least
TABLES = 20  # that wait for bots in one round


def effect(few: Sequence[float], many: Sequence[float]) -> float:
    """Return Cohen's d: the difference of the means by the pooled standard deviation."""
    spread = (pvariance(few) * len(few) + pvariance(many) * len(many)) / (len(few) + len(many))
    return (mean(few) - mean(many)) / spread**0.5 if spread else 0.0


def line(name: str, few: Sequence[float], many: Sequence[float]) -> str:
    """Return a row of the table."""
    return f"| {name} | {len(few)} | {len(many)} | {1000 * mean(few):.3f} | {1000 * mean(many):.3f} | {effect(few, many):+.3f} |"


def of_bots(moves: int, pad_ms: int) -> tuple[list[float], list[float]]:
    """Return the seconds from the beginning of a round of bots to a play, for choices among few and among many plays."""
    from django.test.utils import override_settings

    from games.bots import at_table
    from games.models import Game
    from games.services import bots, play, tables
    from games.services.tables import SeatPlan

    plan = [SeatPlan(seat, bot="club") for seat in range(4)]
    games = [
        tables.open_match_table(
            rules="shawinigan/1", name="Bots", seat_plan=plan, rated=False, bots_allowed=True
        ).games.get()
        for _ in range(TABLES)
    ]
    choices: dict[str, int] = {}
    few, many, began = list[float](), list[float](), 0.0
    answer, submit = at_table.answer, play.submit

    def choose(board: Any, legal: Any, **more: Any) -> str:
        choices[f"{board['game']} {more['seat']}"] = len(legal) if board["phase"] == "play" else -1
        return answer(board, legal, **more)

    def send(**asked: Any) -> Any:
        at = time.perf_counter() - began
        slug = names[asked["game_id"]]
        count = choices.pop(f"{slug} {asked['seat']}", -1)
        if 0 < count <= FEW:
            few.append(at)
        elif count >= MANY:
            many.append(at)
        return submit(**asked)

    names = {game.pk: game.slug for game in games}
    roll = random.Random(1)
    with (
        override_settings(TOCK_BOT_PAD_MS=pad_ms),
        mock.patch.object(at_table, "answer", choose),
        mock.patch.object(play, "submit", send),
    ):
        while len(few) + len(many) < moves:
            going = [game.pk for game in games if Game.objects.get(pk=game.pk).state != Game.State.OVER]
            roll.shuffle(going)
            began = time.perf_counter()
            bots.act_due(going[:1])  # one table, as the site mostly has it: nothing else hides the time of a choice
    return few, many


class Stamped(list[str]):
    """The frames of a socket; `at` is the CPU time of this thread when the first one came since it was set to 0."""

    at = 0.0

    def append(self, text: str) -> None:
        self.at = self.at or time.thread_time()
        super().append(text)


def of_frames(moves: int) -> tuple[list[float], list[float]]:
    """Return the CPU seconds from a command to a watcher's frame, when the seat that is next has fewer and more plays
    than in other worlds with the same public course; without the mean of those worlds.

    The seat that is next and a referee are on sockets; the referee watches. CPU time has less noise than a watch: a
    smaller difference shows.
    """
    from games import store
    from games.models import Game
    from tests.secrecy import pairs, replay
    from tests.secrecy import stage as stages
    from tests.secrecy.play import open_table, rows_of
    from tests.secrecy.worlds import Past, other_world

    few, many, roll = list[float](), list[float](), random.Random(1)
    kind = pairs.Kind("shawinigan/1", 4, 2)
    with stages.ready() as stage:
        while len(few) + len(many) < moves:
            table = open_table(stage, kind, touch=True)
            game = Game.objects.select_related("table").get(table=table)
            setup, rows = store.setup_of(game), rows_of(game, roll, 1)
            for _ in range(40):
                past = Past.of(setup, pairs._cut(rows, roll))
                state, last = past.state, past.rows[-1]
                if state.phase != "play" or len(state.to_act) != 1 or not last.actor.startswith("seat"):
                    continue
                seat = min(state.to_act)
                found = [past.rows, *(world for _ in range(3) if (world := other_world(past, None, roll)))]
                roll.shuffle(found)
                counts = [len(Past.of(setup, world).state.legal(seat)) for world in found]
                if len(set(counts)) == 1:
                    continue
                times = [_time_of(stage, game, setup, world, seat, replay) for world in found]
                for count, seconds in zip(counts, times, strict=True):
                    (few if count < mean(counts) else many).append(seconds - mean(times))
    return few, many


def _time_of(stage: Any, game: Any, setup: Any, rows: Any, seat: int, replay: Any) -> float:
    """Return the CPU seconds from the command of the last row to the referee's frame."""
    stage.fresh()
    stage.at(rows[-2].at)
    replay.put(game, setup, rows[:-1], bytes(2048))
    watcher = stage.wire(game.table.slug, "referee", stage.referee)
    player = stage.wire(game.table.slug, "seat", stage.seated[seat])
    watcher.texts = frames = Stamped()
    stage.at(rows[-1].at)
    with replay.dealt_from(rows):
        began = time.thread_time()
        replay._act(stage, game, rows[-1])
        stage.settle()
    player.leave()
    watcher.leave()
    return float(frames.at - began)


def main() -> None:
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory(
        prefix="tock-timing-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None
    ) as folder:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "tests.simulation.settings", "TOCK_SIMULATION": folder}
        os.environ.pop("TOCK_TEST_DATABASE_URL", None)
        import django

        django.setup()
        from tests.secrecy import stage

        stage.set_up_database()
        print("| what | few plays | many plays | mean ms | mean ms | d |\n| --- | --- | --- | --- | --- | --- |")
        if "bots" not in sys.argv[2:]:
            print(line("a watcher's frame, from the mean of its worlds", *of_frames(moves)), flush=True)
        if "frames" not in sys.argv[2:]:
            print(line("a bot's play, without pad", *of_bots(moves, 0)), flush=True)
            print(line("a bot's play, pad of 40 ms", *of_bots(moves, 40)), flush=True)


if __name__ == "__main__":
    main()
