"""Trace a command through the process: the time of each stage is counted, and logged when the command was slow.

Stages, in order:
- `queue`: behind the earlier commands of its table (over HTTP: until the person is known).
- `writer`: until its group begins.
- `thread`: until a thread of the live room is free.
- `commit`: the transaction.
- `answer`: until the acknowledgement is in the sender's outbox.
- `tell`: until the events are in the outbox of the last socket at the table.
"""

import logging
from typing import Any

from django.conf import settings

from tock_league.common import clock, logs
from tock_league.common.metrics import COMMANDS, COMMIT_SECONDS

from .limits import Rate
from .messages import NAK_CODES, Ack, Cmd, Nak

log = logging.getLogger(__name__)

_slow_lines = Rate(20, 10.0)  # when everything is slow, the first lines are enough; more logging would make it slower
_COUNTERS = {answer: COMMANDS.labels(answer) for answer in ("ack", "dup", *NAK_CODES)}


class Trace:
    """One command, from the moment its frame was parsed.

    `group`: the number of commands in its first group. `tries`: the number of transactions it took part in.
    """

    __slots__ = ("_ended", "answer", "command", "context", "group", "received", "tries")

    def __init__(self, command: Cmd) -> None:
        self.received = clock.monotonic()
        self.command = command
        self.context: logs.Context = {**logs.get_context(), "command": command.id}
        self.answer = ""
        self.group = self.tries = 1
        self._ended: dict[str, float] = {}

    def ends(self, stage: str) -> None:
        """Record the end of this stage; it began at the end of the stage before."""
        self._ended[stage] = clock.monotonic()

    def answered(self, frame: Ack | Nak) -> None:
        """Count the response, which is in the sender's outbox or has been returned."""
        self.ends("answer")
        self.answer = frame.code if isinstance(frame, Nak) else "dup" if frame.dup else "ack"
        _COUNTERS[self.answer].inc()
        if self.answer == "ack" and "commit" in self._ended:
            COMMIT_SECONDS.observe(self._ended["commit"] - self.received)

    def finish(self) -> None:
        """Log the command if it was slow, or if every command is traced. The line names no card and no play."""
        ms = 1000 * (max(self._ended.values(), default=self.received) - self.received)
        slow = ms >= settings.TOCK_SLOW_COMMAND_MS and _slow_lines.allows()
        if slow or log.isEnabledFor(logging.DEBUG):
            self._write(ms, slow=slow)

    def _write(self, ms: float, *, slow: bool) -> None:
        stages = self.stages
        longest = max(stages, key=lambda stage: stages[stage], default="")
        details: dict[str, Any] = {
            **self.context,
            "kind": self.command.kind,
            "answer": self.answer,
            "ms": round(ms, 1),
            "longest": longest,
            "stages": stages,
            "group": self.group,
            "tries": self.tries,
        }
        level = logging.WARNING if slow else logging.DEBUG
        log.log(level, "slow command" if slow else "command", extra={"details": details})

    @property
    def stages(self) -> dict[str, float]:
        """The milliseconds of each stage that the command passed, in order."""
        found, begin = {}, self.received
        for stage, end in self._ended.items():
            found[stage], begin = round(1000 * (end - begin), 1), end
        return found
