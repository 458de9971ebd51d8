"""The page of an organiser: the own events with what waits in them, in a number of queries that does not grow."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.competitions.conftest import BACKEND
from tests.competitions.world import (
    FIRST_ROUND,
    a_club,
    a_league,
    a_signed_up_player,
    a_team,
    a_tournament,
    first_match,
    under_way,
)
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.arbitration.models import Case
from tock_league.clubs import services as clubs
from tock_league.competitions.models import Competition, Match
from tock_league.competitions.services.entries import registration
from tock_league.competitions.services.results import paper
from tock_league.competitions.services.seasons import roles
from tock_league.pages.organising import organised

pytestmark = pytest.mark.django_db
ADDRESS = "/my-events/"


@pytest.fixture
def club(db):
    return a_club()


def an_officer(club, name="Gaston Pronovost"):
    person = a_signed_up_player(f"{name.split()[0].lower()}@example.org", name)
    clubs.join(by=SITE, club=club, player=person)
    clubs.give_role(by=SITE, club=club, player=person, name="officer")
    return person


def events_with_work(club):
    """Return a tournament on paper with a reported result and a case, a league with an undated and a late match, and entries."""
    cup, league = a_tournament(4), a_league(2)
    match = under_way(cup)[0]
    captain = match.side_rows.get(position=0).entry.roster.get(slot=1).player
    paper.report(by=captain, match=match, games=[paper.Game(0, 2)], seen=0)
    case = {"kind": "result", "origin": "dispute", "state": "filed", "filed_at": match.starts_at}
    Case.objects.create(number=f"TL-2026-{cup.pk:06}", competition=cup, match=match, **case)
    Match.objects.filter(pk=league.matches.last().pk).update(state="ready", starts_at=None)
    Match.objects.filter(pk=first_match(league).pk).update(starts_at=FIRST_ROUND - timedelta(days=30))
    ahead = a_tournament(1, state="open", size=2)
    for letter in "AB":
        registration.register(by=SITE, competition=ahead, team=a_team(f"Attente {letter}"))
    Competition.objects.filter(pk__in=[cup.pk, league.pk, ahead.pk]).update(club=club)
    return cup, league, ahead


def test_an_organiser_sees_what_waits_in_the_own_events(client, club, hand):
    officer = an_officer(club)
    cup, league, ahead = events_with_work(club)
    a_league(2)  # of no club: not the officer's
    over = a_league(2, club=club)
    Competition.objects.filter(pk=over.pk).update(state="finished")
    draft = a_tournament(0, state="draft", club=club)
    found = {one.competition: one for one in organised(officer)}
    assert set(found) == {cup, league, ahead, draft}
    assert (found[cup].to_certify, found[cup].cases, found[cup].undated) == (1, 1, 0)
    assert (found[league].overdue, found[league].undated, found[league].to_certify) == (1, 1, 0)
    assert (found[ahead].waitlisted, found[ahead].waits) == (1, True)
    assert not found[draft].waits
    assert organised(officer)[-1].competition == draft, "what waits stands first"
    client.force_login(officer.user, backend=BACKEND)
    page = client.get(ADDRESS)
    body = page.content.decode()
    for name, made in (("competitions:organise", cup), ("arbitration:desk", cup), ("competitions:matches", league)):
        assert reverse(name, args=[made.slug]) in body
        assert client.get(reverse(name, args=[made.slug])).status_code == 200
    assert over.name not in body
    assert ADDRESS in client.get("/").content.decode()
    assert ADDRESS in client.get(reverse("competitions:list")).content.decode()


def test_who_is_named_for_one_event_sees_that_one_and_the_sites_organisers_see_all(client, club, hand):
    cup, league = a_tournament(2, club=club), a_league(2)
    named = a_signed_up_player("named@example.org", "Lise Roy")
    roles.give(by=SITE, competition=cup, player=named, name="organiser")
    assert [one.competition for one in organised(named)] == [cup]
    boss = a_signed_up_player("boss@example.org", "Aline Boss")
    give_role(player=boss, name="organiser", by=SITE)
    assert {one.competition for one in organised(boss)} == {cup, league}
    player = a_signed_up_player("player@example.org", "Jean Roy")
    roles.give(by=SITE, competition=cup, player=player, name="referee")
    assert organised(player) == []
    assert client.get(ADDRESS).url.startswith("/accounts/login/")
    client.force_login(player.user, backend=BACKEND)
    assert client.get(ADDRESS).context["may_create"] is False
    assert ADDRESS not in client.get(reverse("competitions:list")).content.decode()
    assert ADDRESS not in client.get("/").content.decode()


def test_the_number_of_queries_does_not_grow_with_the_events(club, hand):
    officer = an_officer(club)
    events_with_work(club)
    counts = []
    for _more in range(2):
        with CaptureQueriesContext(connection) as seen:
            organised(officer)
        counts.append(len(seen))
        events_with_work(club)
    # the events, by the site role and by those in clubs and events; matches; entries; cases
    assert counts == [5, 5]
