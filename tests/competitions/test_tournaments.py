"""Whole tournaments, from the draw to the podium."""

import pytest

from tock_league.competitions.models import Entry, Match, PairingRun, Side
from tock_league.competitions.selectors.rounds import progress as selectors

from .world import a_plan, a_tournament, play_on, under_way

pytestmark = pytest.mark.django_db


def podium(competition):
    competition.refresh_from_db()
    return [(entry.final_rank, entry.seed) for entry in competition.entries.order_by("final_rank", "seed")]


@pytest.mark.parametrize("teams", [2, 3, 4, 5, 7, 8, 11, 16])
def test_a_knockout_of_any_size_comes_to_its_podium(hand, teams):
    cup = a_tournament(teams)
    assert play_on(cup) == teams - 1 + (teams >= 4)  # each entry but the winner loses once; and third place
    cup.refresh_from_db()
    assert cup.state == "finished"
    places = podium(cup)
    assert places[: min(teams, 4)] == [(place, place) for place in range(1, min(teams, 4) + 1)]
    assert all(entry.state == "finished" for entry in cup.entries.all())


@pytest.mark.parametrize(
    ("teams", "groups", "qualify"),
    [(4, 2, 1), (5, 2, 2), (9, 3, 2), (12, 4, 2), (7, 1, 4), (6, 2, 3)],
)
def test_groups_then_knockout_come_to_the_podium(hand, teams, groups, qualify):
    cup = a_tournament(teams, plan=a_plan("groups_knockout", groups=groups, qualify=qualify))
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"
    places = podium(cup)
    assert places[:2] == [(1, 1), (2, 2)]
    assert [rank for rank, _seed in places] == sorted(rank for rank, _seed in places)
    assert len(places) == teams
    assert all(rank is not None for rank, _seed in places)


@pytest.mark.parametrize("teams", [2, 3, 4, 5, 8, 11, 16])
def test_a_swiss_of_any_size_comes_to_the_podium_and_nobody_meets_twice(hand, teams):
    rounds = min((teams + 1) // 2, 4)  # so many rounds are always possible without rematch
    cup = a_tournament(teams, plan=a_plan("swiss", rounds=rounds))
    play_on(cup)
    cup.refresh_from_db()
    assert cup.state == "finished"
    assert PairingRun.objects.filter(state="published").count() == rounds
    pairs = [tuple(sorted(match.side_rows.values_list("entry_id", flat=True))) for match in cup.matches.all()]
    assert len(set(pairs)) == len(pairs)
    byes = Side.objects.filter(stage__competition=cup, kind="pairing_bye")
    assert byes.count() == (rounds if teams % 2 else 0)
    assert len({side.entry_id for side in byes}) == byes.count()
    assert podium(cup)[0] == (1, 1)


def test_the_next_round_opens_by_itself_when_the_last_result_is_in(hand):
    cup = a_tournament(8)
    first = under_way(cup)
    assert [match.table_no for match in first] == [1, 2, 3, 4]
    play_on(cup, matches=3)
    assert under_way(cup) == first[3:]
    play_on(cup, matches=1)
    assert [match.label for match in under_way(cup)] == ["semi", "semi"]
    assert set(selectors.ranks(cup)) == {(5, entry.pk) for entry in cup.entries.filter(seed__gte=5)}


def test_tables_open_by_themselves(hand):
    cup = a_tournament(4, on_paper=False)
    assert Match.objects.filter(competition=cup, table__isnull=False).count() == 0  # two hours away
    hand.advance(hours=1, minutes=50)
    from tock_league.competitions.services.rounds import publishing

    assert publishing.open_due_tables() == 2
    assert publishing.open_due_tables() == 0
    play_on(cup, matches=2)
    final = cup.matches.get(label="final")
    assert (final.state, final.table.state) == ("called", "open")
    assert {seating.player for seating in final.table.seatings.all()} == {
        spot.player for entry in Entry.objects.filter(seed__in=(1, 2)) for spot in entry.roster.all()
    }
