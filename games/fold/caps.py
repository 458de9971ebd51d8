"""The time cap of a game: its clock, the call, and the end by what the sides have reached. See docs/caps.md.

The clock runs from the draw for the first dealer, stands still while the table is frozen, and gets back the time of an
outage. At the cap the row `cap` calls; where equal sides play on, `extra` says so; the row `time` ends the game with the
ranks. Rewinds take nothing of it back.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .cap_clock import ALLOWED, MARBLES, NEXT_HOME, REASON, STOP, TURN, CapClock, TimeCap
from .clocks import RESUME_MS
from .phases import JOKER
from .state import TableState

__all__ = [
    "MARBLES",
    "REASON",
    "called",
    "cap_json",
    "goes_on",
    "gone_on",
    "is_due",
    "is_over",
    "moved",
    "played",
    "ranks_by",
    "reached",
    "started",
    "thawed",
]


def started(cap: TimeCap | None, at: int) -> CapClock | None:
    """Return the clock of a game that begins at `at`; None without a cap."""
    return CapClock(due=at + cap.seconds * 1000) if cap is not None else None


def moved(clock: CapClock | None, ms: int) -> CapClock | None:
    """Return the clock with `ms` milliseconds given back."""
    return clock if clock is None or clock.called else replace(clock, due=clock.due + ms)


def thawed(clock: CapClock | None, since: int, at: int) -> CapClock | None:
    """Return the clock after a freeze from `since` to `at`; the countdown after it costs nothing either."""
    return moved(clock, at - since + RESUME_MS)


def called(state: TableState) -> CapClock:
    """Return the clock after the call."""
    return replace(_clock(state), called=True, deals=_deal(state))


def gone_on(state: TableState) -> CapClock:
    """Return the clock of a game that goes on because the sides are equal."""
    return replace(_clock(state), extra=True, deals=_deal(state), home=sum(reached(state, MARBLES)))


def played(state: TableState, after: TableState) -> CapClock | None:
    """Return the clock after a play that led from `state` to `after`."""
    clock = state.cap
    if clock is None or not clock.called or clock.extra or after.phase == JOKER:
        return clock
    before, now = _seat(state), _seat(after)
    if before is None or now is None:
        return clock
    return replace(clock, passed=clock.passed + (now - before - 1) % state.setup.seats + 1)


def is_due(state: TableState, now: int) -> bool:
    """Return whether the call is to be made."""
    clock = state.cap
    running = clock is not None and state.position is not None and state.result is None and state.frozen is None
    return running and clock is not None and not clock.called and now >= clock.due


def is_over(state: TableState) -> bool:
    """Return whether the game has come to the point where what the sides have reached decides."""
    clock, cap = state.cap, state.setup.cap
    if clock is None or cap is None or not clock.called or state.result is not None or state.frozen is not None:
        return False
    begun = len(state.deals)
    deal_over = begun > clock.deals or (begun == clock.deals and state.chance == "deck")
    if clock.extra:
        return sum(reached(state, MARBLES)) > clock.home if cap.tie == NEXT_HOME else deal_over
    if cap.call == TURN:
        # The turn under way, and one more for each seat; without cards there is none, and the deal's end ends it.
        return deal_over or clock.passed > state.setup.seats
    return cap.call == STOP or deal_over


def goes_on(state: TableState) -> bool:
    """Return whether the game that is over by time goes on because the best sides are equal."""
    cap = state.setup.cap
    inside = [count for team, count in enumerate(reached(state)) if team not in state.out]
    return cap is not None and cap.tie != ALLOWED and inside.count(max(inside)) > 1


def reached(state: TableState, counts: str = "") -> tuple[int, ...]:
    """Return what each team has reached by the count of the cap: marbles home, or steps."""
    cap = state.setup.cap
    return state.setup.family.reached(state, counts or (cap.counts if cap is not None else MARBLES))


def cap_json(state: TableState) -> dict[str, Any]:
    """Return what every viewer sees of the cap."""
    cap, clock = state.setup.cap, state.cap
    assert cap is not None
    seen: dict[str, Any] = {"call": cap.call, "counts": cap.counts, "tie": cap.tie}
    if clock is None:
        return seen | {"seconds": cap.seconds}
    if not clock.called:
        if state.frozen is not None:
            return seen | {"left": max(0, clock.due - state.frozen.since)}
        return seen | {"due": clock.due}
    seen["called"] = True
    if clock.extra:
        seen["extra"] = True
    return seen


def ranks_by(counts: Sequence[int], out: Sequence[int]) -> list[int]:
    """Return a rank per team, 0 best: more is better, equal counts tie; teams that are out come last together."""
    keys = [(1, 0) if team in out else (0, -count) for team, count in enumerate(counts)]
    return [sum(other < own for other in keys) for own in keys]


def _deal(state: TableState) -> int:
    """Return the number of the deal that is played now, or that comes next where a deck is due."""
    return len(state.deals) + (state.chance == "deck")


def _clock(state: TableState) -> CapClock:
    assert state.cap is not None
    return state.cap


def _seat(state: TableState) -> int | None:
    """Return whose turn it is; None while several decide, or a chance play is due that belongs to no turn."""
    if state.chance == "blind":
        return state.burning
    return next(iter(state.to_act)) if len(state.to_act) == 1 else None
