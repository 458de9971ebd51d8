"""Single elimination from the first round to the podium, and the effect of absent sides."""

import random

import pytest

from tests.every import every
from tock_league.competitions.core import registry
from tock_league.competitions.core.bracket import LOSS, WIN, seed_order, single_elimination
from tock_league.competitions.core.format import FormatError, History, Over
from tock_league.competitions.core.progression import fill, final_ranks
from tock_league.competitions.core.scoring import MatchResult, SideResult

KNOCKOUT = registry.format_of("knockout/1")
ABC = {1: 11, 2: 12, 3: 13, 4: 14}


def played(n, third_place, dice):
    """Return a bracket of `n` entries with every match decided by a coin: its matches, and the losses of each entry."""
    bracket = single_elimination(n, third_place)
    outcomes = {node.number: dice.choice([(WIN, LOSS), (LOSS, WIN)]) for node in bracket.nodes}
    return bracket, fill(bracket, {seed: 100 + seed for seed in range(1, n + 1)}, outcomes)


@every("n", range(2, 65))
def test_everybody_but_the_winner_loses_once_and_every_rank_is_given(n):
    bracket, spots = played(n, True, random.Random(n))
    third = {node.number for node in bracket.nodes if node.label == "third_place"}
    losers = [spot.loser for number, spot in spots.items() if number not in third]
    assert len(losers) == len(set(losers)) == n - 1
    ranks = final_ranks(bracket, spots)
    assert sorted(entry for _rank, entry in ranks) == list(range(101, 101 + n))
    shown = [rank for rank, _entry in ranks]
    assert shown[:2] == [1, 2]
    assert shown[2:4] == [3, 4][: n - 2]
    for rank in shown:
        assert sum(other < rank for other in shown) == rank - 1, "a shared rank leaves its places out"


def test_a_spot_tells_which_of_its_sides_is_known():
    spots = fill(single_elimination(4), ABC, {1: (WIN, LOSS)})
    assert (spots[3].sides, spots[3].known) == ((11, None), (True, False))
    spots = fill(single_elimination(4), ABC, {2: (LOSS, WIN)})
    assert (spots[3].sides, spots[3].known) == ((None, 13), (False, True))


@pytest.mark.parametrize("n", [2, 3, 5, 8, 13, 32])
def test_rounds_made_one_by_one_are_those_of_the_bracket(n):
    dice = random.Random(n)
    options = registry.options_of("knockout/1", {"third_place": True})
    bracket = single_elimination(n, True)
    history = History(tuple(range(1, n + 1)), options)
    met = set()
    while not isinstance(plan := KNOCKOUT.next_round(history, "seed"), Over):
        assert len(plan.pairings) == sum(node.round == plan.number for node in bracket.nodes)
        pairs = {frozenset(pairing.sides) for pairing in plan.pairings}
        assert not pairs & met
        met |= pairs
        results = []
        for table, pairing in enumerate(plan.pairings):
            won = dice.choice(pairing.sides)
            sides = tuple(SideResult(entry, WIN if entry == won else LOSS) for entry in pairing.sides)
            results.append(MatchResult(table, plan.number, "played", sides))
        history = History(history.entries, options, (*history.rounds, plan), (*history.results, *results))
    assert len(history.rounds) == bracket.rounds
    assert history.rounds[0].byes == tuple(range(1, 2**bracket.rounds - n + 1))


def test_a_round_is_not_made_before_the_last_one_is_decided():
    options = registry.options_of("knockout/1", {})
    first = KNOCKOUT.plan([1, 2, 3, 4], options)[0]
    with pytest.raises(FormatError) as refusal:
        KNOCKOUT.next_round(History((1, 2, 3, 4), options, (first,)), "seed")
    assert refusal.value.code == "round_unfinished"


def test_the_usual_draw_of_eight():
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    bracket = single_elimination(8, third_place=True)
    assert [node.label for node in bracket.nodes] == ["quarter"] * 4 + ["semi"] * 2 + ["final", "third_place"]
    assert [(node.round, node.place) for node in bracket.nodes[-2:]] == [(3, 1), (3, 2)]


def test_three_entries_need_no_match_for_third_place():
    assert [node.label for node in single_elimination(3, third_place=True).nodes] == ["semi", "final"]


def test_the_winner_of_an_empty_side_walks_over():
    """Both sides of one semi-final are absent: the other finalist has no opponent, and the match for third place has
    one side."""
    bracket = single_elimination(4, third_place=True)
    spots = fill(bracket, ABC, {1: (LOSS, LOSS), 2: (WIN, LOSS)})
    assert (spots[3].state, spots[3].winner) == ("walkover", 12)
    assert (spots[4].state, spots[4].winner) == ("walkover", 13)
    assert final_ranks(bracket, spots) == ((1, 12), (3, 13), (4, 11), (4, 14))


def test_nobody_at_all_leaves_an_empty_final():
    bracket = single_elimination(4)
    spots = fill(bracket, ABC, {1: (LOSS, LOSS), 2: (LOSS, LOSS)})
    assert spots[3].state == "empty"
    assert final_ranks(bracket, spots) == ((3, 11), (3, 14), (3, 12), (3, 13))


def test_an_entry_that_left_gives_way_but_decided_matches_stand():
    bracket = single_elimination(4)
    spots = fill(bracket, ABC, {1: (WIN, LOSS)}, out={11, 12})
    assert spots[1].winner == 11
    assert (spots[2].state, spots[2].winner) == ("walkover", 13)
    assert (spots[3].state, spots[3].winner) == ("walkover", 13)


def test_places_that_the_groups_have_not_filled_wait():
    spots = fill(single_elimination(4), {1: 11, 4: 14}, {})
    assert [spots[number].state for number in (1, 2, 3)] == ["ready", "waiting", "waiting"]
    assert spots[2].known == (False, False)


def test_a_place_left_empty_is_a_bye():
    spots = fill(single_elimination(4), {**ABC, 4: None}, {})
    assert (spots[1].state, spots[1].winner) == ("walkover", 11)


@pytest.mark.parametrize("outcome", [("tie", "tie"), (WIN, WIN)])
def test_a_knockout_match_sends_one_entry_on(outcome):
    with pytest.raises(ValueError, match="sends one entry on"):
        fill(single_elimination(2), {1: 1, 2: 2}, {1: outcome})


def test_a_match_whose_sides_are_not_known_has_no_outcome():
    with pytest.raises(ValueError, match="not known"):
        fill(single_elimination(4), ABC, {3: (WIN, LOSS)})


@pytest.mark.parametrize(
    ("entries", "code"), [([1], "too_few_entries"), ([], "too_few_entries"), ([1, 1], "entry_twice")]
)
def test_impossible_fields_are_refused(entries, code):
    with pytest.raises(FormatError) as refusal:
        KNOCKOUT.plan(entries, registry.options_of("knockout/1", {}))
    assert refusal.value.code == code


def test_the_third_place_is_true_or_false():
    with pytest.raises(FormatError):
        registry.options_of("knockout/1", {"third_place": "yes"})
