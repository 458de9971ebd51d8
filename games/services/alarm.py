"""When this process must check its games again, and what is due then.

Deadlines and bots' turns are columns of the game (`due_at`, `bot_at`); the alarm only lets a thread sleep until the
next one. The code that writes such a column sets the alarm after the commit. An alarm that is lost, or that belongs to
another process, costs at most the two seconds until the next check.
"""

import threading
from dataclasses import dataclass

from games.models import Game
from tock_league.common import clock

MOST = 20  # games of each kind in one check: no more than are served before the next one
NEVER = 2**62


class Alarm:
    """The earliest moment (ms) at which something is due, as far as this process has written it."""

    def __init__(self) -> None:
        self._bell = threading.Condition()
        self._at = NEVER

    def set(self, at_ms: int) -> None:
        """Record that something is due at `at_ms`; from any thread."""
        with self._bell:
            if at_ms < self._at:
                self._at = at_ms
                self._bell.notify_all()

    def wait(self, until_ms: int) -> None:
        """Sleep until `until_ms`, or until an earlier moment that was set meanwhile or since the last call, and reset
        the alarm.
        """
        with self._bell:
            while (left := min(self._at, until_ms) - clock.now_ms()) > 0:
                self._bell.wait(left / 1000)
            self._at = NEVER


@dataclass(frozen=True, slots=True)
class Due:
    """What is due now: ids of games, the most overdue first."""

    deadlines: tuple[int, ...] = ()  # games whose deadline has passed
    bots: tuple[int, ...] = ()  # games in which a bot's turn has come
    next_at: int = NEVER  # when the next game is due (ms), NEVER if none is known

    def __bool__(self) -> bool:
        return bool(self.deadlines or self.bots)


def look() -> Due:
    """Return what is due, at most 20 games of each kind. One query: it reads the heads of two partial indexes."""
    now, head = clock.now(), MOST + 1
    deadlines, bots, next_at = [], [], NEVER
    for game in Game.objects.raw(_HEADS, [head, head]):
        at = game.bot_at or game.due_at
        if at is None or at > now:
            next_at = min(next_at, clock.ms(at) if at is not None else NEVER)
        elif game.bot_at is not None:
            bots.append(game.pk)
        else:
            deadlines.append(game.pk)
    return Due(tuple(deadlines[:MOST]), tuple(bots[:MOST]), next_at)


_TABLE = Game._meta.db_table
_HEADS = f"""
SELECT id, due_at, NULL AS bot_at FROM
  (SELECT id, due_at FROM {_TABLE} WHERE due_at IS NOT NULL ORDER BY due_at LIMIT %s) AS deadlines
UNION ALL
SELECT id, NULL AS due_at, bot_at FROM
  (SELECT id, bot_at FROM {_TABLE} WHERE bot_at IS NOT NULL ORDER BY bot_at LIMIT %s) AS bots
"""  # nosec B608: the name of our own table

alarm = Alarm()
