"""Teams that the desk enters into a group after the start, and takes back."""

import pytest

from tock_league.accounts.permissions import SITE
from tock_league.common import canonical, clock
from tock_league.common.errors import Conflict
from tock_league.competitions.models import LateEntry
from tock_league.competitions.selectors.rankings import standings
from tock_league.competitions.services.entries import late, withdrawals

from .late_world import entered, grouped, meetings, next_round, refusal, taken_back
from .onlooker import changed, seen, told
from .world import a_plan, a_team, a_tournament, play_on, under_way

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("teams", "legs", "rounds"),
    # Group A has 2 to 5 teams: its rounds with one team more, the first of which it has missed.
    [(4, 1, 3), (6, 1, 4), (8, 1, 5), (10, 1, 6), (6, 2, 7), (8, 2, 10)],
)
def test_a_late_team_meets_everybody_of_its_group_and_no_round_is_longer_than_it_must_be(hand, teams, legs, rounds):
    cup = grouped(teams, legs=legs)
    first = meetings(cup)[1]
    entry = entered(cup, group=1)
    rows = meetings(cup)
    assert rows[1] == first  # the round that was called stays
    assert len(rows) == rounds
    own = [match for match in cup.matches.filter(side_rows__entry=entry)]
    assert len(own) == legs * teams // 2
    members = {seed for round_ in rows.values() for pair in round_ for seed in pair}
    assert len(members) == teams // 2 + 1
    for number, pairs in rows.items():
        busy = [seed for pair in pairs for seed in pair]
        assert len(busy) == len(set(busy))
        if number > 1:
            rests = (
                cup.stages.get(ordinal=1).groups.get(ordinal=1).rounds.get(number=number).side_rows.filter(kind="rest")
            )
            assert {side.entry.seed for side in rests} == members - set(busy)
    assert not entry.side_rows.filter(kind__in=("absence", "requested_bye")).exists()  # nothing is scored without play


def test_a_group_with_a_late_team_is_played_to_the_end(hand):
    cup = a_tournament(8, plan=a_plan("groups_knockout", groups=2, qualify=2))
    entry = entered(cup, group=2)
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"
    entry.refresh_from_db()
    assert entry.final_rank is not None
    table = standings.group_tables(cup)[1][1]
    assert sorted(line.row.played for line in table) == [4] * 5


def test_it_joins_the_smallest_group_or_the_one_that_the_desk_chooses(hand):
    cup = grouped(7)  # 3 and 4
    assert entered(cup).late.group.ordinal == 1
    assert entered(cup, a_team("Autres"), group=1).late.group.ordinal == 1
    assert entered(cup, a_team("Encore")).late.group.ordinal == 2
    assert refusal(cup, a_team("Nulle part"), group=3) == ("group", "group")


def test_a_group_takes_late_teams_until_it_has_played_as_many_rounds_as_they_may_miss(hand):
    cup = grouped(8)
    play_on(cup)
    next_round(cup, 1)
    team = a_team("Retardataires")
    assert refusal(cup, team, group=1) == ("late_rounds", "group")
    assert entered(cup, team).late.group.ordinal == 2


def test_a_group_that_is_over_takes_nobody(hand):
    cup = grouped(4, late_rounds=5)  # two teams in each group: one round
    play_on(cup)
    assert refusal(cup, a_team("Retardataires")) == ("late_over", "team")


def test_taking_it_back_restores_the_schedule(hand):
    for teams, group in ((8, 1), (6, 2), (10, 1)):
        cup = grouped(teams)
        before, slugs = seen(cup), list(cup.matches.order_by("pk").values_list("slug", "round", "number"))
        one = entered(cup, a_team("Retardataires"), group=group)
        two = entered(cup, a_team("Autres"), group=group)
        with pytest.raises(Conflict) as error:
            late.preview_take_back(by=SITE, entry=one)
        assert error.value.code == "paired"
        taken_back(two)
        taken_back(one)
        assert changed(before, seen(cup)) == {}
        assert list(cup.matches.order_by("pk").values_list("slug", "round", "number")) == slugs
        assert not LateEntry.objects.filter(group__stage__competition=cup).exists()
        rests = cup.stages.get(ordinal=1).groups.get(ordinal=group).rounds.filter(side_rows__kind="rest")
        assert rests.count() == (0 if teams != 6 and teams != 10 else teams // 2)


def test_a_group_preview_is_what_an_onlooker_sees(hand):
    cup = grouped(8)
    team, before = a_team("Retardataires"), seen(cup)
    shown = late.preview(by=SITE, competition=cup, team=team)
    late.enter_late(by=SITE, competition=cup, team=team, digest=shown.digest)
    assert canonical.utf8(changed(before, seen(cup))) == canonical.utf8(told(shown.facts, clock.now()))


def test_it_is_not_taken_back_once_a_round_has_begun_with_it(hand):
    cup = grouped(8)
    entry = entered(cup, group=1)
    play_on(cup)
    next_round(cup, 1)
    with pytest.raises(Conflict) as error:
        late.preview_take_back(by=SITE, entry=entry)
    assert error.value.code == "paired"


@pytest.mark.parametrize("played", [False, True])
def test_against_a_team_that_has_left_it_wins_only_where_that_teams_results_stand(hand, played):
    cup = grouped(6, late_rounds=1)  # three teams in each group: two matches each
    leaver = next(match for match in under_way(cup) if match.round.group.ordinal == 1).side_rows.get(position=0).entry
    if played:
        play_on(cup)
    withdrawals.withdraw(by=SITE, entry=leaver, reason="Grippe")
    entry = entered(cup, group=1)
    against = cup.matches.filter(side_rows__entry=entry).filter(side_rows__entry=leaver)
    assert against.count() == (1 if played else 0)
    if played:
        assert against.get().state == "awarded"
    assert cup.matches.filter(side_rows__entry=entry).count() == (3 if played else 2)
