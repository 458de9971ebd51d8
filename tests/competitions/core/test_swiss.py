"""One Swiss round: the cost is minimal and independent of the order of the inputs, and refusals name what would
help."""

import random
from dataclasses import replace

import pytest

from tests.every import every
from tock_league.competitions.core import registry
from tock_league.competitions.core.contenders import contenders, inputs_of
from tock_league.competitions.core.format import FormatError, History, NeedsRelaxing, Over, Pairing, RoundPlan
from tock_league.competitions.core.lots import round_seed
from tock_league.competitions.core.matching import CRITERIA, Limits, costs, least, multipliers
from tock_league.competitions.core.scoring import MatchResult, SideResult

SWISS = registry.format_of("swiss/1")


def options(**values):
    return registry.options_of("swiss/1", values)


def result(number, winner, loser, fact="played"):
    return MatchResult(number, number, fact, (SideResult(winner, "win"), SideResult(loser, "loss")))


def history(entries, *rounds, rule=None, **more):
    """Return the history of `rounds`, each a list of pairs that the first side won; the remaining entry had the bye."""
    plans, results = [], []
    for number, pairs in enumerate(rounds, start=1):
        busy = {entry for pair in pairs for entry in pair}
        plans.append(
            RoundPlan(
                number,
                tuple(Pairing(pair) for pair in pairs),
                byes=tuple(entry for entry in entries if entry not in busy) if len(entries) % 2 else (),
            )
        )
        results += [result(number, *pair) for pair in pairs]
    return History(tuple(entries), rule or options(), tuple(plans), tuple(results), **more)


def all_matchings(places):
    """Return every way of pairing an even number of places."""
    if not places:
        yield ()
        return
    first, *rest = places
    for index, other in enumerate(rest):
        for more in all_matchings(rest[:index] + rest[index + 1 :]):
            yield ((first, other), *more)


@every("seed", range(150))
def test_the_pairing_is_the_cheapest_of_all_there_are(seed):
    dice = random.Random(seed)
    n = dice.randint(2, 8)
    entries = list(range(1, n + 1))
    past = History(
        tuple(entries),
        options(clubs=dice.choice(["off", "soft", "hard"])),
        clubs={entry: dice.randint(1, 3) for entry in entries if dice.random() < 0.5},
    )
    field = contenders(inputs_of(past, "s", {}))
    field = [replace(one, score=dice.randint(0, 6), had_bye=dice.random() < 0.3) for one in field]
    pairs = [(i, j) for i in entries for j in entries if i < j]
    limits = Limits(
        met={pair for pair in pairs if dice.random() < 0.3},
        forbidden={pair for pair in pairs if dice.random() < 0.05},
        discouraged={pair for pair in pairs if dice.random() < 0.2},
        relaxed={pair for pair in pairs if dice.random() < 0.1},
        clubs=past.options.clubs,
    )
    cost = costs(field, limits, "s")
    found = least(field, cost)
    prices = [
        tuple(map(sum, zip(*vectors, strict=True)))
        for made in all_matchings(list(range(n + n % 2)))
        if None not in (vectors := [cost(*pair) for pair in made])
    ]
    if found is None:
        assert not prices
    else:
        assert tuple(map(sum, zip(*(found.vectors[pair] for pair in found.pairs), strict=True))) == min(prices)
        assert prices.count(min(prices)) == 1, "lots make the optimum unique"


def test_the_first_round_pairs_by_the_fold_and_rests_the_last_seed():
    made = SWISS.next_round(history([1, 2, 3, 4, 5, 6, 7]), "seed")
    assert {frozenset(pairing.sides) for pairing in made.pairings} == {
        frozenset(pair) for pair in [(1, 4), (2, 5), (3, 6)]
    }
    assert made.byes == (7,)
    assert made.certificate["cost"][:-1] == [0] * 6


def test_the_second_round_pairs_equals_and_the_bye_goes_down():
    past = history([1, 2, 3, 4, 5], [(1, 3), (2, 4)])
    made = SWISS.next_round(past, "seed")
    assert made.byes[0] in (3, 4)
    scores = [tuple(pair["scores"]) for pair in made.certificate["pairs"]]
    assert scores == [(2, 2), (2, 0)] or scores == [(2, 2), (0, 2)]


