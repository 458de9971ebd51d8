"""Brackets whose losers play on: the verifier accepts those of every size from 2 to 128, and rejects broken ones."""

from dataclasses import replace

import pytest

from tests.every import every
from tock_league.competitions.core import registry
from tock_league.competitions.core.bracket import LOSS, WIN, Bracket
from tock_league.competitions.core.pairings.consolation import consolation
from tock_league.competitions.core.pairings.double_elimination import double_elimination
from tock_league.competitions.core.pairings.placement import placement
from tock_league.competitions.verifier import consolation as of_consolation
from tock_league.competitions.verifier import double_elimination as of_double
from tock_league.competitions.verifier import placement as of_placement
from tock_league.competitions.verifier.bracket import MatchRow

SIZES = range(2, 129)


def rows(made: Bracket):
    """Return the matches and edges of a bracket as the verifier reads them."""
    return (
        [MatchRow(node.number, node.round, node.seeds) for node in made.nodes],
        [(edge.source, edge.outcome, edge.target, edge.position, edge.only) for edge in made.edges],
    )


def ranks(made: Bracket):
    """Return the ranks of the outcomes that lead nowhere."""
    onward = {(edge.source, edge.outcome) for edge in made.edges}
    found = [(node.number, *pair) for node in made.nodes for pair in zip((WIN, LOSS), node.ranks, strict=True)]
    return [(number, outcome, rank) for number, outcome, rank in found if (number, outcome) not in onward]


def second(made: Bracket):
    return [node.number for node in made.nodes if node.label == "back_draw"]


@every("reset_final", [False, True])
@every("n", SIZES)
def test_a_double_elimination_of_every_size_is_accepted(n, reset_final):
    assert of_double.check(n, *rows(double_elimination(n, reset_final)), reset_final=reset_final) == ()


@every("n", SIZES)
def test_a_placement_bracket_of_every_size_is_accepted(n):
    made = placement(n)
    assert of_placement.check(n, *rows(made), ranks(made)) == ()


@every("n", SIZES[2:])
def test_a_consolation_of_every_size_is_accepted(n):
    made = consolation(n)
    assert of_consolation.check(n, *rows(made), second(made)) == ()


@every("n", SIZES)
def test_the_size_of_a_bracket_is_known_by_its_matches(n):
    for key, format in registry.formats().items():
        if format.is_bracket:
            made = registry.bracket_of(key, {}, n)
            assert registry.bracket_with(key, {}, len(made.nodes)) is made, key


def test_losers_that_come_in_at_their_own_place_meet_again_too_early():
    """Exchange the two losers of the semi-finals of eight, so that each meets the losers of its own half."""
    made = double_elimination(8)
    matches, edges = rows(made)
    dropping = [edge for edge in edges if edge[1] == LOSS and made.node(edge[0]).round == 2]
    (one, other) = dropping
    turned = [edge for edge in edges if edge not in dropping]
    turned += [(*one[:2], *other[2:]), (*other[:2], *one[2:])]
    assert {fault.code for fault in of_double.check(8, matches, turned)} == {"rematch"}


@pytest.mark.parametrize("n", [4, 6, 11, 16, 33])
def test_a_broken_double_elimination_is_rejected(n):
    matches, edges = rows(double_elimination(n))
    final = [edge for edge in edges if edge[4] is not None]
    drops = [edge for edge in edges if edge[1] == LOSS and edge[4] is None]
    broken = {
        "a match less": (matches[:-1], edges),
        "an edge less": (matches, edges[1:]),
        "a second final in any case": (matches, [(*edge[:4], None) for edge in edges]),
        "a second final for the wrong one": (
            matches,
            [(*edge[:4], 1 - edge[4]) if edge in final else edge for edge in edges],
        ),
        "a loser plays on as a winner": (
            matches,
            [
                (edge[0], WIN if edge[1] == LOSS else LOSS, *edge[2:]) if edge[0] == drops[0][0] else edge
                for edge in edges
            ],
        ),
        "a seed doubled": ([replace(matches[0], seeds=(matches[0].seeds[0],) * 2), *matches[1:]], edges),
    }
    for what, (some_matches, some_edges) in broken.items():
        assert of_double.check(n, some_matches, some_edges), what


@pytest.mark.parametrize("n", [4, 7, 16])
def test_a_broken_placement_bracket_is_rejected(n):
    made = placement(n)
    matches, edges = rows(made)
    given = ranks(made)
    turned = [(number, outcome, n + 1 - rank) for number, outcome, rank in given]
    swapped = [(source, LOSS if outcome == WIN else WIN, *rest) for source, outcome, *rest in edges]
    assert of_placement.check(n, matches, edges[1:], given)
    assert of_placement.check(n, matches, edges, [(*given[0][:2], given[1][2]), *given[1:]])
    assert {fault.code for fault in of_placement.check(n, matches, edges, turned)} == {"ranks"}
    assert of_placement.check(n, matches, swapped, given)


@pytest.mark.parametrize("n", [8, 11, 16, 20])
def test_a_broken_consolation_is_rejected(n):
    made = consolation(n)
    matches, edges = rows(made)
    assert of_consolation.check(n, matches, [(*edge[:4], None) for edge in edges], second(made)) or n in (8, 16)
    inside = second(made)
    first = next(edge for edge in edges if edge[2] in inside and edge[1] == LOSS)
    taken = [(edge[0], WIN if edge[1] == LOSS else LOSS, *edge[2:]) if edge[0] == first[0] else edge for edge in edges]
    assert of_consolation.check(n, matches, taken, inside)
    assert of_consolation.check(n, matches, edges[1:], inside)
