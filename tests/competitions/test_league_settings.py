"""Size, rules and name of a league or club night change until its calendar is made."""

import pytest
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.competitions.models import Competition
from tock_league.competitions.services.entries import entering
from tock_league.competitions.services.rounds import calendar
from tock_league.competitions.services.seasons import lifecycle, nights, regulations
from tock_league.journal.models import JournalEntry

from .world import FIRST_ROUND, a_league, a_team

pytestmark = pytest.mark.django_db
FORM = {
    "name": "Ligue du jeudi",
    "size": 3,
    "rules": "shawinigan/1:4",
    "best_of": 3,
    "clocks": "on",
    "place": "tables",
}


def settings(made):
    return reverse("competitions:edit_tournament", args=[made.slug])


def test_a_league_changes_its_size_and_rules_until_its_calendar_is_made(roles, club, hand):
    league = a_league(2, club=club, state="draft", size=2)
    client = roles("organiser")
    organise = reverse("competitions:organise", args=[league.slug])
    assert settings(league) in client.get(organise).content.decode()
    page = client.get(settings(league)).context["form"]
    assert page.get_initial_for_field(page.fields["size"], "size") == 2
    before = league.regulations
    assert client.post(settings(league), FORM).url == organise
    league.refresh_from_db()
    assert (league.name, league.division.size, league.regulations.best_of) == ("Ligue du jeudi", 3, 3)
    same = {"points", "tiebreaks", "clocks", "touch"}
    assert {key: league.regulations.body[key] for key in same} == {key: before.body[key] for key in same}
    bodies = JournalEntry.objects.order_by("pk").values_list("body", flat=True)
    assert any("competition.edited" in str(body) for body in bodies)
    assert calendar.rounds_needed(league, legs=1) == 1
    calendar.make_calendar(by=SITE, competition=league, times=[FIRST_ROUND], legs=1)
    assert league.matches.get().best_of == 3
    assert settings(league) not in client.get(organise).content.decode()
    assert client.get(settings(league)).url == organise
    assert client.post(settings(league), FORM | {"best_of": 1}).url == organise
    league.refresh_from_db()
    assert league.regulations.best_of == 3


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"size": 2}, "size"),  # three are in
        ({"size": 21}, "size"),
        ({"rules": "tock/1:6"}, "rules"),  # teams of two are in
        ({"game_rounds": 5}, "game_rounds"),
        ({"name": "L"}, "name"),
    ],
)
def test_a_setting_that_does_not_fit_comes_back_at_its_field(change, field, roles, club, hand):
    league = a_league(3, club=club, state="draft", size=4)
    answer = roles("officer").post(settings(league), FORM | change)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    league.refresh_from_db()
    assert (league.division.size, league.regulations.best_of, league.seats) == (4, 1, 4)


@pytest.mark.parametrize(
    ("role", "status"),
    [("visitor", 302), ("player", 403), ("captain", 403), ("officer", 200), ("organiser", 200), ("admin", 200)],
)
def test_settings_are_for_organisers(role, status, roles, club, hand):
    league = a_league(2, club=club, state="draft")
    lifecycle.run_through(by=SITE, competition=league, to="open")
    client = roles(role, league)
    assert client.get(settings(league)).status_code == status
    client.post(settings(league), FORM)
    assert Competition.objects.get(pk=league.pk).regulations.best_of == (3 if status == 200 else 1)


def test_a_club_night_changes_its_table_before_the_draw_and_a_smaller_league_is_full(roles, club, hand):
    night = nights.announce_night(
        by=SITE, club=club, name="Vendredi", regulations=regulations.freeze(code="night", correction_s=3600)
    )
    client = roles("officer")
    assert "size" not in client.get(settings(night)).context["form"].fields
    chosen = {"name": "Vendredi", "rules": "tock/1:6", "best_of": 1, "correction": 3600, "place": "tables"}
    assert client.post(settings(night), chosen).status_code == 302
    night.refresh_from_db()
    assert (night.seats, night.side_size, night.correction_s) == (6, 3, 3600)
    assert night.regulations.body["clocks"] is None
    league = a_league(2, club=club, state="draft", size=4)
    assert client.post(settings(league), FORM | {"size": 2}).status_code == 302
    league.refresh_from_db()
    assert entering.refusal_for_all(league)
    assert a_team("Draveurs", club=club) not in {entry.team for entry in league.entries.all()}


def test_a_league_takes_on_a_time_cap_and_drops_it_again(roles, club, hand):
    league = a_league(2, club=club, state="draft", size=4)
    before = league.regulations
    client = roles("organiser")
    client.post(settings(league), FORM | {"best_of": 1, "cap": "brisk", "cap_order": "score"})
    league.refresh_from_db()
    assert (league.cap.minutes, league.regulations.body["tiebreaks"][:2]) == (30, ["margin", "scored"])
    page = client.get(settings(league)).context["form"]
    assert page.get_initial_for_field(page.fields["cap"], "cap") == "brisk"
    answer = client.post(settings(league), FORM | {"best_of": 3, "cap": "own", "cap_minutes": 60, "cap_of": "match"})
    assert list(answer.context["form"].errors) == ["cap_of"]
    client.post(settings(league), FORM | {"best_of": 1, "cap": ""})
    league.refresh_from_db()
    assert (league.cap, league.regulations.body["tiebreaks"]) == (None, before.body["tiebreaks"])
