"""A double elimination as it is played: the second final, double forfeits, and rulings that turn a result in both brackets."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.competitions.core.effective import EffectPlan
from tock_league.competitions.selectors.results.effective import effective_of
from tock_league.competitions.selectors.rounds.progress import ranks
from tock_league.competitions.services.results import rulings, settlement

from .world import a_plan, a_tournament, decide, play_on, under_way

pytestmark = pytest.mark.django_db


def seeds(match):
    return list(match.side_rows.order_by("position").values_list("entry__seed", flat=True))


def of(cup, label, number=0):
    return cup.matches.get(label=label, label_no=number)


def order(cup):
    by_pk = dict(cup.entries.values_list("pk", "seed"))
    return [(rank, by_pk[entry]) for rank, entry in ranks(cup)]


@pytest.fixture
def four(hand):
    """Give a double elimination of four before its final; the better seed has won every match."""
    made = a_tournament(4, plan=a_plan("double_elimination"))
    play_on(made, matches=5)
    return made


def test_the_second_final_is_not_needed_if_the_winner_of_the_winners_bracket_wins(four):
    final, again = of(four, "final"), of(four, "reset")
    assert seeds(final) == [1, 2]
    decide(final, 0)
    again.refresh_from_db()
    four.refresh_from_db()
    assert (again.state, effective_of(again).fact, seeds(again)) == ("awarded", "unneeded", [None, None])
    assert four.state == "finished"
    assert order(four) == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_the_second_final_opens_if_the_other_finalist_wins(four):
    decide(of(four, "final"), 1)
    (again,) = under_way(four)
    assert (again.label, seeds(again)) == ("reset", [2, 1])
    decide(again, 1)
    four.refresh_from_db()
    assert four.state == "finished"
    assert order(four)[:2] == [(1, 1), (2, 2)]


def test_a_ruling_on_the_final_opens_the_second_one_and_taking_it_back_closes_it(four):
    final = of(four, "final")
    decide(final, 0)
    effects = [EffectPlan("result", final.pk, position=1)]
    made = rulings.apply(competition=four, ruling="TL-2026-000001/1", effects=effects)
    again = of(four, "reset")
    four.refresh_from_db()
    assert (four.state, again.state, seeds(again)) == ("running", "called", [2, 1])
    rulings.apply(competition=four, ruling="TL-2026-000001/2", effects=[], lifts=made.effects)
    four.refresh_from_db()
    again = of(four, "reset")
    assert (four.state, again.state, seeds(again)) == ("finished", "awarded", [None, None])
    assert order(four)[:2] == [(1, 1), (2, 2)]


def test_a_ruling_on_the_first_round_moves_the_loser_too_and_plays_again_what_has_begun(hand):
    """Both matches that follow from the first one have been played when its result turns by its winner's own error."""
    cup = a_tournament(4, plan=a_plan("double_elimination"))
    first = under_way(cup)[0]
    assert seeds(first) == [1, 4]
    play_on(cup, matches=4)
    upper, lower = of(cup, "winners"), of(cup, "losers", 1)
    assert (seeds(upper), seeds(lower)) == ([1, 2], [4, 3])
    effects = [EffectPlan("result", first.pk, position=1, fault="own")]
    rulings.apply(competition=cup, ruling="TL-2026-000001/1", effects=effects)
    upper, lower = of(cup, "winners"), of(cup, "losers", 1)
    assert (seeds(upper), seeds(lower)) == ([4, 2], [1, 3])
    assert {match.pk for match in under_way(cup)} == {upper.pk, lower.pk}
    play_on(cup)
    assert order(cup) == [(1, 1), (2, 2), (3, 4), (4, 3)]


def test_after_a_double_forfeit_both_are_out_and_their_place_is_a_bye(hand):
    cup = a_tournament(4, plan=a_plan("double_elimination"))
    settlement.award(by=SITE, match=under_way(cup)[0], winner=None, reason="Personne")
    play_on(cup)
    cup.refresh_from_db()
    below, above = of(cup, "losers", 1), of(cup, "winners")
    assert (effective_of(below).fact, effective_of(above).fact) == ("bye", "walkover")
    assert cup.state == "finished"
    found = order(cup)
    assert [rank for rank, _seed in found] == [1, 2, 4, 4]
    assert {seed for rank, seed in found if rank == 4} == {1, 4}
