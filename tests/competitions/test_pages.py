"""The league's pages: visibility by role, forms with their errors, query counts."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.clubs import services as clubs
from tock_league.common.errors import Refused
from tock_league.competitions.models import Competition, Entry, Match, Season
from tock_league.competitions.selectors.seasons import competitions
from tock_league.competitions.services.results import settlement
from tock_league.competitions.services.rounds import publishing, schedule
from tock_league.competitions.services.seasons import lifecycle, nights, regulations

from .world import (
    FIRST_ROUND,
    a_club,
    a_league,
    a_player,
    a_signed_up_player,
    a_team,
    a_tournament,
    first_match,
    play_match,
)

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@pytest.fixture
def club(db):
    return a_club()


@pytest.fixture
def roles(client, club):
    """Sign in as a role: visitor, player, captain, officer (of the club), organiser (site), admin."""

    def _as(name, league=None):
        client.logout()
        if name == "visitor":
            return client
        person = a_signed_up_player(f"{name}@example.org", f"{name} Tremblay")
        if name == "organiser":
            give_role(player=person, name="organiser", by=SITE)
        elif name == "admin":
            give_role(player=person, name="administrator", by=SITE)
        elif name == "officer":
            clubs.join(by=SITE, club=club, player=person)
            clubs.give_role(by=SITE, club=club, player=person, name="officer")
        elif name == "captain" and league is not None:
            captain = league.entries.first().roster.get(slot=1).player
            captain.user, person.user = person.user, None
            person.save()
            captain.save()
        client.force_login(type(person).objects.get(user__email=f"{name}@example.org").user, backend=BACKEND)
        return client

    return _as


EVERYBODY = ("visitor", "player", "captain", "officer", "organiser", "admin")


def sees(client, name, *args):
    return client.get(reverse(f"competitions:{name}", args=args)).status_code


@pytest.mark.parametrize("role", EVERYBODY)
def test_public_pages_are_open_to_everybody(role, roles, hand):
    league = a_league(2)
    client = roles(role, league)
    match = first_match(league)
    for name, args in (
        ("list", []),
        ("competition", [league.slug]),
        ("matches", [league.slug]),
        ("regulations", [league.slug]),
        ("match", [match.slug]),
    ):
        assert sees(client, name, *args) == 200


@pytest.mark.parametrize(
    ("role", "status"),
    [("visitor", 404), ("player", 404), ("captain", 404), ("officer", 200), ("organiser", 200), ("admin", 200)],
)
def test_a_draft_exists_for_its_organisers_only(role, status, roles, club, hand):
    league = a_league(2, state="draft", club=club)
    client = roles(role, league)
    assert sees(client, "competition", league.slug) == status
    assert sees(client, "matches", league.slug) == status
    listed = league.name in client.get(reverse("competitions:list")).content.decode()
    assert listed == (status == 200)


@pytest.mark.parametrize(
    ("role", "status"),
    [("visitor", 302), ("player", 403), ("captain", 403), ("officer", 200), ("organiser", 200), ("admin", 200)],
)
def test_the_organisers_page_is_for_organisers(role, status, roles, club, hand):
    league = a_league(2, club=club)
    assert sees(roles(role, league), "organise", league.slug) == status


@pytest.mark.parametrize(
    ("role", "status"),
    [("visitor", 302), ("player", 403), ("captain", 403), ("officer", 302), ("organiser", 302), ("admin", 302)],
)
def test_only_organisers_move_a_match(role, status, roles, club, hand):
    league = a_league(2, club=club)
    match = first_match(league)
    client = roles(role, league)
    answer = client.post(reverse("competitions:move", args=[match.slug]), {"starts_at": "2026-09-03T20:00"})
    assert answer.status_code == status
    match.refresh_from_db()
    moved = match.starts_at != FIRST_ROUND
    assert moved == (role in ("officer", "organiser", "admin"))
    if role == "visitor":
        assert answer.url.startswith("/accounts/login/")


@pytest.mark.parametrize("role", ["visitor", "player", "captain"])
def test_nobody_else_reaches_the_organisers_doors(role, roles, club, hand):
    league = a_league(2, state="published", club=club)
    match = first_match(league)
    client = roles(role, league)
    expected = 302 if role == "visitor" else 403
    entry = league.entries.first()
    # A captain may withdraw their own team while entries are open; here they are closed, so the answer is 409.
    withdrawn = 409 if role == "captain" else expected
    team = a_team("Nouveaux", club=club)
    for name, args, form, status in (
        ("enter", [league.slug], {"team": team.pk}, expected),
        ("withdraw", [league.slug], {"entry": entry.pk}, withdrawn),
        ("make_calendar", [league.slug], {}, expected),
        ("discard_calendar", [league.slug], {}, expected),
        ("draw", [league.slug], {}, expected),
        ("set_state", [league.slug], {"to": "open"}, expected),
        ("award", [match.slug], {"winner": "0", "reason": "x"}, expected),
    ):
        answer = client.post(reverse(f"competitions:{name}", args=args), form)
        assert answer.status_code == status, (name, answer.status_code)
    for name in ("new", "new_night", "new_season"):
        assert sees(client, name) == expected
    league.refresh_from_db()
    assert league.state == "published"
    assert league.entries.count() == 2


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


def test_an_organiser_of_one_club_does_not_organise_for_another(roles, club, hand):
    other = a_club("Les Pieux", town="Grand-Mère")
    league = a_league(2, club=other)
    client = roles("officer")
    assert sees(client, "organise", league.slug) == 403
    form = client.get(reverse("competitions:new")).context["form"]
    assert list(form.fields["club"].queryset) == [club]
    assert form.fields["club"].required


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


def test_the_public_reason_of_an_award_is_plain_text(roles, club, hand):
    match = first_match(a_league(2, club=club))
    address = reverse("competitions:award", args=[match.slug])
    answer = roles("organiser").post(address, {"winner": "none", "reason": "\x1b[31mabsent"})
    assert answer.status_code == 422
    assert list(answer.context["award_form"].errors) == ["reason"]


def test_the_way_to_the_table_opens_for_its_players_and_watching_for_others(roles, club, hand):
    league = a_league(2, club=club)
    match = first_match(league)
    address = reverse("competitions:match", args=[match.slug])
    client = roles("captain", league)
    assert "/tables/" not in client.get(address).content.decode()
    hand.set(FIRST_ROUND - timedelta(minutes=15))
    publishing.open_due_tables()
    match.refresh_from_db()
    table = reverse("games:table", args=[match.table.slug])
    player_page = client.get(address)
    assert player_page.context["view"].mine
    assert f'class="button primary big" href="{table}"' in player_page.content.decode()
    client.logout()
    visitor_page = client.get(address)
    assert not visitor_page.context["view"].mine
    assert f'class="button primary big" href="{table}"' not in visitor_page.content.decode()
    assert table in visitor_page.content.decode()
    assert client.get(reverse("competitions:match-of-table", args=[match.table.slug])).url == address
    assert client.get(reverse("competitions:match-of-table", args=["nowhere"])).status_code == 404


def test_a_played_match_shows_its_score_and_its_replay(client, league, hand):
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), winner=0)
    page = client.get(reverse("competitions:match", args=[match.slug])).content.decode()
    assert "1 – 0" in page
    assert reverse("games:replay", args=[match.games.get().game.slug]) in page


def test_an_awarded_match_prints_its_reason(client, league, hand):
    match = first_match(league)
    with pytest.raises(Refused) as error:
        settlement.award(by=SITE, match=match, winner=1, reason="Draveurs malades <b>")
    assert (error.value.code, error.value.field) == ("markup", "reason")
    settlement.award(by=SITE, match=match, winner=1, reason="Draveurs malades & 2 < 3")
    page = client.get(reverse("competitions:match", args=[match.slug])).content.decode()
    assert "Draveurs malades &amp; 2 &lt; 3" in page


def test_each_number_of_the_standings_leads_to_its_matches(client, league, hand):
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), winner=0)
    page = client.get(reverse("competitions:competition", args=[league.slug])).content.decode()
    winner = match.side_rows.get(position=0).entry
    explanation = reverse("competitions:explained", args=[league.slug, winner.slug])
    assert f'href="{explanation}#p-1"' in page
    assert f'<a href="{reverse("pages:team", args=[winner.team.slug])}">{winner.team.name}</a>' in page
    explained = client.get(explanation).content.decode()
    explained = explained[explained.index('id="p-1"') :]
    assert reverse("competitions:match", args=[match.slug]) in explained[:600]
    assert client.get(reverse("competitions:explained", args=[league.slug, "nobody"])).status_code == 404


def test_a_demonstration_says_so_on_each_of_its_pages(client, hand, db):
    league = a_league(2, bot="club")
    for name in ("competition", "matches", "regulations"):
        page = client.get(reverse(f"competitions:{name}", args=[league.slug]), headers={"accept-language": "en"})
        assert "programs play for some of the names" in page.content.decode()


@pytest.mark.parametrize("month", ["2026-10", "1999-01", "x", "2026-13", ""])
def test_the_month_sheet_stands_any_month_asked_for(client, league, month):
    page = client.get(reverse("competitions:matches", args=[league.slug]), {"month": month})
    assert page.status_code == 200
    days = page.context["month"]["days"]
    assert len(days) % 7 == 0
    chips = [
        f'<span class="calendar-sides">{view.title}</span>' for day in days if not day["out"] for view in day["matches"]
    ]
    assert chips
    assert all(chip in page.content.decode() for chip in chips)


def test_unknown_addresses_are_404(client, db):
    for name in ("competition", "matches", "regulations", "match"):
        assert sees(client, name, "nowhere") == 404


def _small_and_large(hand):
    small, large = a_league(2), a_league(8)
    hand.set(FIRST_ROUND)
    for league in (small, large):
        for match in league.matches.filter(round__number=1):
            play_match(match, winner=0)
    return small, large


def test_query_counts_do_not_grow_with_the_league(client, hand, db, django_assert_num_queries):
    small, large = _small_and_large(hand)
    for league in (small, large):
        client.get(reverse("competitions:competition", args=[league.slug]))  # the first reader after a change computes
        # 1 competition with division, season, club, regulations; 1 its version; 1 the names of the entries
        # 8 round under way: which matches, matches, versions, lines, effects of rulings, sides, rosters; no games yet
        with django_assert_num_queries(10):
            client.get(reverse("competitions:competition", args=[league.slug]))
        # 1 competition; 1 entry; 2 its version, for rows and explanations; 1 names; 1 roster
        explained = reverse("competitions:explained", args=[league.slug, league.entries.first().slug])
        with django_assert_num_queries(6):
            client.get(explained)
        # 1 competition; 7 rounds; 3 chances: the ladder, its ratings, other ladders from which newcomers start
        with django_assert_num_queries(11):
            client.get(reverse("competitions:matches", args=[league.slug]))
        # 7 match; 1 corrections; 1 the version of the standings; 1 rulings, 1 earlier meetings: there are none
        match = first_match(league)
        with django_assert_num_queries(11):
            client.get(reverse("competitions:match", args=[match.slug]))


def test_the_list_takes_one_query(client, hand, db, django_assert_num_queries):
    a_league(2)
    with django_assert_num_queries(1):
        client.get(reverse("competitions:list"))
    a_league(4)
    with django_assert_num_queries(1):
        client.get(reverse("competitions:list"))


def test_the_list_says_what_runs_what_comes_and_what_is_over_each_with_its_dates(client, hand, db):
    running, over = a_league(2), a_league(2)
    play_match(first_match(running), winner=0)
    Competition.objects.filter(pk=over.pk).update(state="finished")
    later, sooner = a_tournament(0, state="open"), a_tournament(0, state="open")
    Competition.objects.filter(pk=later.pk).update(starts_at=FIRST_ROUND + timedelta(days=90))
    draft = a_tournament(0, state="draft")
    listed = competitions.listed()
    assert [list(listed.running), list(listed.ahead), list(listed.over)] == [[running], [sooner, later], [over]]
    assert (listed.running[0].first_at, listed.running[0].last_at) == (FIRST_ROUND, FIRST_ROUND + timedelta(days=7))
    page = client.get(reverse("competitions:list"), headers={"accept-language": "en"}).content.decode()
    places = [page.index(words) for words in ("Under way", running.name, "To come", later.name, "Over", over.name)]
    assert places == sorted(places)
    assert "September 2, 2026 – September 9, 2026" in page
    assert draft.name not in page


def test_no_page_carries_script_or_style_of_its_own(roles, club, hand):
    league = a_league(2, state="draft", club=club)
    client = roles("organiser")
    night = nights.announce_night(by=SITE, club=club, name="Soirée", regulations=regulations.freeze(code="night"))
    pages = [
        reverse("competitions:list"),
        reverse("competitions:new"),
        reverse("competitions:new_season"),
        reverse("competitions:organise", args=[league.slug]),
        reverse("competitions:organise", args=[night.slug]),
    ]
    for address in pages:
        page = client.get(address).content.decode()
        assert not re.search(r"<style|style=|\son[a-z]+=|<script(?![^>]*src=)", page), address


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
