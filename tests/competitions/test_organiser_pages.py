"""The organiser's pages of a league: its forms with their errors, a club night, a moved match."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Team
from tock_league.competitions.models import Competition, Entry, Match, RosterSpot, Season
from tock_league.competitions.selectors.rounds.clashes import clashes
from tock_league.competitions.services.entries import entering, withdrawals
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import schedule
from tock_league.competitions.services.seasons import lifecycle, nights, regulations

from .conftest import BACKEND
from .world import (
    FIRST_ROUND,
    a_league,
    a_plan,
    a_player,
    a_team,
    a_tournament,
    first_match,
)

pytestmark = pytest.mark.django_db


def test_an_organiser_makes_a_season_a_league_its_calendar_and_starts_it(roles, club, hand):
    client = roles("organiser")
    season = {"name": "Automne 2026", "starts_on": "2026-09-01", "ends_on": "2026-12-20"}
    assert client.post(reverse("competitions:new_season"), season).url == "/competitions/new/"
    form = {"name": "Ligue du mercredi", "season": Season.objects.get().pk, "division": "1", "size": 4, "club": club.pk}
    answer = client.post(
        reverse("competitions:new"),
        {**form, "rules": "shawinigan/1:4", "best_of": 1, "clocks": "on", "place": "tables"},
    )
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


def test_links_lead_an_organiser_and_a_captain_to_every_page_of_a_league(roles, club, hand):
    league = a_league(2, club=club)
    match, entry = first_match(league), league.entries.get(seed=1)
    people, desk = reverse("competitions:people", args=[league.slug]), reverse("arbitration:desk", args=[league.slug])
    own, leave = (reverse(f"competitions:{name}", args=[entry.slug]) for name in ("entry", "leave"))
    absent = reverse("competitions:absent", args=[match.slug])
    at_match, at_standings = match_page(match), reverse("competitions:competition", args=[league.slug])
    client = roles("organiser")
    page = client.get(reverse("competitions:organise", args=[league.slug])).content.decode()
    for address in (people, desk, own):
        assert address in page
        assert client.get(address).status_code == 200
    assert absent not in client.get(at_match).content.decode(), "the form beside it says who did not come"
    client = roles("captain", league)
    assert own in client.get(at_standings).content.decode()
    assert leave in client.get(own).content.decode()
    assert client.get(leave).status_code == 200
    assert absent in client.get(at_match).content.decode()
    asked = client.get(absent).context["form"].fields["what"].choices
    answer = client.post(absent, {"what": asked[0][0], "reason": "Tempête"})
    assert answer.url == at_match
    match.refresh_from_db()
    assert match.state == "awarded"
    client = roles("visitor")
    assert own not in client.get(at_standings).content.decode()
    assert absent not in client.get(match_page(league.matches.last())).content.decode()


def match_page(match):
    return reverse("competitions:match", args=[match.slug])


def test_a_team_in_two_matches_at_one_minute_is_told_to_the_organiser(roles, club, hand):
    league = a_league(4, club=club)
    client = roles("organiser")
    organise = reverse("competitions:organise", args=[league.slug])
    other = league.matches.filter(round__number=2).first()
    assert client.get(organise).context["clashes"] == []
    client.post(reverse("competitions:move", args=[other.slug]), {"starts_at": "2026-09-02T19:00"})
    found = client.get(organise).context["clashes"]
    assert len(found) == 2  # each of its teams plays in a match of the first round too
    for clash in found:
        assert other in [view.match for view in clash.matches]
        assert len(clash.names) == 2  # both players of the team
        match = next(view.match for view in clash.matches if view.match != other)
        page = client.get(match_page(match))
        assert [one.names for one in page.context["clashes"]] == [clash.names]
        assert clash.names[0] in page.content.decode()
    assert len(client.get(match_page(other)).context["clashes"]) == 2
    assert roles("visitor").get(match_page(other)).context["clashes"] == []


def test_a_match_of_another_event_clashes_where_everybody_may_see_it(roles, club, hand):
    league, cup = a_league(2, club=club), a_tournament(2, club=club)
    first = league.matches.order_by("pk").first()
    entry = first.side_rows.first().entry
    RosterSpot.objects.filter(entry=cup.entries.first(), slot=1).update(player=entry.roster.get(slot=1).player)
    Match.objects.filter(pk=first.pk).update(starts_at=cup.matches.get().starts_at)
    (clash,) = clashes(league)
    assert [view.match.competition for view in clash.matches] == [league, cup]
    Competition.objects.filter(pk=cup.pk).update(is_rehearsal=True)
    assert clashes(league) == []


def test_a_match_is_not_given_up_before_the_league_begins(roles, club, hand):
    league = a_league(2, club=club, state="closed")
    page = roles("captain", league).get(match_page(first_match(league))).content.decode()
    assert reverse("competitions:absent", args=[first_match(league).slug]) not in page


def test_a_calendar_with_a_result_is_not_discarded(roles, club, hand):
    league = a_league(2, club=club, state="closed")
    client = roles("officer")
    organise = reverse("competitions:organise", args=[league.slug])
    discard = reverse("competitions:discard_calendar", args=[league.slug])
    assert discard in client.get(organise).content.decode()
    award = reverse("competitions:award", args=[first_match(league).slug])
    assert award not in client.get(match_page(first_match(league))).content.decode()
    settlement.award(by=SITE, match=first_match(league), winner=0, reason="Retrait")
    assert discard not in client.get(organise).content.decode()
    assert client.post(discard).status_code == 409
    assert league.matches.count() == 2


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
        {
            "name": "Soirée du vendredi",
            "club": club.pk,
            "rules": "shawinigan/1:4",
            "best_of": 1,
            "clocks": "on",
            "place": "tables",
        },
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


def test_a_night_is_not_drawn_before_the_club_has_members_enough(roles, club, hand):
    client = roles("officer")  # a member, too
    night = nights.announce_night(by=SITE, club=club, name="Vendredi", regulations=regulations.freeze(code="night"))
    organise, draw = (reverse(f"competitions:{name}", args=[night.slug]) for name in ("organise", "draw"))
    for number in range(2):
        clubs.join(by=SITE, club=club, player=a_player(f"Joueur {number}"))
    page = client.get(organise)
    assert draw not in page.content.decode()
    assert (page.context["draw_refused"].members, page.context["draw_refused"].least) == (3, 4)
    clubs.join(by=SITE, club=club, player=a_player("Joueuse"))
    assert draw in client.get(organise).content.decode()


def test_a_player_whose_number_no_database_can_hold_is_unknown(roles, club, hand):
    client = roles("officer")
    client.post(
        reverse("competitions:new_night"),
        {
            "name": "Soirée du vendredi",
            "club": club.pk,
            "rules": "shawinigan/1:4",
            "best_of": 1,
            "clocks": "on",
            "place": "tables",
        },
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


def test_a_league_offers_no_button_that_would_be_refused_and_says_what_is_missing(roles, club, hand):
    league = a_league(1, club=club, state="draft", size=2)
    organise = reverse("competitions:organise", args=[league.slug])
    client = roles("organiser")
    page = client.get(organise)
    body = page.content.decode()
    for deed in ("enter", "make_calendar"):  # the only team of the club is in, and one team makes no calendar
        assert reverse(f"competitions:{deed}", args=[league.slug]) not in body
    assert page.context["calendar_refused"]
    other = a_team("Draveurs", club=club)
    assert reverse("competitions:enter", args=[league.slug]) in client.get(organise).content.decode()
    entering.enter_team(by=SITE, competition=league, team=other)
    a_team("Castors", club=club)
    page = client.get(organise)
    assert "2" in str(page.context["entries_refused"])
    assert reverse("competitions:enter", args=[league.slug]) not in page.content.decode()
    assert reverse("competitions:make_calendar", args=[league.slug]) in page.content.decode()
    lifecycle.run_through(by=SITE, competition=league, to="closed")
    page = client.get(organise)
    assert 'value="running"' not in page.content.decode()
    assert [bool(one.missing) for one in page.context["next_states"]] == [True, False]


def test_a_captain_reads_why_the_own_team_cannot_enter(roles, club, hand):
    league = a_league(1, club=club, state="draft", size=2)
    lifecycle.run_through(by=SITE, competition=league, to="open")
    client = roles("player")
    captain = Player.objects.get(user__email="player@example.org")
    team = clubs.found_team(by=captain, name="Les Pieux", size=2)
    Team.objects.filter(pk=team.pk).update(club=club)
    address, enter = (reverse(f"competitions:{name}", args=[league.slug]) for name in ("competition", "enter"))
    page = client.get(address).content.decode()
    assert enter not in page
    assert reverse("clubs:invite", args=[team.slug]) in page
    entering.enter_team(by=SITE, competition=league, team=a_team("Draveurs", club=club))
    page = client.get(address)
    assert page.context["entries_refused"]
    assert reverse("clubs:invite", args=[team.slug]) not in page.content.decode()


def test_who_plays_in_a_match_is_not_offered_to_award_it_and_nobody_to_date_a_later_round(roles, club, hand):
    league = a_league(2, club=club)
    client = roles("officer")
    officer = Player.objects.get(user__email="officer@example.org")
    match = first_match(league)
    award = reverse("competitions:award", args=[match.slug])
    address = reverse("competitions:match", args=[match.slug])
    assert award in client.get(address).content.decode()
    spot = league.entries.first().roster.get(slot=2)
    spot.player = officer
    spot.save()
    page = client.get(address).content.decode()
    assert award not in page
    assert reverse("competitions:move", args=[match.slug]) in page
    cup = a_tournament(6, club=club, plan=a_plan("groups_knockout"))
    later = cup.matches.filter(round__state="planned", state="ready").first()
    page = client.get(reverse("competitions:match", args=[later.slug])).content.decode()
    assert reverse("competitions:move", args=[later.slug]) not in page
