"""Making a season, a league, its entries and its calendar; refusals name field and rule and write nothing."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.clubs import services as clubs
from tock_league.common.errors import Conflict, NotAllowed, Refused
from tock_league.competitions.forms import EntryForm
from tock_league.competitions.models import Competition, Entry, Match, RosterSpot, Season, Side, Stage
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.rounds import calendar, schedule
from tock_league.competitions.services.seasons import creation, lifecycle, regulations
from tock_league.journal.models import JournalEntry

from .world import FIRST_ROUND, a_club, a_league, a_player, a_season, a_team

pytestmark = pytest.mark.django_db


def refusal(field, code, call, /, **arguments):
    with pytest.raises(Refused) as error:
        call(**arguments)
    assert (error.value.field, error.value.code) == (field, code), error.value.body()
    return str(error.value.sentence)


def test_an_organiser_makes_a_season_and_a_player_does_not():
    organiser, player = a_player("Gaston Pronovost"), a_player()
    give_role(player=organiser, name="organiser", by=SITE)
    days = {"starts_on": date(2026, 9, 1), "ends_on": date(2026, 12, 20)}
    assert creation.create_season(by=organiser, name="Automne 2026", **days).slug == "automne-2026"
    for person in (player, None):
        with pytest.raises(NotAllowed) as error:
            creation.create_season(by=person, name="Hiver 2027", **days)
        assert error.value.details == {"needed": "organiser"}
    assert Season.objects.count() == 1


def test_the_officers_of_a_club_make_a_season_for_its_own_leagues(roles, club, hand):
    client = roles("officer")
    officer = Player.objects.get(user__email="officer@example.org")
    assert reverse("competitions:new_season") in client.get(reverse("competitions:list")).content.decode()
    days = {"starts_on": "2026-09-01", "ends_on": "2026-12-20"}
    form = {"name": "Automne 2026", "club": club.pk, **days}
    assert client.post(reverse("competitions:new_season"), form).url == reverse("competitions:new")
    season = Season.objects.get()
    assert season.club == club
    again = client.post(reverse("competitions:new_season"), form)
    assert list(again.context["form"].errors) == ["name"]
    foreign = a_club("Les Pieux", town="Grand-Mère")
    for other in (foreign.pk, ""):  # of another club, or of the whole site
        answer = client.post(reverse("competitions:new_season"), form | {"name": "Hiver", "club": other})
        assert list(answer.context["form"].errors) == ["club"]
    dates = {"starts_on": date(2026, 9, 1), "ends_on": date(2026, 12, 20)}
    for other in (foreign, None):
        with pytest.raises(NotAllowed):
            creation.create_season(by=officer, name="Hiver", club=other, **dates)
    theirs = creation.create_season(by=SITE, name="Automne 2026", club=foreign, **dates)
    assert creation.create_season(by=SITE, name="Automne 2026", **dates) != theirs
    offered = client.get(reverse("competitions:new")).context["form"].fields["season"].queryset
    assert set(offered) == {season, Season.objects.get(club=None)}
    rules = regulations.freeze(code="league")
    league = {"name": "Ligue", "size": 4, "regulations": rules, "club": club}
    assert creation.create_league(by=officer, season=season, **league).division.season == season
    refusal("season", "season_of_club", creation.create_league, by=officer, season=theirs, **league)


def test_a_season_that_ends_before_it_starts_is_refused_by_field():
    days = {"starts_on": date(2026, 9, 2), "ends_on": date(2026, 9, 1)}
    refusal("ends_on", "season_ends_after_start", creation.create_season, by=SITE, name="Automne 2026", **days)
    assert not Season.objects.exists()


def test_two_competitions_of_one_name_get_two_addresses():
    season, rules = a_season(), regulations.freeze(code="league")
    made = [
        creation.create_league(by=SITE, season=season, name="Ligue", size=4, regulations=rules, division_name=name)
        for name in ("1", "2")
    ]
    assert made[0].slug == "ligue"
    assert made[1].slug.startswith("ligue-")
    assert len({league.lots_seed for league in made}) == 2


def test_only_the_site_chooses_the_seed_for_the_lots():
    organiser = a_player()
    give_role(player=organiser, name="organiser", by=SITE)
    wanted = {"season": a_season(), "size": 4, "regulations": regulations.freeze(code="league"), "lots_seed": "mine"}
    assert creation.create_league(by=organiser, name="Ligue A", **wanted).lots_seed != "mine"
    assert creation.create_league(by=SITE, name="Ligue B", division_name="2", **wanted).lots_seed == "mine"


@pytest.mark.parametrize(
    ("values", "field", "code"),
    [
        ({"rules": "tractor/9"}, "rules", "unknown_rules"),
        ({"touch": False}, "touch", "free_touch"),
        ({"rules": "tock/1", "rounds": 3}, "rounds", "no_rounds"),
        ({"rules": "tractor/1", "rounds": -1}, "rounds", "rounds"),
        ({"rules": "tractor/1", "rounds": 51}, "rounds", "rounds"),
        ({"rules": "tractor/1", "seats": 6}, "seats", "no_such_table"),
        ({"best_of": 2}, "best_of", "best_of_even"),
        ({"best_of": 11}, "best_of", "best_of_even"),
        ({"tiebreaks": ["goals"]}, "tiebreaks", "unknown_tiebreak"),
        ({"tiebreaks": ["wins", "wins"]}, "tiebreaks", "unknown_tiebreak"),
        ({"clocks": {"bank_s": 0}}, "clocks", "clocks"),
    ],
)
def test_regulations_with_impossible_settings_are_refused(values, field, code):
    refusal(field, code, regulations.freeze, code="x", **values)


def test_the_same_settings_are_one_row_and_a_change_is_the_next_version():
    first = regulations.freeze(code="league")
    assert regulations.freeze(code="league") == first
    second = regulations.freeze(code="league", best_of=3)
    assert (first.version, second.version) == (1, 2)


def test_an_entry_takes_the_teams_two_players_captain_first():
    league = a_league(0, state="draft", size=4)
    team = a_team("Draveurs")
    entry = entering.enter_team(by=SITE, competition=league, team=team)
    spots = [(spot.slot, spot.player.display_name) for spot in entry.roster.order_by("slot")]
    assert spots == [(1, "Draveurs A"), (2, "Draveurs B")]


def test_a_player_of_another_roster_is_refused_by_name_and_nothing_is_written():
    league = a_league(0, state="draft", size=4)
    shared = a_player("Lea Roy")
    first = clubs.form_team(by=SITE, name="Les Pieux", players=[shared, a_player("B B")])
    second = clubs.form_team(by=SITE, name="Draveurs", players=[a_player("C C"), shared])
    entering.enter_team(by=SITE, competition=league, team=first)
    said = refusal("team", "I07", entering.enter_team, by=SITE, competition=league, team=second)
    assert "Lea Roy" in said
    assert "Les Pieux" in said
    assert Entry.objects.count() == 1
    assert RosterSpot.objects.count() == 2
    entering.take_out(by=SITE, entry=Entry.objects.get())
    entering.enter_team(by=SITE, competition=league, team=second)


def test_a_team_that_withdrew_may_enter_again_before_the_start():
    league = a_league(0, state="draft", size=4)
    first, second = a_team("Draveurs"), a_team("Les Pieux")
    entry = entering.enter_team(by=SITE, competition=league, team=first)
    entering.enter_team(by=SITE, competition=league, team=second)
    entering.take_out(by=SITE, entry=entry)
    assert first in EntryForm(competition=league).fields["team"].queryset
    again = entering.enter_team(by=SITE, competition=league, team=first)
    assert (again.pk, again.state, again.seed) == (entry.pk, "accepted", 3)
    assert again.roster.filter(left__isnull=True).count() == 2
    assert first not in EntryForm(competition=league).fields["team"].queryset


def test_a_team_enters_once_and_a_full_division_takes_nobody():
    league = a_league(1, state="draft", size=2)
    team = league.entries.get().team
    refusal("team", "I06", entering.enter_team, by=SITE, competition=league, team=team)
    entering.enter_team(by=SITE, competition=league, team=a_team("Draveurs"))
    refusal("team", "division_full", entering.enter_team, by=SITE, competition=league, team=a_team("Vieux Pieux"))


def test_the_captain_enters_while_entries_are_open_and_others_never():
    league = a_league(0, state="draft", size=4)
    team = a_team("Draveurs")
    captain, partner = [spell.player for spell in team.spells.order_by("slot")]
    with pytest.raises(Conflict) as early:
        entering.enter_team(by=captain, competition=league, team=team)
    assert early.value.status == 409
    lifecycle.run_through(by=SITE, competition=league, to="open")
    for person in (partner, a_player(), None):
        with pytest.raises(NotAllowed):
            entering.enter_team(by=person, competition=league, team=team)
    assert entering.enter_team(by=captain, competition=league, team=team).seed == 1


def test_a_double_round_robin_is_dated_and_everybody_is_home_as_often_as_away(league):
    assert league.matches.count() == 12
    homes = [Side.objects.filter(entry=entry, position=0).count() for entry in league.entries.all()]
    assert homes == [3, 3, 3, 3]
    ordered = {
        tuple(match.side_rows.order_by("position").values_list("entry", flat=True)) for match in league.matches.all()
    }
    assert len(ordered) == 12
    assert set(league.matches.values_list("state", flat=True)) == {"scheduled"}
    assert league.matches.filter(round__number=6).first().starts_at == FIRST_ROUND + timedelta(days=35)


def test_an_odd_league_rests_one_entry_a_round_without_points(hand):
    league = a_league(3, legs=1)
    assert league.matches.count() == 3
    assert sorted(Side.objects.filter(kind="rest").values_list("round__number", flat=True)) == [1, 2, 3]


def test_rounds_keep_their_hour_when_the_clocks_change():
    times = calendar.weekly(first=datetime(2026, 10, 28, 19), zone="America/Toronto", rounds=2)
    assert [at.hour for at in times] == [23, 0]


def test_an_hour_that_the_clocks_skip_is_refused():
    first = datetime(2027, 3, 7, 2, 30)
    refusal("first", "no_such_hour", calendar.weekly, first=first, zone="America/Toronto", rounds=2)


@pytest.mark.parametrize(
    ("times", "code"),
    [
        ([FIRST_ROUND], "rounds"),
        ([FIRST_ROUND - timedelta(days=3), None], "in_the_past"),
        ([FIRST_ROUND, datetime(2027, 1, 6, tzinfo=UTC)], "outside_season"),
    ],
)
def test_dates_nobody_can_play_on_are_refused_and_no_match_is_written(hand, times, code):
    league = a_league(2, state="draft")
    refusal("times", code, calendar.make_calendar, by=SITE, competition=league, times=times)
    assert not Stage.objects.exists()
    assert not Match.objects.exists()


def test_a_calendar_is_made_once_and_discarded_only_before_the_start(hand):
    league = a_league(2, state="published")
    with pytest.raises(Conflict):
        calendar.make_calendar(by=SITE, competition=league, times=[None, None])
    calendar.discard_calendar(by=SITE, competition=league)
    assert not Match.objects.exists()
    calendar.make_calendar(by=SITE, competition=league, times=[None, None])
    assert set(Match.objects.values_list("state", flat=True)) == {"ready"}
    lifecycle.run_through(by=SITE, competition=league, to="running")
    with pytest.raises(Conflict):
        calendar.discard_calendar(by=SITE, competition=league)


@pytest.mark.parametrize(("teams", "calendar", "code"), [(1, False, "too_few_entries"), (2, False, "no_calendar")])
def test_a_league_does_not_start_unready(hand, teams, calendar, code):
    league = a_league(teams, state="draft")
    with pytest.raises(Refused) as error:
        lifecycle.run_through(by=SITE, competition=league, to="running")
    assert error.value.code == code
    league.refresh_from_db()
    assert league.state == "draft"


STATES = list(Competition.State)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("to", STATES)
def test_every_transition_is_listed_or_answers_409_with_the_allowed_ones(state, to, db):
    league = a_league(0, state="draft", size=4)
    Competition.objects.filter(pk=league.pk).update(state=state)
    allowed = lifecycle.TRANSITIONS[state]
    if to in allowed and to != "running":
        moved = lifecycle.advance(by=SITE, competition=league, to=to, reason="parce que")
        assert moved.state == to
    else:
        with pytest.raises(Refused) as error:
            lifecycle.advance(by=SITE, competition=league, to=to, reason="parce que")
        assert error.value.status == (422 if to in allowed else 409)
        if to not in allowed:
            assert error.value.details == {"state": state, "allowed": list(allowed)}
        league.refresh_from_db()
        assert league.state == state


def test_cancelling_needs_a_public_reason():
    league = a_league(0, state="draft", size=4)
    refusal("reason", "reason_missing", lifecycle.advance, by=SITE, competition=league, to="cancelled")


def test_a_match_moves_within_the_season_by_the_organiser_only(league, hand):
    club = a_club()
    Competition.objects.filter(pk=league.pk).update(club=club)
    officer, stranger = a_player("Gaston Pronovost"), a_player()
    clubs.join(by=SITE, club=club, player=officer)
    clubs.give_role(by=SITE, club=club, player=officer, name="organiser")
    match = league.matches.first()
    later = match.starts_at + timedelta(days=2)
    for person in (stranger, None):
        with pytest.raises(NotAllowed):
            schedule.move(by=person, match=match, starts_at=later)
    assert schedule.move(by=officer, match=match, starts_at=later).starts_at == later
    refusal(
        "starts_at", "in_the_past", schedule.move, by=officer, match=match, starts_at=FIRST_ROUND - timedelta(days=9)
    )
    before = JournalEntry.objects.count()
    schedule.move(by=officer, match=match, starts_at=later)  # a double click
    assert JournalEntry.objects.count() == before
    outside = datetime(2027, 2, 1, tzinfo=UTC)
    refusal("starts_at", "outside_season", schedule.move, by=officer, match=match, starts_at=outside)
    match.refresh_from_db()
    assert match.starts_at == later
