"""Credits: what an outage took from a running decision is given back, by a row that the fold obeys.

Every draft that may decide something begins here, so that the first command after the return is not refused as too late.
"""

from typing import TYPE_CHECKING, Any

from games.fold import CLOCK, TableState, counts_from

from .pulse import LATE_MS, heart, missed

if TYPE_CHECKING:
    from .record import Draft

CREDITS = ("outage", "late")
LEAST_MS = 1_000  # a shorter gap is not worth a line


def begin(draft: "Draft") -> bool:
    """Add the credit that is due at the beginning of `draft`; return whether there was one."""
    body = due(draft.state, draft.at)
    if body is not None:
        draft.act("credit", body, CLOCK)
    return body is not None


def due(state: TableState, now: int) -> dict[str, Any] | None:
    """Return the body of the credit that the table is owed at `now` (ms), or None. No query in a process that beats.

    `ms`: so much of what counts down passed while nothing was served. `back`: when service returned. `why`: "outage", or
    "late" where the deadline is carried out more than 3 s late without an outage that says why; that once per decision,
    so that a machine that is always late still ends every decision.
    """
    since = counts_from(state)
    if since is None or since >= now:
        return None
    ms, back = missed(heart.outages(now), since, now)
    if ms >= LEAST_MS:
        return {"ms": ms, "back": back, "why": "outage"} | credited_seat(state)
    clocks = state.clocks
    if state.frozen is not None or clocks is None or not clocks.due or state.credited > clocks.opened:
        return None
    if now - clocks.due > LATE_MS and heart.known(now):
        return {"ms": now - clocks.due, "back": now, "why": "late"} | credited_seat(state)
    return None


def credited_seat(state: TableState) -> dict[str, int]:
    """Return the `seat` of a credit: the one whose clock runs; nothing where several decide, or a referee is waited for."""
    clocks = state.clocks
    runs = state.frozen is None and clocks is not None and clocks.due and clocks.run is not None
    return {"seat": clocks.run} if runs and clocks is not None and clocks.run is not None else {}
