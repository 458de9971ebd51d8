"""The listeners of one loop, and the task that reads the public facts for all of them.

Once a second one query reads what is new in the competitions that anybody here listens to, and one which of them are still
public. So a listener hears within a second or two, whichever process has written the fact, and nothing is lost where Redis is
away: there is no hint that could be lost.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from weakref import WeakKeyDictionary

from django.db.models import Q

from games.live.threads import in_thread
from tock_league.arbitration.selectors.rulings import book
from tock_league.common import logs
from tock_league.competitions.selectors.seasons import competitions

from ..models import FeedEvent
from ..payloads import envelope
from .stream import Stream, formatted

log = logging.getLogger(__name__)

LOOK_S = 1.0
AT_ONCE = 500  # facts read in one look; the next one reads on


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with the text of its event."""

    pk: int
    competition: int
    kind: str
    match: str
    subject: str
    text: str


@dataclass(eq=False)
class Listener:
    """A stream of one competition. `match`: only facts about this one, "" for all; `sent`: the last fact that it has read."""

    stream: Stream
    competition: int
    sent: int
    match: str = ""
    heard: Callable[[Fact], object] = lambda fact: None

    def take(self, fact: Fact) -> None:
        """Send the fact unless it is known or about another match."""
        if fact.competition != self.competition or fact.pk <= self.sent:
            return
        self.sent = fact.pk
        if fact.text and self.match in ("", fact.match):
            self.stream.put(fact.text)
            self.heard(fact)


class Watch:
    """The listeners of a loop."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.streams: set[Stream] = set()
        self._task: asyncio.Task[None] | None = None

    def attach(self, listener: Listener) -> None:
        """Send the listener every fact after `sent`, from now on."""
        self.listeners.add(listener)
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    async def detach(self, listener: Listener) -> None:
        """Remove the listener. After the last one nothing reads the database."""
        self.listeners.discard(listener)
        if not self.listeners and self._task is not None:
            task, self._task = self._task, None
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def end_all(self) -> None:
        """End every stream of the loop; for a server that stops."""
        for stream in list(self.streams):
            stream.end()

    async def _run(self) -> None:
        logs.set_context({})  # the task must not carry the context of the first request
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
            except Exception as error:  # the database is away: the next look reads what came meanwhile
                log.warning("the live feed cannot be read: %s", type(error).__name__)

    async def look(self) -> None:
        """Read what is new, and send it."""
        # Who comes during the look waits for the next one: what was read may begin after the fact that they hold.
        present = list(self.listeners)
        wanted: dict[int, int] = {}
        for listener in present:
            wanted[listener.competition] = min(listener.sent, wanted.get(listener.competition, listener.sent))
        facts, public = await in_thread(read, wanted)
        for listener in present:
            if listener not in self.listeners:  # has left meanwhile
                continue
            if listener.competition not in public:
                listener.stream.end()
                continue
            for fact in facts:
                listener.take(fact)


def read(wanted: Mapping[int, int]) -> tuple[list[Fact], Collection[int]]:
    """Return the facts after a key, by competition, and which of the competitions are public; in a thread.

    Two queries, and a few for each ruling.
    """
    public = set(competitions.public().filter(pk__in=list(wanted)).values_list("pk", flat=True))
    if not public:
        return [], public
    new = reduce(or_, (Q(competition=competition, pk__gt=wanted[competition]) for competition in public))
    rows = FeedEvent.objects.filter(new).select_related("competition").order_by("pk")[:AT_ONCE]
    return [_fact(row) for row in rows], public


def _fact(row: FeedEvent) -> Fact:
    """Return the fact; without text where it may not be told: a ruling that is not in the book."""
    told = row.kind != "ruling.published" or book.published(row.subject) is not None
    data = json.dumps(envelope(row), ensure_ascii=False, separators=(",", ":"))
    text = formatted(row.kind, data, str(row.pk)) if told else ""
    return Fact(row.pk, row.competition_id, row.kind, row.match, row.subject, text)


_watches: "WeakKeyDictionary[asyncio.AbstractEventLoop, Watch]" = WeakKeyDictionary()


def watch() -> Watch:
    """Return the watch of the running loop."""
    return _watches.setdefault(asyncio.get_running_loop(), Watch())
