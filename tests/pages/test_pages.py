"""The first page, tonight, a player, a club, the rules; for a visitor and for a signed-in user."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tests.competitions.world import (
    FIRST_ROUND,
    START,
    a_club,
    a_league,
    a_signed_up_player,
    first_match,
    play_match,
)
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.competitions.services.rounds import publishing

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
ENGLISH = {"accept-language": "en"}


@pytest.fixture
def hand():
    with clock.frozen(START) as held:
        yield held


@pytest.fixture
def club(hand):
    return a_club()


@pytest.fixture
def league(club):
    return a_league(4, club=club)


def sign_in(client, player):
    login = a_signed_up_player("martine@example.org", "Somebody Else")
    user, login.user = login.user, None
    login.save()
    player.user = user
    player.save()
    client.force_login(user, backend=BACKEND)


def test_the_first_page_leads_everywhere_without_an_account(client, league):
    page = client.get("/", headers=ENGLISH).content.decode()
    for address in (
        reverse("clubs:list"),
        reverse("pages:tonight"),
        reverse("ratings:leaderboards"),
        reverse("pages:rules", args=["shawinigan"]),
        reverse("account_signup"),
    ):
        assert f'href="{address}' in page
    assert f'<form method="post" action="{reverse("games:practice")}">' in page
    assert first_match(league).slug in page  # tonight's


def test_one_click_from_the_first_page_to_a_practice_table(client, db):
    client.get("/")
    answer = client.post(reverse("games:practice"))
    assert answer.status_code == 302
    assert client.get(answer.url).status_code == 200


def test_an_empty_site_says_so_and_breaks_nowhere(client, db):
    for address in ("/", "/tonight/", "/clubs/", "/competitions/"):
        assert client.get(address).status_code == 200


def test_tonight_lists_the_day_in_the_visitors_evening_and_not_tomorrows(client, league, hand):
    page = client.get(reverse("pages:tonight"))
    slugs = {view.match.slug for view in page.context["matches"]}
    assert slugs == set(league.matches.filter(round__number=1).values_list("slug", flat=True))
    assert not slugs & {view.match.slug for view in page.context["coming"]}
    hand.advance(days=1)
    assert client.get(reverse("pages:tonight")).context["matches"] == []


def test_a_players_page_lists_the_next_matches_with_date_and_table(client, league, hand):
    view_of = first_match(league)
    player = view_of.side_rows.get(position=0).entry.roster.get(slot=1).player
    sign_in(client, player)
    address = reverse("pages:player", args=[player.slug])
    page = client.get(address)
    assert page.context["own"]
    assert page.context["next"][0].match == view_of
    assert len(page.context["next"]) == 6
    assert "/tables/" not in page.content.decode()
    hand.set(FIRST_ROUND - timedelta(minutes=15))
    publishing.open_due_tables()
    view_of.refresh_from_db()
    table = f'href="{reverse("games:table", args=[view_of.table.slug])}"'
    link = f'class="button primary" {table}'
    assert link in client.get(address).content.decode()
    assert f'class="button primary big gold" {table}' in client.get("/").content.decode()
    client.logout()
    assert link not in client.get(address).content.decode()


def test_a_players_page_shows_results_with_replays_and_teams(client, league, hand):
    hand.set(FIRST_ROUND)
    match = play_match(first_match(league), winner=0)
    entry = match.side_rows.get(position=0).entry
    player = entry.roster.get(slot=1).player
    Player.objects.filter(pk=player.pk).update(page_for=Player.Readers.EVERYBODY)
    page = client.get(reverse("pages:player", args=[player.slug])).content.decode()
    assert reverse("games:replay", args=[match.games.get().game.slug]) in page
    assert entry.team.name in page


def test_a_clubs_page_shows_members_teams_matches_and_its_leaderboard(client, league, club, hand):
    member = a_signed_up_player("oceane@example.org", "Océane Trudel")
    clubs.join(by=SITE, club=club, player=member)
    hand.set(FIRST_ROUND)
    publishing.open_due_tables()
    page = client.get(reverse("pages:club", args=[club.slug]))
    text = page.content.decode()
    assert "Océane Trudel" in text
    assert len(page.context["live"]) == 2
    assert reverse("ratings:club", args=[club.slug]) in text
    assert reverse("competitions:competition", args=[league.slug]) in text
    assert client.get(reverse("ratings:club", args=[club.slug])).status_code == 200


def test_unknown_people_clubs_and_rules_are_404(client, db):
    for address in ("/players/nobody/", "/clubs/nowhere/", "/rules/hearts/", "/rules/shawinigan-99/", "/rules/con/"):
        assert client.get(address).status_code == 404


def test_a_drafts_matches_are_nowhere_public(client, club, hand):
    league = a_league(2, state="draft", club=club)
    player = league.entries.first().roster.first().player
    for address in ("/", "/tonight/", f"/clubs/{club.slug}/", f"/players/{player.slug}/"):
        assert league.name not in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("language", "title"), [("fr", "Règles du tock de Shawinigan"), ("en", "Rules of Shawinigan Tock")]
)
def test_the_rules_are_read_in_two_languages(client, language, title, db):
    page = client.get(reverse("pages:rules", args=["shawinigan"]), headers={"accept-language": language})
    assert title in page.content.decode()
    assert client.get(reverse("pages:rules", args=["shawinigan-1"])).status_code == 200


def test_query_counts_of_the_first_page_and_tonight_do_not_grow(client, hand, django_assert_max_num_queries):
    # 6 tonight, or 12 with the next matches; 6 results; 2 because there is no ladder yet; 1 tournaments open for
    # registration
    a_league(2)
    with django_assert_max_num_queries(21):
        client.get("/")
    a_league(8)
    with django_assert_max_num_queries(21):
        client.get("/")
    with django_assert_max_num_queries(13):
        client.get("/tonight/")
