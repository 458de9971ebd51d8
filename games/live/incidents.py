"""Views that differ from ours: counted each time, written down once a minute and game.

A view that differs is a fault of ours or of the page; but anybody may claim one, and nobody shall fill the log.
"""

import logging

from tock_league.common import clock
from tock_league.common.metrics import HASH_MISMATCHES

log = logging.getLogger(__name__)

QUIET_S = 60.0
GAMES = 1000  # remembered at most

_told: dict[str, float] = {}


def view_differs(game: str, seat: int | None, seq: int, *, theirs: str, ours: str) -> None:
    """Note that a client holds another view than the one it was sent. No view, no card goes into the log."""
    HASH_MISMATCHES.inc()
    now = clock.monotonic()
    if now - _told.get(game, -QUIET_S) < QUIET_S:
        return
    if len(_told) >= GAMES:
        _told.clear()
    _told[game] = now
    log.warning("view differs: game %s, seat %s, seq %s, theirs %s, ours %s", game, seat, seq, theirs, ours)
