"""Follow a command through the process: the time each stage took, counted, and written down where it was slow.

Stages, in order:
- `queue`: behind the earlier commands of its table (over HTTP: until it is known who asks).
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

_slow_lines = Rate(20, 10.0)  # where everything is slow, the first lines say so; writing more would make it slower
_COUNTERS = {answer: COMMANDS.labels(answer) for answer in ("ack", "dup", *NAK_CODES)}


class Trace:
    """One command, from the moment its frame was parsed. `group`: how many commands shared its transaction at first."""

    __slots__ = ("_ended", "answer", "command", "context", "group", "received", "tries")

    def __init__(self, command: Cmd) -> None:
        self.received = clock.monotonic()
        self.command = command
        self.context: logs.Context = {**logs.get_context(), "command": command.id}
        self.answer = ""
        self.group = self.tries = 1
        self._ended: dict[str, float] = {}

    def ends(self, stage: str) -> None:
        """Note that this stage is over; the time since the one before is its own."""
        self._ended[stage] = clock.monotonic()

    def answered(self, frame: Ack | Nak) -> None:
        """Count the answer, which has been put into the sender's outbox or returned."""
        self.ends("answer")
        self.answer = frame.code if isinstance(frame, Nak) else "dup" if frame.dup else "ack"
        _COUNTERS[self.answer].inc()
        if self.answer == "ack" and "commit" in self._ended:
            COMMIT_SECONDS.observe(self._ended["commit"] - self.received)

    def finish(self) -> None:
        """Write a line if the command was slow, or if every command is to be followed. It names no card and no play."""
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
        """The milliseconds of each stage that the command went through, in order."""
        found, begin = {}, self.received
        for stage, end in self._ended.items():
            found[stage], begin = round(1000 * (end - begin), 1), end
        return found
