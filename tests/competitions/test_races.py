"""Concurrency: real threads with their own connections, on both databases."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection

from tock_league.accounts.permissions import SITE
from tock_league.common.errors import Refused
from tock_league.competitions.models import (
    CheckIn,
    Entry,
    Match,
    PairingRun,
    ResultVersion,
    RosterSpot,
    Round,
    Side,
    Stage,
)
from tock_league.competitions.services.entries import checkin, late, registration
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.results.paper import Game
from tock_league.competitions.services.rounds import draw, placing, publishing
from tock_league.competitions.services.seasons import lifecycle

from .test_registration import players
from .world import a_plan, a_team, a_tournament, decide, play_on, stronger, under_way

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Run the works in threads that start together; return the result or error of each, refusals by their code."""
    barrier, found = threading.Barrier(len(works)), [None] * len(works)

    def run(place: int, work: Callable[[], Any]) -> None:
        barrier.wait(10)
        try:
            found[place] = work()
        except Refused as error:
            found[place] = error.code
        except Exception as error:
            found[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


def test_the_last_place_is_given_once(hand):
    cup = a_tournament(1, state="open", size=2)
    teams = [a_team("Draveurs"), a_team("Pieux")]
    answers = at_once(*(lambda team=team: registration.register(by=SITE, competition=cup, team=team) for team in teams))
    assert sorted(entry.state for entry in answers) == ["accepted", "waitlisted"]
    assert Entry.objects.filter(state="accepted").count() == 2


def test_a_player_asked_for_by_two_teams_plays_for_one(hand):
    cup = a_tournament(0, state="open")
    teams = [a_team("Draveurs"), a_team("Pieux")]
    shared = players(teams[0])[1]
    teams[1].spells.filter(slot=2).update(player=shared)
    answers = at_once(*(lambda team=team: registration.register(by=SITE, competition=cup, team=team) for team in teams))
    assert sum(isinstance(answer, Entry) for answer in answers) == 1
    assert sum(answer == "I07" or isinstance(answer, IntegrityError) for answer in answers) == 1
    assert RosterSpot.objects.filter(player=shared, left__isnull=True).count() == 1
    assert Entry.objects.count() == 1  # the other transaction left nothing behind


def test_both_partners_check_in_at_once(hand):
    cup = a_tournament(1, state="open", check_in=True)
    hand.advance(minutes=30)
    entry = cup.entries.get()
    at_once(*(lambda who=who: checkin.check_in(by=who, entry=entry, player=who) for who in players(entry.team)))
    entry.refresh_from_db()
    assert entry.state == "checked_in"
    assert CheckIn.objects.count() == 2


def test_two_desks_that_certify_different_results_at_once_leave_the_first_one(hand):
    match = under_way(a_tournament(4))[0]
    games = [[Game(0, 3)], [Game(1, 2)]]
    answers = at_once(*(lambda said=said: paper.certify(by=SITE, match=match, games=said, seen=0) for said in games))
    assert answers.count("result_stands") == 1
    assert ResultVersion.objects.filter(match=match).count() == 1


def test_two_desks_that_put_two_matches_at_one_table_put_the_first_one(hand):
    matches = under_way(a_tournament(4))
    answers = at_once(*(lambda match=match: placing.put(by=SITE, match=match, number=9) for match in matches))
    assert answers.count("table_taken") == 1
    assert Match.objects.filter(table_no=9).count() == 1


def test_two_clicks_draw_once_and_start_once(hand):
    cup = a_tournament(5, state="closed")
    answers = at_once(*[lambda: draw.draw(by=SITE, competition=cup)] * 2)
    assert answers.count("drawn") == 1
    assert Stage.objects.count() == 1
    assert Match.objects.count() == 5
    answers = at_once(*[lambda: lifecycle.advance(by=SITE, competition=cup, to="running")] * 2)
    assert answers.count("state") == 1
    assert Round.objects.filter(state="open").count() == 1


def test_the_last_two_results_of_a_round_open_the_next_one_once(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=2))
    first, second = under_way(cup)
    wins = {match.pk: stronger(match) for match in (first, second)}
    answers = at_once(*(lambda match=match: decide(match, wins[match.pk]) for match in (first, second)))
    assert all(isinstance(answer, Match) for answer in answers), answers
    assert PairingRun.objects.filter(state="published").count() == 2
    assert Round.objects.filter(number=2).count() == 1
    assert len(under_way(cup)) == 2


def test_two_beats_close_and_open_once(hand):
    cup = a_tournament(4, on_paper=False)
    hand.advance(hours=2)
    opened = at_once(*[publishing.open_due_tables] * 2)
    assert sum(opened) == 2
    play_on(cup, matches=2)
    assert cup.matches.filter(table__isnull=False).count() == 4
    late = a_tournament(3, state="open", check_in=True)
    hand.advance(hours=2)
    assert sum(at_once(*[checkin.close_due] * 2)) in (2, 3)  # the second one may find the check-in closed already
    assert {entry.state for entry in late.entries.all()} == {"dropped"}


def test_two_desks_enter_late_teams_at_once(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=3, auto=False), size=5)
    teams = [a_team("Draveurs"), a_team("Pieux")]
    shown = {team.pk: late.preview(by=SITE, competition=cup, team=team).digest for team in teams}
    works = [
        lambda team=team: late.enter_late(by=SITE, competition=cup, team=team, digest=shown[team.pk]) for team in teams
    ]
    answers = at_once(*works)
    assert sum(isinstance(answer, Entry) for answer in answers) == 1, answers
    assert "full" in answers  # the last place is given once
    assert cup.entries.filter(state="playing").count() == 5


def test_two_clicks_enter_a_late_team_once(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=3, auto=False))
    team = a_team("Draveurs")
    digest = late.preview(by=SITE, competition=cup, team=team).digest
    answers = at_once(*[lambda: late.enter_late(by=SITE, competition=cup, team=team, digest=digest)] * 2)
    assert sum(isinstance(answer, Entry) for answer in answers) == 1, answers
    assert answers.count("I06") == 1, answers
    assert Side.objects.filter(entry__team=team).count() == 1


def test_a_late_entry_during_the_pairing_is_paired_or_refused(hand):
    cup = a_tournament(4, plan=a_plan("swiss", rounds=3, auto=False))
    team, group = a_team("Draveurs"), cup.stages.get().groups.get()
    play_on(cup)
    digest = late.preview(by=SITE, competition=cup, team=team).digest
    entered, paired = at_once(
        lambda: late.enter_late(by=SITE, competition=cup, team=team, digest=digest),
        lambda: publishing.publish_next(by=SITE, group=group),
    )
    assert isinstance(paired, Round), paired
    if isinstance(entered, Entry):  # it came first: it is in the round, or rests in it
        assert Side.objects.filter(entry=entered, round=paired).count() == 1
    else:
        assert entered == "late_rounds"
        assert not Entry.objects.filter(team=team).exists()
    assert PairingRun.objects.filter(round=paired, state="published").count() == 1
