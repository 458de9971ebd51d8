"""Group commit: the commands of all tables of a process are written in groups that share a transaction.

While one group is written, arriving commands wait together and form the next group. An idle process writes a command at
once; under load the cost of a commit is shared. Each command is answered after the commit of its group.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from functools import partial
from weakref import WeakKeyDictionary

from games.announcements import PlaysRecorded
from games.services import play
from tock_league.common import logs

from . import hints
from .threads import in_lane, in_thread, lanes
from .traces import Trace

GROUP = 32  # commands in one transaction

Waiting = tuple[play.Request, asyncio.Future[play.Answer], Trace]


class Writer:
    """The queue of one loop."""

    def __init__(self, lanes: int) -> None:
        self._lanes = range(lanes)  # the first free one is taken, because its cache is the most recent
        self._waiting: deque[Waiting] = deque()
        self._running: dict[int, asyncio.Task[None]] = {}  # by lane
        self._alone: set[asyncio.Task[None]] = set()

    async def submit(self, request: play.Request, trace: Trace) -> play.Answer:
        """Carry the request out and return its response, after the commit.

        The caller submits one request of a table at a time. Raises the database's errors; an earlier transaction of the
        group may have committed the request even then. It is idempotent and may be submitted again.
        """
        answered: asyncio.Future[play.Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, answered, trace))
        self._start()
        return await answered

    def _start(self) -> None:
        for lane in self._lanes:
            if self._waiting and lane not in self._running:
                group = [self._waiting.popleft() for _ in range(min(GROUP, len(self._waiting)))]
                task = self._running[lane] = asyncio.create_task(self._write(group, lane))
                task.add_done_callback(partial(self._ended, lane))

    def _ended(self, lane: int, task: asyncio.Task[None]) -> None:
        """Free the lane of a task that was cancelled before its first step; every other task frees its lane itself."""
        if self._running.get(lane) is task:
            del self._running[lane]

    def _wait_alone(self, request: play.Request, answered: asyncio.Future[play.Answer], trace: Trace) -> None:
        """Carry the request out by itself: another transaction holds its game's lock, and no other table should wait
        for that.
        """

        async def run() -> None:
            logs.set_context(trace.context)
            try:
                answer = await in_thread(play.submit_one, request)
            except Exception as error:
                _fail(answered, error)
            else:
                if not answered.done():
                    answered.set_result(answer)
            finally:
                trace.ends("commit")

        task = asyncio.create_task(run())
        self._alone.add(task)
        task.add_done_callback(self._alone.discard)

    async def _write(self, group: list[Waiting], lane: int) -> None:
        for _, _, trace in group:
            trace.group = len(group)
            trace.ends("writer")
        logs.set_context(_context(group))
        told: list[PlaysRecorded] = []
        try:
            try:
                answers = await in_lane(lane, _submit, group, asyncio.get_running_loop(), told)
            finally:
                hints.tell_kept(told)  # everything that was committed, even if the rest failed
        except BaseException as error:
            for _, answered, _ in group:
                _fail(answered, error)
            if not isinstance(error, Exception):
                raise
        else:
            for (request, answered, trace), answer in zip(group, answers, strict=True):
                if answer is None:
                    self._wait_alone(request, answered, trace)
                elif not answered.done():
                    answered.set_result(answer)
        finally:
            del self._running[lane]
            self._start()


def _fail(answered: asyncio.Future[play.Answer], error: BaseException) -> None:
    if not answered.done():
        answered.set_exception(error)
        answered.exception()  # the waiting task may have been cancelled: then nobody reads the exception


def _submit(
    group: Sequence[Waiting], loop: asyncio.AbstractEventLoop, told: list[PlaysRecorded]
) -> list[play.Answer | None]:
    """Carry the group out and return the responses; call it in a thread. The hints for `loop` are put into `told`.

    None for a request whose game is locked by another transaction.
    """
    for _, _, trace in group:
        trace.ends("thread")
    try:
        with hints.kept_for(loop, told) as wake:
            return play.submit_group([request for request, _, _ in group], between=wake)
    finally:
        for _, _, trace in group:
            trace.ends("commit")


def _context(group: Sequence[Waiting]) -> logs.Context:
    """Return the log fields for the time in which the group is written."""
    if len(group) == 1:
        return group[0][2].context
    return {"commands": [request.id for request, _, _ in group]}


_writers: "WeakKeyDictionary[asyncio.AbstractEventLoop, Writer]" = WeakKeyDictionary()


def writer() -> Writer:
    """Return the writer of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _writers:
        _writers[loop] = Writer(lanes())
    return _writers[loop]
