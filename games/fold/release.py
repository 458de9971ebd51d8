"""What spectators may see, and when. Their stream is another one, moved on the server; nothing is filtered in a browser."""

from collections.abc import Sequence

from .rows import Row
from .state import TableState

DEAL, LIVE, GAME = "deal", "live", "game"


def bound(state: TableState, rule: str) -> int:
    """Return the highest seq that may be released now under the table's rule.

    `deal`: a deal becomes visible when it has ended, that is with the event that began the next one; before the first
    deal, and when the game is over, everything. `live`: everything. `game`: nothing but the seats until the end.
    """
    if rule == LIVE or state.result is not None or not state.deals:
        return state.seq
    first = state.deals[0][0] - 1
    if rule == GAME or len(state.deals) == 1:
        return first
    return state.deals[-1][0]


def paced(rows: Sequence[Row], state: TableState, rule: str, now: int) -> int:
    """Return the highest seq a spectator is shown at `now` (ms): the released deal runs at its own pace.

    `rows`: the game's rows, in order, from its first. The deal that ended when the present one began is shown as long
    after the present deal's beginning as it happened after its own. What is not yet shown when the next deal ends, or
    the game, is shown at once.
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