def test_an_entry_that_won_without_playing_is_last_in_line_for_a_bye():
    past = history([1, 2, 3], [(1, 2)])
    past = replace(past, results=(result(1, 1, 2, fact="no_show"),))
    assert SWISS.next_round(past, "seed").byes == (2,)
    gift_for_two = replace(past, results=(result(1, 2, 1, fact="no_show"),))
    assert SWISS.next_round(gift_for_two, "seed").byes == (1,)


def test_a_match_nobody_sat_down_to_may_be_paired_again():
    past = history([1, 2], [(1, 2)], rule=options(rounds=3))
    with pytest.raises(NeedsRelaxing):
        SWISS.next_round(past, "seed")
    forfeited = replace(past, results=(result(1, 1, 2, fact="no_show"),))
    assert {*SWISS.next_round(forfeited, "seed").pairings[0].sides} == {1, 2}


def test_a_void_match_needs_no_result_and_stays_a_meeting():
    past = replace(history([1, 2, 3, 4], [(1, 2), (3, 4)]), results=(result(1, 3, 4),))
    with pytest.raises(FormatError) as refusal:
        SWISS.next_round(past, "seed")
    assert refusal.value.code == "round_unfinished"
    made = SWISS.next_round(replace(past, void=((1, 1, 2),)), "seed")
    assert frozenset((1, 2)) not in {frozenset(pairing.sides) for pairing in made.pairings}


def test_homes_go_to_the_side_with_fewer_then_to_the_one_away_last():
    past = history([1, 2, 3, 4], [(1, 2), (3, 4)])
    made = SWISS.next_round(past, "seed")
    homes = {pairing.sides for pairing in made.pairings}
    for home, away in homes:
        assert (home in (2, 4)) or {home, away} in ({1, 3}, {2, 4})


def test_a_rematch_is_offered_by_name_and_only_the_fewest():
    past = history([1, 2, 3, 4], [(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)])
    with pytest.raises(NeedsRelaxing) as needed:
        SWISS.next_round(past, "seed")
    assert needed.value.code == "needs_relaxing"
    assert len(needed.value.pairs) == 2
    made = SWISS.next_round(replace(past, relaxed=needed.value.pairs), "seed")
    assert {tuple(sorted(pairing.sides)) for pairing in made.pairings} == set(needed.value.pairs)
    assert made.certificate["cost"][0] == 2


def test_forbidden_pairs_that_leave_no_round_are_refused():
    past = history([1, 2, 3, 4], forbidden=((1, 2), (1, 3), (1, 4)))
    with pytest.raises(FormatError) as refusal:
        SWISS.next_round(past, "seed")
    assert refusal.value.code == "too_many_forbidden"


def test_nobody_has_a_second_bye_even_when_nothing_else_is_left():
    past = history([1, 2, 3], [(1, 2)], [(3, 1)], [(2, 3)], rule=options(rounds=9))
    with pytest.raises(FormatError) as refusal:
        SWISS.next_round(past, "seed")
    assert refusal.value.code == "no_bye_left"


def test_an_absent_entry_is_not_paired_and_keeps_its_score():
    past = history([1, 2, 3, 4, 5, 6], [(1, 4), (2, 5), (3, 6)], present=(1, 2, 3, 5))
    made = SWISS.next_round(past, "seed")
    assert made.absent == (4, 6)
    assert sorted(entry for pairing in made.pairings for entry in pairing.sides) == [1, 2, 3, 5]


def test_clubs_stay_apart_when_they_can_and_hard_when_they_must():
    clubs = {1: 7, 3: 7}
    soft = SWISS.next_round(history([1, 2, 3, 4], rule=options(clubs="soft"), clubs=clubs), "seed")
    assert frozenset((1, 3)) not in {frozenset(pairing.sides) for pairing in soft.pairings}
    free = SWISS.next_round(history([1, 2, 3, 4], rule=options(clubs="off"), clubs=clubs), "seed")
    assert frozenset((1, 3)) in {frozenset(pairing.sides) for pairing in free.pairings}
    with pytest.raises(FormatError):
        SWISS.next_round(history([1, 3], rule=options(clubs="hard"), clubs=clubs), "seed")


