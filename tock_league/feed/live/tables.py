"""The plays of a match for its listeners: a client of the hub of the live tables, which is a visitor and a spectator.

It is sent the very frames of a spectator's socket: one deal late, or as the table's release rule says, without hands.
"""

import re
from dataclasses import dataclass

from games.fold import SPECTATOR
from games.live import telling
from games.live.feed import Client, Feed
from games.live.hub import hub
from games.permissions import Login, Person
from tock_league.common import clock

from .stream import Stream

HELD = re.compile(r"([0-9a-z]{4,24})\.([0-9]{1,9})\.([0-9]{1,9})")  # the id of a view or play


@dataclass(frozen=True)
class Held:
    """The view that a reader has: game, epoch and seq."""

    game: str
    epoch: int
    seq: int


def held_of(key: str) -> Held | None:
    """Return the view that a `Last-Event-ID` names; None for another one."""
    found = HELD.fullmatch(key)
    return Held(found[1], int(found[2]), int(found[3])) if found else None


class Spectating:
    """A stream's place at one table."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.client = Client(person=Person(), login=Login(""), close=lambda _code: stream.end())
        self.client.outbox = stream.outbox
        self.feed: Feed | None = None

    async def attach(self, table_id: int, held: Held | None) -> None:
        """Send the events after the view that the reader holds, or the whole view where that is not possible."""
        if self.feed is not None:
            return
        self.feed = feed = await hub().attach(table_id, self.client)
        await hub().refresh(feed)
        if feed.game is not None:
            self.stream.game = feed.game.slug
        if not self._resume(feed, held):
            telling.snap(feed, self.client, "join")
        telling.advance(feed, self.client, clock.now_ms())
        self.client.put(telling.who(feed))
        feed.who_due = True

    def _resume(self, feed: Feed, held: Held | None) -> bool:
        shown = feed.stream(SPECTATOR)
        if held is None or shown is None or feed.game is None:
            return False
        if (held.game, held.epoch) != (feed.game.slug, shown.state.epoch) or held.seq > shown.state.seq:
            return False
        if held.seq < shown.state.seq:
            text = shown.events(SPECTATOR, held.seq, clock.now_ms())
            if text is None or not self.client.outbox.put(text):
                return False
        self.client.sent = (feed.game.slug, shown.state.seq)
        return True

    async def detach(self) -> None:
        """Leave the table."""
        feed, self.feed = self.feed, None
        if feed is not None:
            await hub().detach(feed, self.client)
