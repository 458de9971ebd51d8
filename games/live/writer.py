"""The commands of all tables of a process on their way to the database, in groups that share a commit.

While one group is written, the commands that arrive wait together and are the next group: at rest a command goes alone and at
once, under load the cost of a commit is shared. Each is answered after the commit of its group.
"""

import asyncio
from collections import deque
from weakref import WeakKeyDictionary

from django.db import connection

from games.services import play

from .threads import in_thread

GROUP = 32  # commands in one transaction
# Groups written at once. SQLite has one writer; PostgreSQL overlaps a commit with the statements of the next group.
LANES = {"sqlite": 1, "postgresql": 2}


class Writer:
    """The queue of one loop."""

    def __init__(self, lanes: int) -> None:
        self._lanes = lanes
        self._waiting: deque[tuple[play.Request, asyncio.Future[play.Answer]]] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._alone: set[asyncio.Task[None]] = set()

    async def submit(self, request: play.Request) -> play.Answer:
        """Carry the request out and return its answer, after the commit.

        The caller sends one request of a table at a time. Raises the database's errors: then nothing was written.
        """
        answered: asyncio.Future[play.Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, answered))
        self._start()
        return await answered

    def _start(self) -> None:
        while self._waiting and len(self._running) < self._lanes:
            group = [self._waiting.popleft() for _ in range(min(GROUP, len(self._waiting)))]
            task = asyncio.create_task(self._write(group))
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    def _wait_alone(self, request: play.Request, answered: asyncio.Future[play.Answer]) -> None:
        """Carry the request out beside the groups: its game is locked elsewhere, and no other table waits for that."""

        async def run() -> None:
            try:
                answer = await in_thread(play.submit_one, request)
            except Exception as error:
                _fail(answered, error)
            else:
                if not answered.done():
                    answered.set_result(answer)

        task = asyncio.create_task(run())
        self._alone.add(task)
        task.add_done_callback(self._alone.discard)

    async def _write(self, group: list[tuple[play.Request, asyncio.Future[play.Answer]]]) -> None:
        try:
            answers = await in_thread(play.submit_group, [request for request, _ in group])
        except BaseException as error:
            for _, answered in group:
                _fail(answered, error)
            if not isinstance(error, Exception):
                raise
        else:
            for (request, answered), answer in zip(group, answers, strict=True):
                if answer is None:
                    self._wait_alone(request, answered)
                elif not answered.done():
                    answered.set_result(answer)
        finally:
            self._running.discard(asyncio.current_task())
            self._start()


def _fail(answered: asyncio.Future[play.Answer], error: BaseException) -> None:
    if not answered.done():
        answered.set_exception(error)
        answered.exception()  # whoever waited may have been cancelled: nobody need look at it


_writers: "WeakKeyDictionary[asyncio.AbstractEventLoop, Writer]" = WeakKeyDictionary()


def writer() -> Writer:
    """Return the writer of the running loop."""
    loop = asyncio.get_running_loop()
    if loop not in _writers:
        _writers[loop] = Writer(LANES[connection.vendor])
    return _writers[loop]
