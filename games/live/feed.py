"""A table with viewers in this process: what was read of it, and what its viewers have received.

`fetch` reads and folds in a thread and changes nothing; `take` applies its result on the loop. So the loop never sees a
partial change, and never waits for the database.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.announcements import PlaysRecorded
from games.fold import SPECTATOR, Row, Sight, Step, TableState, Told, Viewer, release, steps, told
from games.models import Game, Table
from games.permissions import Login, Person
from games.selectors import games as reader
from games.selectors import referee as referee_reader
from games.selectors import tables as table_reader
from tock_league.common import clock

from . import projection
from .limits import Rate
from .messages import Cmd, Outbound, encode
from .outbox import Outbox
from .tabs import Tabs
from .traces import Trace

RING = 64  # events kept per stream
QUEUE = 200  # commands that may wait at one table


class Stream:
    """What one kind of viewer has received of a game: the state reached and the last steps to it."""

    def __init__(self, state: TableState) -> None:
        self.ring: deque[Step] = deque(maxlen=RING)
        self.sight = Sight(state)
        self._news: list[Told] = []  # of the last `extend`: the events for viewers who were up to date
        self._texts: dict[tuple[int, int], str] = {}

    @property
    def state(self) -> TableState:
        return self.sight.state

    def extend(self, more: Iterable[Step]) -> None:
        """Add the steps in `more` that are not there yet."""
        fresh = [step for step in more if step.row.seq > self.state.seq]
        if not fresh or fresh[0].row.seq != self.state.seq + 1:
            return
        self.ring.extend(fresh)
        self.sight.settle()
        self._news = list(told(fresh, self.sight))
        self.sight = self._news[-1].after
        self._texts.clear()

    def mark(self, viewer: Viewer) -> str:
        """Return the hash of the viewer's current view."""
        return self.sight.mark(viewer)

    def since(self, seq: int) -> list[Step] | None:
        """Return the steps after `seq`, or None when the ring does not go back that far."""
        if seq > self.state.seq or (seq < self.state.seq and (not self.ring or self.ring[0].row.seq > seq + 1)):
            return None
        return [step for step in self.ring if step.row.seq > seq]

    def no_events(self, seq: int) -> str:
        """Return why there are no events after `seq`: rows were taken back, or the ring does not go back that far."""
        return "behind" if self.since(seq) is None else "rewind"

    def events(self, viewer: Viewer, seq: int, now: int) -> str | None:
        """Return the text of the `ev` after `seq`, the same for all sockets of the viewer; None if a snap is needed."""
        known = self._texts.get((viewer.key, seq))
        if known is not None:
            return known
        shown = self._news
        if not shown or shown[0].step.row.seq != seq + 1:
            shown = list(told(self.since(seq) or ()))
        if not shown or shown[0].step.before.epoch != self.state.epoch:
            return None  # a rewind is sent as a snap
        self._texts[viewer.key, seq] = text = projection.ev_text(shown, viewer, now=now)
        return text


@dataclass(eq=False)
class Client:
    """One socket at a table."""

    person: Person
    login: Login
    close: Callable[[int], Any]
    viewer: Viewer = SPECTATOR
    tab: str = ""
    sent: tuple[str, int] | None = None  # (game, seq) of the last frame put in its outbox; None before its first view
    waits: bool = False  # it has joined, but the table could not be read; its view comes with the next successful check
    outbox: Outbox = field(init=False)
    mends: Rate = field(default_factory=lambda: Rate(1, 1.0))  # whole views for a client that reports a different hash

    @property
    def seated(self) -> bool:
        return self.viewer.seat is not None

    @property
    def live(self) -> bool:
        """Whether it receives the players' stream: a seat's socket, or a referee's."""
        return self.viewer.live

    def put(self, frame: Outbound) -> bool:
        """Queue a frame; return False when the outbox dropped it."""
        return self.outbox.put(encode(frame))


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of a read of the database: new steps of the known game, and, with `base`, a new game."""

    game: Game
    seats: list[table_reader.SeatInfo]
    more: list[Step]  # of the known game
    rows: list[Row]  # all rows of the known game, if there are spectators
    base: TableState | None = None
    base_rows: Sequence[Row] = ()  # all rows of the new game
    public: TableState | None = None  # the state at which the spectators' stream begins, if there is none yet
    # by player id the seat whose hand they may see, or None; only read while a referee watches
    referees: Mapping[int, int | None] | None = None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The people at the table in another process."""

    seats: frozenset[int]
    spectators: int
    until: float  # valid until then (monotonic seconds)
    playing: Mapping[int, int] = field(default_factory=dict)  # by seat, when a window there began to play it (ms)


