"""One run: frames and requests from a seed, a game beside them, and what must hold at the end."""

import time
from dataclasses import dataclass, field
from functools import partial

from . import cast as people
from . import frames as sockets
from .beside import Beside
from .cast import Cast, stream
from .frames import Frames
from .house import House
from .oracles import Judge
from .visits import Visits
from .wire import Port

GROWTH = 20 * 2**20  # bytes, from a fifth of the run to its end
MEASURED = 10_000  # a shorter run measures how the process warms up
BURSTS = 6  # of a thousand half-open sockets, after which a further one needs no more memory
STILL_S = 25.0  # seconds without a change: the tasks have done what the world owed them
MOST_WRONG = 40


@dataclass
class Run:
    """The parts of a run and its figures."""

    house: House
    cast: Cast
    seed: str
    count: int
    judge: Judge = field(init=False)
    visits: Visits = field(init=False)
    frames: Frames = field(init=False)
    sent: int = 0
    sent_frames: int = 0
    memory: list[tuple[int, int]] = field(default_factory=list)  # (sent, bytes)

    def __post_init__(self) -> None:
        house = self.house
        fresh = partial(people.secrets_of, self.cast)
        self.judge = Judge(house.origin, fresh(), house.new_lines, fresh, bool(house.headers))
        port = Port(house.port)
        self.visits = Visits(port, house.host, house.origin, self.cast, self.judge, self.seed, house.headers)
        self.frames = Frames(self.house, self.cast, self.judge, self.seed)

    def play(self) -> Beside:
        """Do the whole run; return the game that was played beside it."""
        try:
            return self._play()
        except Exception:
            print("\n".join(self.judge.wrong))
            raise

    def _play(self) -> Beside:
        self._settle()
        self.house.new_lines()
        slow, since = sockets.trickle(self.house), time.monotonic()
        beside = Beside(self.house, self.cast)
        number, marks = 0, [self.count * share // 10 for share in range(2, 11)]
        # What is built once and kept comes before the first measurement; nothing of it may come again afterwards.
        self.visits.warm_up()
        bursts = [*[self.count * 3 // 20] * (BURSTS if self.count >= MEASURED else 1), self.count // 2]
        while self.sent < self.count and len(self.judge.wrong) < MOST_WRONG:
            if stream(self.seed, "what", number).random() < 0.09:
                sent = self.frames.visit(number)
                self.sent_frames += sent
                self.judge.log(f"frames of visit {number}")
            else:
                sent = self.visits.one(number)
            self.sent += sent
            number += 1
            if beside.failed or self.house.ended():
                break
            while bursts and self.sent >= bursts[0]:
                bursts.pop(0)
                print(f"{sockets.half_open(self.house, self.cast, self.judge)} sockets half-opened", flush=True)
            if marks and self.sent >= marks[0]:
                marks.pop(0)
                self.memory.append((self.sent, self.house.resident()))
                print(
                    f"{self.sent} sent, {self.memory[-1][1] / 2**20:.0f} MiB, {len(beside.seconds)} plays beside",
                    flush=True,
                )
        sockets.finish(slow, self.judge, since)
        beside.stop()
        self._last_words(beside)
        return beside

    def _settle(self) -> None:
        """Wait until tasks change nothing more."""
        until, known, since = time.monotonic() + 90, people.written(), time.monotonic()
        while time.monotonic() < until and time.monotonic() - since < STILL_S:
            time.sleep(1)
            if (now := people.written()) != known:
                known, since = now, time.monotonic()

    def _last_words(self, beside: Beside) -> None:
        if beside.failed:
            self.judge.say(f"the table beside was disturbed: {beside.failed}", "beside")
        elif not beside.seconds:
            self.judge.say("nobody played beside", "beside")
        if self.count >= MEASURED and abs(self.grown) > GROWTH:
            self.judge.say(f"memory grew by {self.grown / 2**20:.1f} MiB", "from a fifth of the run to its end")
        self.judge.log("the end")
        if gone := self.house.ended():
            self.judge.say(f"ended by themselves: {gone}", "the processes")

    @property
    def grown(self) -> int:
        """Return by how many bytes the process grew between the first measurement and the last."""
        return self.memory[-1][1] - self.memory[0][1] if len(self.memory) > 1 else 0
