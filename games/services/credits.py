"""Credits: a row returns to a running decision the time that an outage took.

Every draft that may decide something begins here, so that the first command after the outage is not refused as too
late.
"""

from typing import TYPE_CHECKING

from games.fold import CLOCK, TableState, acts, counts_from

from .pulse import LATE_MS, heart, missed

if TYPE_CHECKING:
    from .record import Draft

CREDITS = ("outage", "late")
LEAST_MS = 1_000  # shorter gaps get no row


def begin(draft: "Draft") -> bool:
    """Add the credit that is due at the beginning of `draft`; return whether there was one."""
    credit = due(draft.state, draft.at)
    if credit is not None:
        draft.act(credit, CLOCK)
    return credit is not None


def due(state: TableState, now: int) -> acts.Credit | None:
    """Return the credit that the table is owed at `now` (ms), or None. No query in a process with a heartbeat.

    `ms`: how much running time passed while nothing was served. `back`: when service returned. `why`: "outage", or
    "late" when the deadline is carried out more than 3 s late without an outage; that only once per decision, so that
    decisions still end on a machine that is always late.
    """
    since = counts_from(state)
    if since is None or since >= now:
        return None
    ms, back = missed(heart.outages(now), since, now)
    if ms >= LEAST_MS:
        return acts.Credit(ms=ms, back=back, why="outage", seat=credited_seat(state))
    clocks = state.clocks
    if state.frozen is not None or clocks is None or not clocks.due or state.credited > clocks.opened:
        return None
    if now - clocks.due > LATE_MS and heart.known(now):
        return acts.Credit(ms=now - clocks.due, back=now, why="late", seat=credited_seat(state))
    return None


def credited_seat(state: TableState) -> int | None:
    """Return the `seat` of a credit: the one whose clock runs; None if several decide, or the table waits for a
    referee.
    """
    clocks = state.clocks
    return clocks.run if state.frozen is None and clocks is not None and clocks.due else None
