"""Who may have which sheet to print, when there is one, and what it costs."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.competitions.world import (
    START,
    a_club,
    a_league,
    a_signed_up_player,
)
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common import clock
from tock_league.competitions.models import Competition
from tock_league.competitions.services.seasons import roles
from tock_league.exports.prints import views

from .printed import BACKEND, FRENCH, PUBLIC, STAFF, an_event, ask, organiser_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now() -> Iterator[None]:
    cache.clear()
    with clock.frozen(START):
        yield


def test_an_address_has_a_limited_number_of_sheets(client: Client, monkeypatch: Any) -> None:
    league = a_league(2)
    monkeypatch.setattr(views, "FILES", 1)
    assert [ask(client, league, "regulations").status_code for _time in range(2)] == [200, 429]


@pytest.mark.parametrize("role", ["visitor", "player", "referee", "other organiser", "club organiser", "organiser"])
def test_only_organisers_have_the_sheets_of_the_desk(client: Client, role: str) -> None:
    club = a_club()
    made = an_event(club=club)
    if role != "visitor":
        person = a_signed_up_player("quelquun@example.org")
        client.force_login(person.user, backend=BACKEND)
        if role in ("referee", "organiser"):
            roles.give(by=SITE, competition=made, player=person, name=role)
        if role == "other organiser":
            roles.give(by=SITE, competition=a_league(2), player=person, name="organiser")
        if role == "club organiser":
            clubs.join(by=person, club=club)
            clubs.give_role(by=SITE, club=club, player=person, name="organiser")
    may = role in ("organiser", "club organiser")
    page = client.get(reverse("exports:print", args=[made.slug])).content.decode()
    for what in STAFF:
        answer = ask(client, made, what)
        expected = 404 if what in ("certificates", "poster") else 200  # no podium is certain, and there is no check-in
        assert answer.status_code == (expected if may else 403), what
        assert (f"/print/{what}.pdf" in page) == (may and what not in ("certificates", "poster"))
    for what in PUBLIC:
        if what != "bracket":  # drawn when the groups are done
            assert ask(client, made, what).status_code == 200
            assert f"/print/{what}.pdf" in page
    assert client.get(reverse("exports:print_sheet", args=[made.slug, "secrets"])).status_code == 404


def test_what_is_private_or_not_offered_is_not_there(client: Client) -> None:
    draft = a_league(state="draft")
    assert client.get(reverse("exports:print", args=[draft.slug])).status_code == 404
    league = a_league(2)
    for chosen in ({"paper": "a3"}, {"paper": "../x"}, {"sheets": "5"}, {"sheets": "-1"}, {"sheets": "x"}):
        assert ask(client, league, "regulations", **chosen).status_code == 404
    assert ask(client, league, "bracket").status_code == 404
    assert ask(client, draft, "regulations").status_code == 404
    page = client.get(reverse("exports:print", args=[league.slug])).content.decode()
    assert "bracket.pdf" not in page
    assert reverse("exports:print", args=[league.slug]) in client.get(league_address(league)).content.decode()


def league_address(found: Competition) -> str:
    return reverse("competitions:competition", args=[found.slug])


def test_an_event_without_a_draw_says_what_is_missing(client: Client) -> None:
    made = an_event("knockout", teams=3, state="open")
    page = client.get(reverse("exports:print", args=[made.slug]), headers=FRENCH).content.decode()
    assert "pairings.pdf" not in page
    assert "regulations.pdf" in page
    assert ask(client, made, "pairings").status_code == 404
    organiser_of(made, client)
    assert "badges.pdf" in client.get(reverse("exports:print", args=[made.slug])).content.decode()


def test_a_sheet_takes_as_many_queries_for_many_teams_as_for_few(client: Client) -> None:
    counts: list[dict[str, int]] = []
    for teams in (4, 9):
        made = an_event("swiss", teams=teams)
        organiser_of(made, client)
        found: dict[str, int] = {}
        for what in ("pairings", "pairings-by-name", "standings", "cross-table", "regulations", *STAFF[:3]):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                ask(client, made, what)
            found[what] = len(queries)
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("exports:print", args=[made.slug]))
        found["page"] = len(queries)
        counts.append(found)
    assert counts[0] == counts[1]


def test_bracket_and_certificates_take_as_many_queries_for_many_teams_as_for_few(client: Client) -> None:
    counts = []
    for teams in (4, 8):
        made = an_event("knockout", teams=teams, state="finished")
        organiser_of(made, client)
        for what in ("bracket", "certificates"):
            with CaptureQueriesContext(connection) as queries:
                assert ask(client, made, what).status_code == 200
            counts.append(len(queries))
    assert counts[:2] == counts[2:]
