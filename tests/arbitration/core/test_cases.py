"""The state machine of a case: random walks are compared with a second, independently written description."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.every import every
from tock_league.arbitration.core import cases
from tock_league.arbitration.core.cases import CaseState, Event, Impossible, may, state_after, step

# The state machine again, one line per state: state -> event -> state. It uses nothing of the code under test.
LINES = """
: filed=filed
filed: stated=filed answered=filed unanswered=filed escalated=filed deadline_passed=filed recused=filed outsider_named=filed
filed: lease_taken=assigned withdrawn=withdrawn
triage: stated=triage answered=triage unanswered=triage escalated=triage deadline_passed=triage recused=triage
triage: outsider_named=triage dismissal_refused=filed dismissed=inadmissible withdrawn=withdrawn
triage: ruling_refused=filed ruled=ruled
assigned: stated=assigned answered=hearing unanswered=assigned escalated=assigned deadline_passed=assigned recused=assigned
assigned: outsider_named=assigned lease_renewed=assigned lease_released=filed lease_expired=filed lease_lost=filed
assigned: ruling_proposed=triage
assigned: seat_viewed=assigned dismissal_proposed=triage dismissed=inadmissible withdrawn=withdrawn ruled=ruled
hearing: stated=hearing answered=hearing unanswered=hearing escalated=hearing deadline_passed=hearing recused=hearing
hearing: outsider_named=hearing lease_renewed=hearing lease_released=filed lease_expired=filed lease_lost=filed
hearing: ruling_proposed=triage
hearing: seat_viewed=hearing dismissal_proposed=triage dismissed=inadmissible withdrawn=withdrawn ruled=ruled
ruled: deadline_passed=ruled recused=ruled appealed=appealed became_final=final superseded=superseded
appealed: appealed=appealed escalated=appealed deadline_passed=appealed recused=appealed outsider_named=appealed
appealed: panel_formed=panel_formed replied=appealed
panel_formed: escalated=panel_formed deadline_passed=panel_formed recused=panel_formed outsider_named=panel_formed
panel_formed: panel_replaced=panel_formed voted=deliberating appealed=panel_formed replied=panel_formed
deliberating: escalated=deliberating deadline_passed=deliberating recused=deliberating outsider_named=deliberating
deliberating: panel_replaced=deliberating voted=deliberating appeal_ruled=appeal_ruled replied=deliberating
appeal_ruled: deadline_passed=appeal_ruled recused=appeal_ruled became_final=final superseded=superseded
final: superseded=superseded
"""
TABLE: dict[str, dict[str, str]] = {}
for line in LINES.strip().splitlines():
    state, _sep, pairs = line.partition(":")
    TABLE.setdefault(state.strip(), {}).update(pair.split("=") for pair in pairs.split())

# What a second referee may make of a proposal: sign or admit it, or refuse it.
SECONDS = {
    "dismissed": "dismissal_proposed", "dismissal_refused": "dismissal_proposed", "ruled": "ruling_proposed",
    "ruling_refused": "ruling_proposed",
}  # fmt: skip
events = st.lists(st.builds(Event, st.sampled_from(cases.TYPES), st.integers(0, 5)), max_size=50)


@given(events)
def test_no_sequence_of_events_leaves_the_reference_table(walk: list[Event]) -> None:
    state, votes, proposed = CaseState(), 0, ""
    for event in walk:
        wanted = TABLE.get(state.state, {}).get(event.type)
        if event.type == "voted" and votes >= 3:
            wanted = None
        if event.type == "appeal_ruled" and votes < 3:
            wanted = None
        if event.type in SECONDS and state.state == "triage" and proposed != SECONDS[event.type]:
            wanted = None
        if event.type in ("dismissed", "ruled") and state.state == "triage" and event.actor == state.proposer:
            wanted = None
        if wanted is None:
            with pytest.raises(Impossible):
                step(state, event)
            continue
        if event.type == "lease_taken" and state.heard:
            wanted = "hearing"
        before, state = state, step(state, event)
        votes += event.type == "voted"
        proposed = event.type if event.type.endswith("_proposed") else proposed
        assert state.state == wanted
        assert state.seq == before.seq + 1
        assert state.votes == votes
        assert (state.holder != 0) <= (state.state in ("assigned", "hearing"))


@given(events)
def test_the_fold_of_what_was_accepted_is_the_state_reached(walk: list[Event]) -> None:
    state, accepted = CaseState(), []
    for event in walk:
        try:
            state = step(state, event)
        except Impossible:
            continue
        accepted.append(event)
    assert state_after(accepted) == state


@every("state", ["", *cases.STATES])
@every("type", cases.TYPES)
def test_every_cell_of_state_and_event_agrees_with_the_reference_table(state: str, type: str) -> None:
    possible = type in TABLE.get(state, {})
    votes = 3 if type == "appeal_ruled" else 0
    proposed = SECONDS.get(type, "")
    assert may(CaseState(state=state, votes=votes, proposed=proposed), type) == possible


def test_a_closed_case_stays_closed() -> None:
    for state in ("withdrawn", "inadmissible", "superseded"):
        assert not any(may(CaseState(state=state), type) for type in cases.TYPES)


def test_the_proposer_of_a_dismissal_cannot_confirm_it() -> None:
    proposed = state_after([Event("filed", 1), Event("lease_taken", 7), Event("dismissal_proposed", 7)])
    with pytest.raises(Impossible):
        step(proposed, Event("dismissed", 7))
    assert step(proposed, Event("dismissed", 8)).state == "inadmissible"


def test_the_first_signer_of_a_ruling_cannot_sign_it_as_the_second() -> None:
    proposed = state_after([Event("filed", 1), Event("lease_taken", 7), Event("ruling_proposed", 7)])
    assert (proposed.state, proposed.proposer, proposed.holder) == ("triage", 7, 0)
    with pytest.raises(Impossible):
        step(proposed, Event("ruled", 7))
    assert step(proposed, Event("ruled", 8)).state == "ruled"
    assert step(proposed, Event("ruling_refused", 8)) == CaseState(state="filed", seq=4)


def test_a_panel_rules_when_three_have_voted_and_not_before() -> None:
    path = [Event("filed"), Event("lease_taken", 1), Event("ruled", 1), Event("appealed", 2), Event("panel_formed")]
    state = state_after(path)
    for member in (3, 4, 5):
        assert not may(state, "appeal_ruled")
        state = step(state, Event("voted", member))
    assert may(state, "appeal_ruled")
    assert not may(state, "voted")
