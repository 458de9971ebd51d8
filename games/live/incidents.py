"""Reports of clients whose view differs from the server's: each is counted, and logged at most once a minute per game.

A different view is a fault of the server or of the page, but a client can also claim one falsely, and must not be able
to fill the log.
"""

import logging

from tock_league.common import clock
from tock_league.common.metrics import HASH_MISMATCHES

log = logging.getLogger(__name__)

QUIET_S = 60.0
GAMES = 1000  # games remembered at most

_told: dict[str, float] = {}


def view_differs(game: str, seat: int | None, seq: int, *, theirs: str, ours: str) -> None:
    """Record that a client holds a different view from the one it was sent. The log gets no view and no card."""
    HASH_MISMATCHES.inc()
    now = clock.monotonic()
    if now - _told.get(game, -QUIET_S) < QUIET_S:
        return
    if len(_told) >= GAMES:
        _told.clear()
    _told[game] = now
    log.warning("view differs: game %s, seat %s, seq %s, theirs %s, ours %s", game, seat, seq, theirs, ours)
