"""The state machine of a case. The state is the fold of the case's events; `Case.state` only caches it.

States: filed -> triage -> assigned -> hearing -> ruled -> appealed -> panel_formed -> deliberating -> appeal_ruled ->
final; beside them inadmissible, withdrawn and superseded. A case that its referee releases returns to `filed`. In
`triage` a dismissal or a ruling waits for a second referee. Source: docs/arbitration.md, "Case, states and events".
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

NEW: Final = ""
STATES: Final = (
    "filed",
    "triage",
    "assigned",
    "hearing",
    "ruled",
    "appealed",
    "panel_formed",
    "deliberating",
    "appeal_ruled",
    "final",
    "inadmissible",
    "withdrawn",
    "superseded",
)
PENDING: Final = frozenset({"filed", "triage", "assigned", "hearing"})  # nobody has ruled yet
APPEAL: Final = frozenset({"appealed", "panel_formed", "deliberating"})
PANEL_SITS: Final = frozenset({"panel_formed", "deliberating"})
OPEN: Final = PENDING | APPEAL | {"ruled", "appeal_ruled"}
CLOSED: Final = frozenset(STATES) - OPEN
RULED: Final = frozenset({"ruled", "appeal_ruled", "final", "superseded"}) | APPEAL
PANEL: Final = 3
TEXTS: Final = 3  # that each side may add before the ruling; in a re-examination its answer is one more

# What each type of event does: from which states, to which one ("" leaves the state as it is).
_STEPS: Final[dict[str, tuple[frozenset[str], str]]] = {
    "filed": (frozenset({NEW}), "filed"),
    "stated": (PENDING, ""),
    "unanswered": (PENDING, ""),
    "escalated": (PENDING | APPEAL, ""),
    "deadline_passed": (OPEN, ""),
    "recused": (OPEN, ""),
    "outsider_named": (PENDING | APPEAL, ""),
    "lease_taken": (frozenset({"filed"}), "assigned"),
    "lease_renewed": (frozenset({"assigned", "hearing"}), ""),
    "lease_released": (frozenset({"assigned", "hearing"}), "filed"),
    "lease_expired": (frozenset({"assigned", "hearing"}), "filed"),
    "lease_lost": (frozenset({"assigned", "hearing"}), "filed"),
    "seat_viewed": (frozenset({"assigned", "hearing"}), ""),
    "answered": (PENDING, ""),
    "dismissal_proposed": (frozenset({"assigned", "hearing"}), "triage"),
    "dismissal_refused": (frozenset({"triage"}), "filed"),
    "dismissed": (frozenset({"assigned", "hearing", "triage"}), "inadmissible"),
    "ruling_proposed": (frozenset({"assigned", "hearing"}), "triage"),
    "ruling_refused": (frozenset({"triage"}), "filed"),
    "withdrawn": (frozenset({"filed", "triage", "assigned", "hearing"}), "withdrawn"),
    "ruled": (frozenset({"assigned", "hearing", "triage"}), "ruled"),
    "appealed": (frozenset({"ruled", "appealed", "panel_formed"}), "appealed"),
    "replied": (APPEAL, ""),
    "panel_formed": (frozenset({"appealed"}), "panel_formed"),
    "panel_replaced": (frozenset({"panel_formed", "deliberating"}), ""),
    "voted": (frozenset({"panel_formed", "deliberating"}), "deliberating"),
    "appeal_ruled": (frozenset({"deliberating"}), "appeal_ruled"),
    "became_final": (frozenset({"ruled", "appeal_ruled"}), "final"),
    "superseded": (frozenset({"ruled", "appeal_ruled", "final"}), "superseded"),
}
TYPES: Final = tuple(_STEPS)
PROPOSALS: Final = frozenset({"dismissal_proposed", "ruling_proposed"})
# What a second referee makes of each proposal: agrees, or refuses.
_SECONDS: Final = {
    "dismissed": "dismissal_proposed",
    "dismissal_refused": "dismissal_proposed",
    "ruled": "ruling_proposed",
    "ruling_refused": "ruling_proposed",
}


class Impossible(ValueError):
    """An event that is not allowed in the present state; the message names both."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a case as plain data."""

    type: str
    actor: int = 0  # a player's id; 0 for the site


@dataclass(frozen=True, slots=True)
class CaseState:
    """The state of a case: the fold of its events."""

    state: str = NEW
    seq: int = 0  # the number of events folded so far
    heard: bool = False  # whether the other side has answered or its time is over
    holder: int = 0  # the player with the lease, or 0
    proposed: str = ""  # of PROPOSALS, in `triage`: what waits for a second referee
    proposer: int = 0  # the player who proposed it, or 0
    votes: int = 0  # how many members of the panel have voted


def may(state: CaseState, type: str) -> bool:
    """Return whether an event of `type` can follow. Permissions are checked elsewhere."""
    if type not in _STEPS or state.state not in _STEPS[type][0]:
        return False
    if state.state == "triage" and type in _SECONDS:
        return state.proposed == _SECONDS[type]
    if type == "voted":
        return state.votes < PANEL
    if type == "appeal_ruled":
        return state.votes == PANEL
    return True


def step(state: CaseState, event: Event) -> CaseState:
    """Return the state after `event`. Raises Impossible."""
    if not may(state, event.type):
        raise Impossible(f"{event.type} in state {state.state or 'new'}")
    if event.type in ("dismissed", "ruled") and state.state == "triage" and event.actor == state.proposer:
        raise Impossible("a second referee is needed")
    after = replace(state, state=_STEPS[event.type][1] or state.state, seq=state.seq + 1)
    if event.type == "appealed" and state.state == "panel_formed":
        return replace(after, state=state.state)  # the second side appeals as well, before the first vote
    if event.type == "answered":
        heard = "hearing" if after.state == "assigned" else after.state
        return replace(after, heard=True, state=heard)
    if event.type == "lease_taken":
        return replace(after, holder=event.actor, state="hearing" if state.heard else "assigned")
    if event.type in PROPOSALS:
        return replace(after, holder=0, proposed=event.type, proposer=event.actor)
    if event.type in _SECONDS:
        return replace(after, holder=0, proposed="", proposer=0)
    if event.type == "voted":
        return replace(after, votes=state.votes + 1)
    if after.state not in ("assigned", "hearing"):
        return replace(after, holder=0)
    return after


def state_after(events: Iterable[Event]) -> CaseState:
    """Return the state of a case after its events, in order. Raises Impossible at the first that cannot follow."""
    state = CaseState()
    for event in events:
        state = step(state, event)
    return state
