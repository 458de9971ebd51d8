"""The estimate of matches and time on the settings page agrees with the draw."""

import pytest

from tock_league.competitions.core.estimate import GAME_MINUTES, estimate
from tock_league.competitions.core.plan import TournamentPlan
from tock_league.competitions.models import Match, Round

from .world import a_plan, a_tournament, play_on


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("plan", "teams"),
    [
        (a_plan("knockout"), 2),
        (a_plan("knockout"), 4),
        (a_plan("knockout"), 5),
        (a_plan("knockout"), 7),
        (a_plan("knockout", third_place=False), 6),
        (a_plan("groups_knockout", groups=2, qualify=2), 6),
        (a_plan("groups_knockout", groups=2, qualify=2), 7),
        (a_plan("groups_knockout", groups=2, qualify=1, legs=2), 5),
        (a_plan("groups_knockout", groups=3, qualify=2), 9),
    ],
)
def test_matches_and_rounds_are_those_of_the_draw(plan, teams, hand):
    made = a_tournament(teams, plan=plan)
    guess = estimate(plan, teams)
    rounds = Round.objects.filter(group__stage__competition=made).values_list("group__stage", "number").distinct()
    assert guess.matches == Match.objects.filter(competition=made).count()
    assert guess.rounds == rounds.count()


@pytest.mark.django_db
def test_a_swiss_evening_has_the_estimated_number_of_matches(hand):
    plan = a_plan("swiss", rounds=3)
    made = a_tournament(5, plan=plan)
    play_on(made)
    guess = estimate(plan, 5)
    assert (guess.matches, guess.rounds, guess.at_once) == (Match.objects.filter(competition=made).count(), 3, 2)


def test_the_time_counts_every_game_and_the_pauses_between_rounds():
    plan = TournamentPlan("knockout", best_of={"group": 1, "knockout": 1, "final": 3}, pause_s=600)
    assert estimate(plan, 4).minutes == GAME_MINUTES + 10 + 3 * GAME_MINUTES


@pytest.mark.parametrize(("kind", "teams"), [("knockout", 1), ("groups_knockout", 3), ("swiss", 0)])
def test_too_few_teams_give_no_estimate(kind, teams):
    plan = TournamentPlan(kind, groups=2, qualify=2, rounds=3)
    with pytest.raises(ValueError, match=r"entries|groups"):
        estimate(plan, teams)
