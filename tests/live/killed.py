"""A process that carries commands out and kills itself at a given point: `python -m tests.live.killed`, for
test_kill_points.

It reads cases from its input, one JSON object per line, and forks for each: Django is loaded once, no connection is
open yet, and each child starts with empty caches. The answer to a case is a line: the signal that ended the child (0:
none), and the answers that it had given by then.
"""

import asyncio
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any

import django

STATEMENT = "statement"  # after the nth statement of the transaction
BEFORE_COMMIT, AFTER_COMMIT, ANSWER = "before commit", "after commit", "answer"  # an answer: before the nth is given


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Point:
    """The point at which the child dies. Nothing counts before `arm`, which is called when the commands begin."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number
        self.armed = False

    def arm(self) -> None:
        self.armed = True

    def reach(self, name: str) -> None:
        """Die if this is the point."""
        if self.armed and name == self.name:
            self.number -= 1
            if not self.number:
                kill()

    def around_statement(self, execute: Callable[..., Any], *args: Any) -> Any:
        found = execute(*args)
        self.reach(STATEMENT)
        return found

    def watch(self) -> None:
        """Watch every statement and commit of every connection from now on."""
        from django.db.backends.signals import connection_created
        from django.db.transaction import get_connection

        def connected(connection: Any, **_: Any) -> None:
            if self.around_statement not in connection.execute_wrappers:
                connection.execute_wrappers.append(self.around_statement)

        connection_created.connect(connected, weak=False)
        database = type(get_connection())
        commit = database._commit

        def watched(connection: Any) -> Any:
            self.reach(BEFORE_COMMIT)
            found = commit(connection)
            self.reach(AFTER_COMMIT)
            return found

        database._commit = watched  # type: ignore[method-assign]


async def carry_out(asked: Sequence[dict[str, Any]], point: Point, tell: Callable[[Any], None]) -> None:
    """Hand the commands to the writer at the same moment, behind one that keeps it busy, and write each answer."""
    from games.live.messages import Cmd
    from games.live.traces import Trace
    from games.live.writer import Writer
    from games.permissions import Person
    from games.services import play

    def request_of(one: dict[str, Any]) -> play.Request:
        return play.Request(**one | {"by": Person(player_id=one["by"])})

    first, *commands = [request_of(one) for one in asked]
    together = play.submit_group

    def submit_group(requests: Sequence[play.Request], **more: Any) -> list[play.Answer | None]:
        if [request.id for request in requests] == [command.id for command in commands]:
            point.arm()
        return together(requests, **more)

    play.submit_group = submit_group
    writer = Writer(lanes=1)

    async def answer(request: play.Request) -> None:
        command = Cmd(id=request.id, turn=request.turn, kind=request.kind, args=request.args)
        found = await writer.submit(request, Trace(command))
        point.reach(ANSWER)
        if request is not first:
            tell({"id": found.id, "seq": found.seq, "dup": found.dup, "code": found.code})

    await asyncio.gather(*(answer(request) for request in (first, *commands)))


def in_child(case: dict[str, Any]) -> tuple[int, list[Any]]:
    """Carry a case out in a process of its own; return the signal that ended it, and its answers until then."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        point = Point(*case["point"])
        point.watch()
        asyncio.run(
            carry_out(
                case["asked"], point, lambda found: os.write(writing, json.dumps(found).encode() + b"\n") and None
            )
        )
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        answers = [json.loads(line) for line in told]
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit(f"the child failed: {case}")
    return (os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0), answers


def load() -> None:
    """Import and build what every child needs, without using the database."""
    from games.live import writer
    from tests.boards import at, lines

    assert writer.Writer
    assert lines(at(marbles="0: t0*", hands="0: 9C KS"))
    gc.collect()
    gc.freeze()


def main() -> None:
    """Serve cases until the input ends. The argument on the command line names the database."""
    from django.conf import settings

    settings.DATABASES["default"]["NAME"] = sys.argv[1]
    django.setup()
    load()
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        print(json.dumps(in_child(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
