"""A table that somebody in this process looks at: what was read of it, and what its viewers have been given.

Reading and folding happen in a thread (`fetch`), which changes nothing; what it found is taken in on the loop (`take`). So
the loop never sees half a change, and nobody waits for the database.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from games.fold import SPECTATOR, Row, Step, TableState, Viewer, release, steps, view, view_hash
from games.fold.patch import Json
from games.models import Game
from games.permissions import Person
from games.selectors import games as reader
from games.selectors import tables as table_reader
from tock_league.common import clock

from . import projection
from .messages import Cmd, Outbound, encode
from .outbox import Outbox

RING = 64  # events kept per stream
QUEUE = 200  # commands that may wait at a table


class Stream:
    """What one kind of viewer has been given of a game: the state reached and the last steps to it."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.ring: deque[Step] = deque(maxlen=RING)
        self._held: dict[Viewer, tuple[int, Json, str]] = {}
        self._texts: dict[tuple[Viewer, int], str] = {}

    def extend(self, more: Iterable[Step]) -> None:
        """Go on by `more` steps; those already taken are passed over."""
        for step in more:
            if step.row.seq == self.state.seq + 1:
                self.ring.append(step)
                self.state = step.after
        self._texts.clear()

    def held(self, viewer: Viewer) -> tuple[Json, str]:
        """Answer the viewer's present view and its hash."""
        known = self._held.get(viewer)
        if known is None or known[0] != self.state.seq:
            seen = view(self.state, viewer)
            known = (self.state.seq, seen, view_hash(seen))
            self._held[viewer] = known
        return known[1], known[2]

    def since(self, seq: int) -> list[Step] | None:
        """Answer the steps behind `seq`, or None when the ring does not reach that far back."""
        if seq > self.state.seq or (seq < self.state.seq and (not self.ring or self.ring[0].row.seq > seq + 1)):
            return None
        return [step for step in self.ring if step.row.seq > seq]

    def events(self, viewer: Viewer, seq: int, now: int) -> str | None:
        """Answer the text of the `ev` behind `seq`, the same for all sockets of the viewer; None: there is none."""
        found = self.since(seq)
        if not found:
            return None
        if (viewer, seq) not in self._texts:
            known = self._held.get(viewer)
            before = known[1] if known is not None and known[0] == seq else None
            self._texts[viewer, seq] = encode(projection.ev(found, viewer, now=now, held=before))
        return self._texts[viewer, seq]


@dataclass(eq=False)
class Client:
    """One socket at a table. `sent`: (game, seq) of what was last put in its outbox; None until it has a view."""

    person: Person
    session_key: str
    close: Callable[[int], Any]
    viewer: Viewer = SPECTATOR
    tab: str = ""
    sent: tuple[str, int] | None = None
    outbox: Outbox = field(init=False)

    @property
    def seated(self) -> bool:
        return self.viewer.seat is not None

    def put(self, frame: Outbound) -> bool:
        """Queue a frame; answer False when the outbox dropped it."""
        return self.outbox.put(encode(frame))


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a look at the database found. `base`: the state a new stream begins with, None when `more` goes on."""

    game: Game
    seats: list[table_reader.SeatInfo]
    base: TableState | None
    more: list[Step]
    rows: list[Row]
    public: TableState | None


class Feed:
    """The table's streams, its sockets and the commands that wait for its worker."""

    def __init__(self, table_id: int) -> None:
        self.table_id = table_id
        self.clients: set[Client] = set()
        self.game: Game | None = None
        self.seats: list[table_reader.SeatInfo] = []
        self.private: Stream | None = None
        self.public: Stream | None = None
        self.rows: list[Row] = []  # of the whole game, kept only while spectators look
        self.reading = asyncio.Lock()
        self.stale = True
        self.commands: asyncio.Queue[tuple[Client, Cmd]] = asyncio.Queue(QUEUE)
        self.worker: asyncio.Task[None] | None = None
        self.who_at = 0.0
        self.who_due = False

    @property
    def watched(self) -> bool:
        return any(not client.seated for client in self.clients)

    def stream(self, viewer: Viewer) -> Stream | None:
        """Answer the stream of the viewer, None while the feed has not been read for viewers of that kind."""
        return self.private if viewer.seat is not None else self.public

    def fetch(self) -> Fetched:
        """Read and fold what is new; in a thread, changing nothing."""
        game = reader.current_game(self.table_id)
        same = self.game is not None and self.game.pk == game.pk and self.private is not None
        base: TableState | None = None
        more: list[Step] = []
        if same:
            assert self.private is not None
            begin = self.private.state
            more = list(steps(begin, reader.rows_after(game, begin.seq)))
            state = more[-1].after if more else begin
        else:
            state = base = reader.current_state(game)
        rows, public = (self.rows if same else []), None
        if self.watched:
            rows = [*rows, *(row for row in reader.rows_after(game, len(rows)) if row.seq <= state.seq)]
            if not same or self.public is None:
                upto = release.paced(rows, state, game.table.release, clock.now_ms())
                public = reader.state_at(game, upto)
        return Fetched(game, self.seats or table_reader.seats_of(self.table_id), base, more, rows, public)

    def take(self, found: Fetched) -> None:
        """Take in what `fetch` found; on the loop."""
        self.seats = found.seats
        if found.base is not None:
            self.private, self.public = Stream(found.base), None
        elif self.private is not None:
            self.private.extend(found.more)
        self.game, self.rows = found.game, found.rows
        if not self.watched:
            self.public, self.rows = None, []
        elif found.public is not None and self.public is None:
            self.public = Stream(found.public)
        self.show()

    def show(self) -> bool:
        """Let the public stream run on to what is released by now; answer whether it moved."""
        if self.public is None or self.private is None or self.game is None:
            return False
        begin = self.public.state
        upto = release.paced(self.rows, self.private.state, self.game.table.release, clock.now_ms())
        if upto <= begin.seq:
            return False
        self.public.extend(steps(begin, self.rows[begin.seq : upto]))
        return True
