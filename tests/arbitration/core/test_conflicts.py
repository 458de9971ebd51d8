"""Conflicts of interest as pure functions of facts, and the choice of a panel."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tock_league.arbitration.core.conflicts import GROUNDS, Facts, grounds, panel
from tock_league.competitions.core.neutrality import of_some_sides_only

FREE = Facts(
    referee=9,
    sides=(frozenset({1, 2}), frozenset({3, 4})),
    referee_clubs=frozenset({50}),
    side_clubs=(frozenset({10}), frozenset({20})),
)


def test_a_stranger_to_both_sides_is_free() -> None:
    assert grounds(FREE) == ()


@pytest.mark.parametrize(
    ("ground", "fact"),
    [
        ("recused", {"recused": True}),
        ("party", {"referee": 3}),
        ("author", {"authors": frozenset({9})}),
        ("club", {"referee_clubs": frozenset({10, 50})}),
        ("family", {"family": frozenset({4})}),
        ("partner", {"partners": frozenset({1})}),
        ("affected", {"affected": frozenset({9, 8})}),
        ("final", {"final_opponents": frozenset({2})}),
        ("open_case", {"opposed": frozenset({3})}),
    ],
)
def test_each_fact_gives_exactly_one_ground(ground: str, fact: dict[str, object]) -> None:
    assert grounds(replace(FREE, **fact)) == (ground,)  # type: ignore[arg-type]


def test_every_ground_is_detected() -> None:
    everything = replace(
        FREE,
        referee=3,
        referee_clubs=frozenset({20}),
        affected=frozenset({3}),
        partners=frozenset({1}),
        family=frozenset({2}),
        final_opponents=frozenset({1}),
        authors=frozenset({3}),
        opposed=frozenset({2}),
        recused=True,
    )
    assert grounds(everything) == GROUNDS


def test_a_clubmate_of_both_sides_has_no_conflict() -> None:
    assert not of_some_sides_only(frozenset({10}), [frozenset({10}), frozenset({10, 30})])
    assert not of_some_sides_only(frozenset({99}), [frozenset({10}), frozenset({20})])
    assert of_some_sides_only(frozenset({10, 20}), [frozenset({10}), frozenset({30})])
    assert not of_some_sides_only(frozenset({10, 20}), [frozenset({10}), frozenset({20})])


@given(
    st.lists(st.tuples(st.integers(1, 40), st.frozensets(st.integers(1, 5), max_size=2)), unique_by=lambda one: one[0])
)
def test_a_panel_has_three_and_its_reserves_are_others(people: list[tuple[int, frozenset[int]]]) -> None:
    chosen = panel(people)
    assert len(chosen) == min(len(people), 5)
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) <= {one for one, _clubs in people}


def test_three_clubs_sit_on_a_panel_where_that_can_be() -> None:
    people = [(1, frozenset({1})), (2, frozenset({1})), (3, frozenset({2})), (4, frozenset({2})), (5, frozenset({3}))]
    assert panel(people) == [1, 3, 5, 2, 4]
    assert panel(people[:2]) == [1, 2]
