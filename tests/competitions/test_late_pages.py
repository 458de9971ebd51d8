"""The pages on which the desk enters a late team and takes it back."""

import pytest
from django.test import Client
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.competitions.services.seasons import roles

from .late_world import grouped, swiss
from .world import a_signed_up_player, a_team, a_tournament

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("make", [swiss, grouped])
def test_the_desk_enters_a_late_team_and_takes_it_back(hand, make):
    cup = make()
    team = a_team("Retardataires")
    organiser = a_signed_up_player("lise@example.org", "Lise Caron")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    client = Client()
    client.force_login(organiser.user)
    desk = reverse("competitions:organise", args=[cup.slug])
    address = reverse("competitions:enter_late", args=[cup.slug])
    assert address in client.get(desk).content.decode()
    first = client.get(address)
    assert first.context["preview"] is None
    assert list(first.context["form"].fields["team"].queryset) == [team]
    shown = client.get(address, {"team": team.slug, "group": ""}).context["preview"]
    assert "entry" in {row.kind for row in shown.rows}
    moved = client.post(address, {"team": team.slug, "group": "", "digest": "0" * 64})
    assert moved.status_code == 409
    assert moved.context["preview"].digest == shown.digest
    assert client.post(address, {"team": "none", "digest": shown.digest}).status_code == 422
    answer = client.post(address, {"team": team.slug, "group": "", "digest": shown.digest})
    entry = cup.entries.get(team=team)
    page = reverse("competitions:entry", args=[entry.slug])
    assert (answer.status_code, answer.url) == (302, page)
    back = reverse("competitions:late_take_back", args=[entry.slug])
    assert back in client.get(page).content.decode()
    shown = client.get(back).context["preview"]
    assert client.post(back, {"digest": "0" * 64}).status_code == 409
    assert client.post(back, {"digest": shown.digest}).status_code == 302
    assert not cup.entries.filter(team=team).exists()


def test_the_page_names_the_rule_that_refuses_a_team_and_lets_nobody_else_in(hand):
    cup = swiss(size=4)
    organiser, other = a_signed_up_player("lise@example.org", "Lise Caron"), a_signed_up_player("b@example.org", "Bob")
    roles.give(by=SITE, competition=cup, player=organiser, name="organiser")
    team = a_team("Retardataires")
    client = Client()
    address = reverse("competitions:enter_late", args=[cup.slug])
    assert client.get(address).status_code == 302
    client.force_login(other.user)
    assert client.get(address).status_code == 403
    client.force_login(organiser.user)
    page = client.get(address, {"team": team.slug})
    assert page.status_code == 422
    assert page.context["form"].errors["team"]
    knockout = a_tournament(4)
    roles.give(by=SITE, competition=knockout, player=organiser, name="organiser")
    assert client.get(reverse("competitions:enter_late", args=[knockout.slug])).status_code == 404
    assert client.get(reverse("competitions:organise", args=[knockout.slug])).context["may_enter_late"] is False