def test_the_same_facts_in_another_order_give_the_same_bytes():
    past = history([1, 2, 3, 4, 5, 6], [(1, 4), (2, 5), (3, 6)], discouraged=((1, 2), (3, 5)))
    turned = replace(past, results=past.results[::-1], discouraged=((5, 3), (2, 1)))
    assert SWISS.next_round(past, "seed").certificate == SWISS.next_round(turned, "seed").certificate


def test_new_numbers_for_the_entries_give_the_same_round_under_the_new_numbers():
    past = history([1, 2, 3, 4, 5, 6], [(1, 4), (2, 5), (3, 6)], names={n: f"e{n}" for n in range(1, 7)})
    new = {n: 100 - n for n in range(1, 7)}
    other = history(
        [new[n] for n in past.entries],
        [(new[1], new[4]), (new[2], new[5]), (new[3], new[6])],
        names={new[n]: f"e{n}" for n in range(1, 7)},
    )
    one = SWISS.next_round(past, "seed")
    two = SWISS.next_round(other, "seed")
    assert [tuple(new[entry] for entry in pairing.sides) for pairing in one.pairings] == [p.sides for p in two.pairings]


def test_the_explanation_names_for_each_side_the_best_other_opponent_and_its_price():
    made = SWISS.next_round(history([1, 2, 3, 4], [(1, 2), (3, 4)]), "seed")
    for pair in made.certificate["pairs"]:
        assert {told["entry"] for told in pair["alternatives"]} <= {pair["home"], pair["away"]}
        assert pair["alternatives"]
        for told in pair["alternatives"]:
            assert told["costs"] > [0] * len(CRITERIA)


def test_one_step_of_a_criterion_outweighs_everything_after_it():
    worst = (1, 20, 1, 1, 400, 64, 2**40 - 1)
    weights = multipliers(worst, 64)
    assert weights[-1] == 1
    for place in range(len(weights) - 1):
        later = sum(32 * most * weight for most, weight in zip(worst[place + 1 :], weights[place + 1 :], strict=True))
        assert weights[place] == later + 1


def test_the_last_round_ends_it():
    assert SWISS.next_round(history([1, 2, 3, 4], [(1, 2), (3, 4)], rule=options(rounds=1)), "s") == Over(
        "all_rounds_played"
    )


@pytest.mark.parametrize(
    "values", [{"rounds": 0}, {"rounds": True}, {"rounds": 31}, {"clubs": "maybe"}, {"order": ["lot"]},
               {"order": ["lot", "bye", "discouraged", "club", "gap", "fold", "rematch"]},
               {"order": ["rematch", "bye", "bye", "club", "gap", "fold", "lot"]},
               {"order": ["bye", "rematch", "discouraged", "club", "gap", "fold", "lot"]},
               {"order": ["rematch", "bye", "discouraged", "club", "gap", "lot", "fold"]}]
)  # fmt: skip
def test_impossible_options_are_refused(values):
    with pytest.raises(FormatError) as refusal:
        registry.options_of("swiss/1", values)
    assert refusal.value.code == "bad_options"


@pytest.mark.parametrize(("entries", "code"), [([1], "too_few_entries"), ([1, 2, 1], "entry_twice")])
def test_impossible_fields_are_refused(entries, code):
    with pytest.raises(FormatError) as refusal:
        SWISS.next_round(history(entries), "seed")
    assert refusal.value.code == code


def test_fewer_than_two_left_cannot_be_paired():
    with pytest.raises(FormatError) as refusal:
        SWISS.next_round(history([1, 2, 3], present=(2,)), "seed")
    assert refusal.value.code == "too_few_entries"


def test_the_seed_of_a_round_is_drawn_from_the_published_one():
    assert round_seed("spring-cup-7f3a", 1, 2) != round_seed("spring-cup-7f3a", 1, 3)
    assert len(round_seed("spring-cup-7f3a", 1, 2)) == 64


@pytest.mark.parametrize("rounds", [1, 30])
def test_the_least_and_the_most_rounds_are_accepted(rounds):
    assert options(rounds=rounds).rounds == rounds
