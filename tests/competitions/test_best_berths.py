"""The best of a rank in groups of different size, on the way into the bracket; a round robin of one evening."""

import pytest
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Refused
from tock_league.competitions.models import Match, StageInput
from tock_league.competitions.selectors.rankings import best_next
from tock_league.competitions.selectors.rounds.progress import ranks
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.rounds import draw, publishing

from .world import a_plan, a_tournament, play_on, under_way

pytestmark = pytest.mark.django_db


def in_the_bracket(cup):
    stage = cup.stages.get(ordinal=2)
    seats = Match.objects.filter(round__group__stage=stage).values_list("side_rows__entry__seed", flat=True)
    return sorted(set(seats) - {None})


def groups_over(cup):
    """Play until the bracket is there; the better seed wins."""
    while under_way(cup)[0].round.group.stage.ordinal == 1:
        play_on(cup, matches=1)


@pytest.fixture
def cup(hand):
    """Give a tournament of eleven in groups of 4, 4 and 3 that is at its quarter-finals: two of each, and two thirds."""
    made = a_tournament(11, plan=a_plan("groups_knockout", groups=3, berths=8))
    groups_over(made)
    return made


def test_the_best_thirds_take_the_places_that_are_left(cup, client):
    assert StageInput.objects.filter(stage__competition=cup, best__isnull=False, rank=3).count() == 2
    (view,) = best_next.of_tournament(cup)
    assert [row.matches for row in view.rows] == [2, 2, 2], "a match against the last of four does not count"
    assert [row.goes_on for row in view.rows] == [True, True, False]
    assert sum(bool(row.left_out) for row in view.rows) == 2
    through = [row.entry.seed for row in view.rows if row.goes_on]
    assert in_the_bracket(cup) == sorted([1, 2, 3, 4, 5, 6, *through])
    page = client.get(reverse("competitions:groups", args=[cup.slug])).content.decode()
    assert all(str(row.entry) in page for row in view.rows)
    assert page.count('id="best-1"') == 1


def test_a_place_rolls_down_until_the_bracket_is_opened(hand):
    """The rounds are started by hand, so that the bracket waits when the groups are over."""
    made = a_tournament(11, plan=a_plan("groups_knockout", groups=3, berths=8, auto=False))
    while made.stages.get(ordinal=1).groups.filter(rounds__state__in=("planned", "open")).exists():
        play_on(made)
        for group in made.stages.get(ordinal=1).groups.all():
            row = group.rounds.filter(state="planned").order_by("number").first()
            if row is not None:
                publishing.publish_next(by=SITE, group=group)
    gone = {}
    for seed in (9, 2, 1, 6):
        withdrawals.withdraw(by=SITE, entry=made.entries.get(seed=seed), reason="Malade")
        gone[seed] = in_the_bracket(made)
    # Groups: 1 6 7, then 2 5 8 11, then 3 4 9 10.
    assert [seed for seed in gone[9] if seed not in (7, 8, 10)] == [1, 2, 3, 4, 5, 6]
    assert [seed for seed in gone[2] if seed not in (7, 10, 11)] == [1, 3, 4, 5, 6, 8]
    assert len(gone[9]) == len(gone[2]) == 8
    assert gone[1] == [3, 4, 5, 6, 7, 8, 10, 11]
    assert gone[6] == [3, 4, 5, 7, 8, 10, 11], "the group of three has nobody left for place 2"
    assert made.matches.filter(round__group__stage__ordinal=2, state="awarded").count() == 1
    publishing.publish_next(by=SITE, group=made.stages.get(ordinal=2).groups.get())
    left = in_the_bracket(made)
    other = under_way(made)[0].side_rows.order_by("position")[0].entry
    withdrawals.withdraw(by=SITE, entry=other, reason="Malade")
    assert in_the_bracket(made) == left, "whoever leaves a bracket that is open is not replaced"


def test_the_field_at_the_draw_decides_how_many_go_on(hand):
    made = a_tournament(10, plan=a_plan("groups_knockout", groups=3, berths=-1))
    assert made.stages.get(ordinal=2).inputs.count() == 4
    assert made.stages.get(ordinal=2).inputs.filter(best__isnull=False).count() == 1
    play_on(made)
    made.refresh_from_db()
    assert made.state == "finished"


def test_a_round_robin_of_one_evening_ranks_everybody(hand, client):
    made = a_tournament(5, plan=a_plan("round_robin"))
    assert play_on(made) == 10
    made.refresh_from_db()
    assert made.state == "finished"
    assert [rank for rank, _entry in ranks(made)] == [1, 2, 3, 4, 5]
    page = client.get(reverse("competitions:competition", args=[made.slug])).content.decode()
    assert reverse("competitions:groups", args=[made.slug]) in page


def test_thirteen_are_too_many_for_an_evening(hand):
    made = a_tournament(13, plan=a_plan("round_robin"), state="closed")
    with pytest.raises(Refused) as refusal:
        draw.draw(by=SITE, competition=made)
    assert (refusal.value.code, refusal.value.field) == ("too_many_entries", "entries")
    assert not made.stages.exists()
