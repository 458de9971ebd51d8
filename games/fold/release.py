"""What spectators may see, and when. Their stream is computed on the server; nothing is filtered in a browser."""

from collections.abc import Sequence

from .rows import Row
from .state import TableState

DEAL, LIVE, GAME = "deal", "live", "game"


def bound(state: TableState, rule: str) -> int:
    """Return the highest seq that may be released now under the table's rule.

    `deal`: a deal becomes visible when it has ended, with the event that began the next one; before the first deal, and
    when the game is over, everything is visible. `live`: everything. `game`: nothing but the seats until the end.
    """
    if rule == LIVE or state.result is not None or not state.deals:
        return state.seq
    first = state.deals[0][0] - 1
    if rule == GAME or len(state.deals) == 1:
        return first
    return state.deals[-1][0]


def paced(rows: Sequence[Row], state: TableState, rule: str, now: int) -> int:
    """Return the highest seq shown to a spectator at `now` (ms): the released deal is shown at its own pace.

    `rows`: the game's rows from the first on. The deal that ended when the current one began is shown with the same
    delays from its beginning, counted from the beginning of the current deal. What is not shown yet when the next deal
    or the game ends is shown at once.
    """
    top = bound(state, rule)
    if rule != DEAL or state.result is not None or len(state.deals) < 2:
        return top
    (start, began), (_, ended) = state.deals[-2], state.deals[-1]
    shown = start
    for row in rows[start:top]:
        if row.at - began > now - ended:
            break
        shown = row.seq
    return shown