class Feed:
    """The streams of a table, its sockets, and the commands that wait for its worker."""

    def __init__(self, table_id: int) -> None:
        self.table_id = table_id
        self.clients: set[Client] = set()
        self.game: Game | None = None
        self.seats: list[table_reader.SeatInfo] = []
        self.private: Stream | None = None  # for seats and referees; None before the first read
        self.public: Stream | None = None  # for spectators; None if it was not read for any
        self.rows: list[Row] = []  # of the whole game, only kept while there are spectators
        self.reading = asyncio.Lock()  # held by the one refresh that reads the database
        self.stale = True  # the database must be read
        self.busy = False  # the worker is carrying out a command and sends the events after its response
        self.held_back: list[PlaysRecorded] = []  # events that arrived meanwhile
        self.commands: asyncio.Queue[tuple[Client, int, Cmd, Trace]] = asyncio.Queue(QUEUE)
        self.worker: asyncio.Task[None] | None = None
        self.who_at = 0.0  # when presence was sent last (monotonic seconds)
        self.who_due = False  # presence has changed since
        self.elsewhere: dict[str, Elsewhere] = {}  # by the name of the other process's hub
        self.tabs: Tabs[Client] = Tabs()

    @property
    def watched(self) -> bool:
        return any(not client.live for client in self.clients)

    @property
    def refereed(self) -> bool:
        """Whether a referee watches: referees' rights are read again at each check."""
        return any(client.viewer.referee for client in self.clients)

    @property
    def seats_here(self) -> frozenset[int]:
        return frozenset(client.viewer.seat for client in self.clients if client.viewer.seat is not None)

    def plays(self, client: Client) -> bool:
        """Return whether this window plays its seat; a window takes a seat that no other window plays."""
        now = clock.monotonic()
        return self.tabs.plays(client, [there.playing for there in self.elsewhere.values() if there.until > now])

    @property
    def spectators_here(self) -> int:
        return sum(not client.live for client in self.clients)

    def stream(self, viewer: Viewer) -> Stream | None:
        """Return the viewer's stream, None if the feed has not been read for such viewers."""
        return self.private if viewer.live else self.public

    def stands_at(self, latest: reader.Latest) -> bool:
        """Return whether the feed has read exactly as far as `latest`; False if it was never read."""
        if self.game is None or self.private is None:
            return False
        return latest.game_id == self.game.pk and latest.seq == self.private.state.seq

    def fetch(self, *, watched: bool, refereed: bool) -> Fetched:
        """Read and fold what is new; in a thread, without changing anything.

        The caller passes the viewers, because clients come and go on the loop meanwhile.
        """
        game = reader.current_game(self.table_id)
        # At a casual table seats change hands while it is open.
        known = self.seats if game.table.kind != Table.Kind.CASUAL else []
        seats = known or table_reader.seats_of(self.table_id)
        more, rows = self._fetch_known(watched)
        referees = referee_reader.referees(self.table_id) if refereed else None
        if self.game is not None and self.private is not None and self.game.pk == game.pk:
            state = more[-1].after if more else self.private.state
            public = self._opening(game, state, rows) if watched and self.public is None else None
            return Fetched(game, seats, more, rows, public=public, referees=referees)
        base = reader.current_state(game)
        base_rows = reader.rows_upto(game, base.seq) if watched else []
        public = self._opening(game, base, base_rows) if watched else None
        return Fetched(game, seats, more, rows, base=base, base_rows=base_rows, public=public, referees=referees)

    def _fetch_known(self, watched: bool) -> tuple[list[Step], list[Row]]:
        """Return the new steps of the known game, and all its rows if there are spectators."""
        if self.game is None or self.private is None:
            return [], []
        begin = self.private.state
        fresh = reader.rows_after(self.game, begin.seq)
        if not watched:
            return list(steps(begin, fresh)), []
        known = list(self.rows)
        if len(known) < begin.seq:  # not kept while there was no spectator
            known = reader.rows_upto(self.game, begin.seq)
        return list(steps(begin, fresh)), [*known, *(row for row in fresh if row.seq > len(known))]

    @staticmethod
    def _opening(game: Game, state: TableState, rows: Sequence[Row]) -> TableState:
        return reader.state_at(game, release.paced(rows, state, game.table.release, clock.now_ms()))

    def finish(self, found: Fetched) -> None:
        """Apply the new rows of the known game; on the loop. `take` applies the rest."""
        if self.private is not None:
            self.private.extend(found.more)
        if not self.watched:
            self.rows, self.public = [], None
        elif len(found.rows) >= len(self.rows):
            self.rows = found.rows  # `self.rows` is longer if rows were handed over while the database was read
        self.show()

    def take(self, found: Fetched) -> None:
        """Apply what `finish` left: the new game, if there is one, and the spectators' stream; on the loop."""
        self.who_due |= self.seats != found.seats
        self.seats, self.game = found.seats, found.game
        if found.base is not None:
            self.private, self.public = Stream(found.base), None
            self.rows = list(found.base_rows)
        if found.public is not None and self.public is None and self.watched:
            self.public = Stream(found.public)
        self.show()

    def hand_over(self, news: PlaysRecorded) -> bool:
        """Apply rows that this process has committed, without reading them; on the loop.

        Return False if they do not follow the known rows, or if something else must be read as well: then the database
        must be read. Rows that are known already are ignored.
        """
        if self.game is None or self.private is None or self.game.pk != news.game_id or self.refereed:
            return False
        known = self.private.state.seq
        if news.seq <= known:
            return bool(news.steps)
        if not news.steps or news.steps[0].row.seq > known + 1:
            return False
        if self.watched:
            if self.public is None or len(self.rows) != known:
                return False
            self.rows.extend(step.row for step in news.steps if step.row.seq > known)
        else:
            self.rows, self.public = [], None  # all spectators have left: new ones begin with a new stream
        self.private.extend(news.steps)
        self.show()
        return self.private.state.result is None  # after the last row of a game the next game may begin

    def show(self) -> bool:
        """Advance the public stream to what is released by now; return whether it moved."""
        if self.public is None or self.private is None or self.game is None:
            return False
        begin, rule = self.public.state, self.game.table.release
        if begin.seq >= release.bound(self.private.state, rule):
            return False
        upto = release.paced(self.rows, self.private.state, rule, clock.now_ms())
        if upto <= begin.seq:
            return False
        self.public.extend(steps(begin, self.rows[begin.seq : upto]))
        return True
