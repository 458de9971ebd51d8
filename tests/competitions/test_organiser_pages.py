"""The organiser's pages of a league: its forms with their errors, a club night, a moved match."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.competitions.models import Competition, Entry, Match, Season
from tock_league.competitions.services.entries import withdrawals
from tock_league.competitions.services.rounds import schedule
from tock_league.competitions.services.seasons import lifecycle

from .conftest import BACKEND
from .world import (
    FIRST_ROUND,
    a_league,
    a_player,
    a_team,
    first_match,
)

pytestmark = pytest.mark.django_db


def test_an_organiser_makes_a_season_a_league_its_calendar_and_starts_it(roles, club, hand):
    client = roles("organiser")
    season = {"name": "Automne 2026", "starts_on": "2026-09-01", "ends_on": "2026-12-20"}
    assert client.post(reverse("competitions:new_season"), season).url == "/competitions/new/"
    form = {"name": "Ligue du mercredi", "season": Season.objects.get().pk, "division": "1", "size": 4, "club": club.pk}
    answer = client.post(reverse("competitions:new"), {**form, "rules": "shawinigan/1:4", "best_of": 1, "clocks": "on"})
    assert answer.url == "/competitions/ligue-du-mercredi/organise/"
    league = Competition.objects.get()
    for name in ("Draveurs", "Vieux Pieux", "As de la rue"):
        team = a_team(name, club=club)
        assert client.post(reverse("competitions:enter", args=[league.slug]), {"team": team.pk}).status_code == 302
    calendar = {"first": "2026-09-02T19:00", "days": 7, "legs": 2}
    made = client.post(reverse("competitions:make_calendar", args=[league.slug]), calendar)
    assert made.url == f"/competitions/{league.slug}/matches/"
    assert league.matches.count() == 6
    assert first_match(league).starts_at == FIRST_ROUND
    for state in ("published", "open", "closed", "running"):
        client.post(reverse("competitions:set_state", args=[league.slug]), {"to": state})
    league.refresh_from_db()
    assert league.state == "running"
    page = client.get(reverse("competitions:matches", args=[league.slug])).content.decode()
    assert "Draveurs" in page


def test_refusals_come_back_on_the_page_with_field_and_rule(roles, club, hand):
    league = a_league(1, state="draft", club=club, size=2)
    client = roles("organiser")
    taken = league.entries.get().roster.first().player
    team = clubs.form_team(by=SITE, name="Les Pieux", players=[taken, a_player("Lea Roy")], club=club)
    answer = client.post(reverse("competitions:enter", args=[league.slug]), {"team": team.pk})
    assert answer.status_code == 422
    assert taken.display_name in str(answer.context["entry_form"].errors["team"])
    assert Entry.objects.count() == 1
    missing = client.post(reverse("competitions:enter", args=[league.slug]), {"team": 99999})
    assert "team" in missing.context["entry_form"].errors
    alone = client.post(
        reverse("competitions:make_calendar", args=[league.slug]), {"first": "2026-09-02T19:00", "days": 7, "legs": 2}
    )
    assert alone.status_code == 422
    early = client.post(reverse("competitions:set_state", args=[league.slug]), {"to": "running"})
    assert early.status_code == 422
    assert early.context["state_form"].non_field_errors()
    unknown = client.post(reverse("competitions:set_state", args=[league.slug]), {"to": "paused"})
    assert "to" in unknown.context["state_form"].errors


def test_the_end_of_a_league_names_the_matches_without_a_result_and_waits_for_them(roles, club, hand):
    league = a_league(4, club=club)
    client = roles("organiser")
    page = client.get(reverse("competitions:organise", args=[league.slug]))
    body = page.content.decode()
    assert page.context["waiting_count"] == 12
    assert len(page.context["waiting"]) == 8
    assert reverse("competitions:match", args=[first_match(league).slug]) in body
    assert 'value="finished"' not in body
    missing = next(one.missing for one in page.context["next_states"] if one.state == "finished")
    assert "12" in str(missing)
    refused = client.post(reverse("competitions:set_state", args=[league.slug]), {"to": "finished"})
    assert refused.status_code == 422
    assert 'name="to" id=' not in refused.content.decode(), "a form labelled “To”"
    for entry in league.entries.order_by("-seed")[:3]:  # their matches are void, and none is played in their place
        withdrawals.withdraw(by=SITE, entry=entry, reason="Malade.")
    assert set(league.matches.values_list("state", flat=True)) == {"void"}
    assert 'value="finished"' in client.get(reverse("competitions:organise", args=[league.slug])).content.decode()
    assert client.post(reverse("competitions:set_state", args=[league.slug]), {"to": "finished"}).status_code == 302


def test_a_reason_that_is_refused_stays_in_its_field(roles, club, hand):
    league = a_league(2, club=club)
    asked = {"to": "suspended", "reason": "<b>Neige</b>"}
    refused = roles("organiser").post(reverse("competitions:set_state", args=[league.slug]), asked)
    assert refused.status_code == 422
    assert 'value="&lt;b&gt;Neige&lt;/b&gt;"' in refused.content.decode()


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "tomorrow",
        "2026-02-30T19:00",
        "2020-01-01T19:00",
        "2027-06-01T19:00",
        "2027-03-14T02:30",
        "0001-01-01T00:00",
        "9999-12-31T23:59",
    ],
)
def test_a_date_nobody_can_play_on_comes_back_with_its_reason(typed, roles, club, hand):
    league = a_league(2, club=club)
    match = first_match(league)
    client = roles("organiser")
    answer = client.post(reverse("competitions:move", args=[match.slug]), {"starts_at": typed})
    assert answer.status_code == 422
    assert list(answer.context["date_form"].errors) == ["starts_at"]
    assert 'id="id_starts_at_error"' in answer.content.decode()
    match.refresh_from_db()
    assert match.starts_at == FIRST_ROUND


def test_a_club_night_is_announced_and_its_partners_drawn_on_its_page(roles, club, hand):
    client = roles("officer")
    made = client.post(
        reverse("competitions:new_night"),
        {"name": "Soirée du vendredi", "club": club.pk, "rules": "shawinigan/1:4", "best_of": 1, "clocks": "on"},
    )
    night = Competition.objects.get()
    assert made.url == f"/competitions/{night.slug}/organise/"
    assert night.lots_seed in client.get(reverse("competitions:regulations", args=[night.slug])).content.decode()
    players = [a_player(f"Joueur {number}") for number in range(5)]
    for player in players:
        clubs.join(by=SITE, club=club, player=player)
    form = {"starts_at": "2026-09-02T19:00", "minutes": 40, "players": [player.pk for player in players]}
    odd = client.post(reverse("competitions:draw", args=[night.slug]), form)
    assert odd.status_code == 422
    assert "players" in odd.context["draw_form"].errors
    even = client.post(reverse("competitions:draw", args=[night.slug]), {**form, "players": form["players"][:4]})
    assert even.status_code == 302
    assert night.matches.count() == 1


def test_a_player_whose_number_no_database_can_hold_is_unknown(roles, club, hand):
    client = roles("officer")
    client.post(
        reverse("competitions:new_night"),
        {"name": "Soirée du vendredi", "club": club.pk, "rules": "shawinigan/1:4", "best_of": 1, "clocks": "on"},
    )
    night = Competition.objects.get()
    form = {"starts_at": "2026-09-02T19:00", "minutes": 40, "players": ["9" * 40, "-1"]}
    answer = client.post(reverse("competitions:draw", args=[night.slug]), form)
    assert answer.status_code == 422
    assert list(answer.context["draw_form"].errors) == ["players"]


def test_the_last_day_of_the_calendar_is_no_day_for_a_first_round(roles, club, hand):
    league = a_league(2, club=club, state="draft")
    form = {"first": "9999-12-31T23:59", "days": 7, "legs": 2}
    answer = roles("organiser").post(reverse("competitions:make_calendar", args=[league.slug]), form)
    assert answer.status_code == 422
    assert list(answer.context["calendar_form"].errors) == ["first"]


def test_moving_a_match_by_its_form_keeps_the_wall_clock_of_the_organiser(roles, club, hand):
    league = a_league(2, club=club)
    client = roles("organiser")
    match = first_match(league)
    page = client.get(reverse("competitions:match", args=[match.slug])).content.decode()
    assert 'value="2026-09-02T19:00"' in page
    schedule.move(by=SITE, match=Match.objects.get(pk=match.pk), starts_at=FIRST_ROUND + timedelta(hours=1))
    page = client.get(reverse("competitions:match", args=[match.slug])).content.decode()
    assert 'value="2026-09-02T20:00"' in page


def test_a_captain_enters_the_own_team_while_entries_are_open(roles, club, hand):
    league = a_league(0, state="draft", club=club, size=4)
    team = a_team("Draveurs", club=club)
    captain = team.spells.get(slot=1).player
    client = roles("player")
    login = type(captain).objects.get(user__email="player@example.org")
    user, login.user = login.user, None
    login.save()
    captain.user = user
    captain.save()
    client.force_login(type(user).objects.get(pk=user.pk), backend=BACKEND)
    address = reverse("competitions:competition", args=[league.slug])
    enter = reverse("competitions:enter", args=[league.slug])
    lifecycle.run_through(by=SITE, competition=league, to="published")
    assert enter not in client.get(address).content.decode()
    assert client.post(enter, {"team": team.pk}).status_code == 409
    lifecycle.run_through(by=SITE, competition=league, to="open")
    assert enter in client.get(address).content.decode()
    foreign = a_team("Vieux Pieux", club=club)
    assert client.post(enter, {"team": foreign.pk}).status_code == 403
    assert client.post(enter, {"team": team.pk}).url == address
    assert client.post(enter, {"team": team.pk}).status_code == 422
    assert [entry.team for entry in league.entries.all()] == [team]
