"""Who reaches which of the league's pages."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tock_league.competitions.services.rounds import publishing

from .world import (
    FIRST_ROUND,
    a_club,
    a_league,
    a_team,
    first_match,
)

pytestmark = pytest.mark.django_db


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


def test_an_organiser_of_one_club_does_not_organise_for_another(roles, club, hand):
    other = a_club("Les Pieux", town="Grand-Mère")
    league = a_league(2, club=other)
    client = roles("officer")
    assert sees(client, "organise", league.slug) == 403
    form = client.get(reverse("competitions:new")).context["form"]
    assert list(form.fields["club"].queryset) == [club]
    assert form.fields["club"].required


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
