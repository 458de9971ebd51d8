"""Teams of three and four: creating, inviting, slots and substitutes, and what their size forbids."""

import html

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import translation

from tests.clubs.test_team_pages import a_login, captain, partner, sign_in  # noqa: F401
from tests.clubs.test_teams import a_player, in_team, names, refusal
from tock_league.accounts.permissions import SITE
from tock_league.clubs import selectors, services
from tock_league.clubs.models import Team, TeamInvitation, TeamPlayer, part_of
from tock_league.common import clock
from tock_league.common.errors import NotAllowed

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_team_has_as_many_starters_as_its_size_and_two_substitutes(size, captain):  # noqa: F811
    team = services.found_team(by=captain, name="Draveurs", size=size)
    for slot, name in enumerate(["Océane", "Réjean", "Yvon", "Lise", "Marc"][: size + 1], start=2):
        in_team(team, slot, name)
    starters, substitutes = names(team)
    assert (len(starters), len(substitutes)) == (size, 2)
    assert starters[0] == "Martine"
    late = a_player("Denis")
    for slot in (0, 1, size + 3, 99):
        assert refusal(lambda slot=slot: services.invite(by=captain, team=team, player=late, slot=slot)) == (
            "place_unknown"
        )
        assert refusal(lambda slot=slot: services.invite_by_link(by=captain, team=team, slot=slot)) == "place_unknown"
    assert refusal(lambda: services.invite(by=captain, team=team, player=late, slot=size + 2)) == "place_taken"
    assert refusal(lambda: services.set_place(by=captain, team=team, player=captain, slot=size + 3)) == "place_unknown"


@pytest.mark.parametrize("size", [0, 1, 5, 8, -2, 2**31])
def test_a_size_that_no_table_has_twice_is_refused_and_nothing_is_written(size, captain):  # noqa: F811
    assert refusal(lambda: services.found_team(by=captain, name="Draveurs", size=size)) == "team_size"
    assert not Team.objects.exists()
    team = services.found_team(by=captain, name="Draveurs")
    assert refusal(lambda: services.resize_team(by=captain, team=team, size=size)) == "team_size"
    with pytest.raises(IntegrityError), transaction.atomic():
        Team.objects.filter(pk=team.pk).update(size=5)


@pytest.mark.both_databases
def test_the_database_holds_six_places_and_no_more(captain):  # noqa: F811
    team = services.found_team(by=captain, name="Draveurs", size=4)
    TeamPlayer.objects.create(team=team, player=a_player("Lise"), slot=6, joined=clock.now())
    for slot in (0, 7):
        with pytest.raises(IntegrityError), transaction.atomic():
            TeamPlayer.objects.create(team=team, player=a_player("Yvon"), slot=slot, joined=clock.now())


def test_a_place_is_called_by_its_number_and_the_teams_size():
    with translation.override("en"):
        assert [str(part_of(slot, 2)) for slot in range(1, 5)] == [
            "captain", "partner", "first substitute", "second substitute",
        ]  # fmt: skip
        assert [str(part_of(slot, 4)) for slot in range(1, 7)] == [
            "captain", "second player", "third player", "fourth player", "first substitute", "second substitute",
        ]  # fmt: skip


def test_a_substitute_and_a_starter_of_a_team_of_three_change_places(captain):  # noqa: F811
    team = services.found_team(by=captain, name="Draveurs", size=3)
    in_team(team, 2, "Océane"), in_team(team, 3, "Réjean")
    substitute = in_team(team, 4, "Yvon")
    services.set_place(by=captain, team=team, player=substitute, slot=2)
    assert names(team) == (["Martine", "Yvon", "Réjean"], ["Océane"])


def test_the_size_changes_until_somebody_has_joined(captain):  # noqa: F811
    team = services.found_team(by=captain, name="Draveurs")
    assert services.resize_team(by=captain, team=team, size=4).size == 4
    _row, token = services.invite_by_link(by=captain, team=team, slot=4)
    assert refusal(lambda: services.resize_team(by=captain, team=team, size=2)) == "invitation_open"
    services.answer_link(by=a_player("Lise"), token=token, accept=True)
    assert refusal(lambda: services.resize_team(by=captain, team=team, size=2)) == "team_size_fixed"
    assert services.resize_team(by=captain, team=team, size=4).size == 4
    for person in (a_player("Yvon"), None):
        with pytest.raises(NotAllowed):
            services.resize_team(by=person, team=team, size=3)
    team.refresh_from_db()
    assert team.size == 4


def test_an_invitation_that_ran_out_does_not_keep_the_size(frozen_clock):
    captain = a_player("Martine")  # noqa: F811
    team = services.found_team(by=captain, name="Draveurs", size=4)
    services.invite_by_link(by=captain, team=team, slot=4)
    frozen_clock.advance(days=7)
    assert services.resize_team(by=captain, team=team, size=2).size == 2


def test_an_officer_forms_a_team_of_as_many_as_the_form_names(sign_in):  # noqa: F811
    officer = a_login("Gaston Roy", "gaston@example.org")
    club = services.found_club(by=officer, name="Les Pieux", town="Grand-Mère")
    people = [officer, *(a_player(name) for name in ("Océane", "Réjean", "Yvon"))]
    for person in people[1:]:
        services.join(by=person, club=club)
    address = reverse("clubs:form_team", args=[club.slug])
    names_of = ("captain", "partner", "third", "fourth")
    client = sign_in(officer)
    for count in (2, 3, 4):
        chosen = {name: person.pk for name, person in zip(names_of, people[:count], strict=False)}
        assert client.post(address, {"name": f"Équipe {count}"} | chosen).status_code == 302
        team = Team.objects.get(name=f"Équipe {count}")
        assert (team.size, list(selectors.roster(team).starters)) == (count, people[:count])
    twice = client.post(
        address, {"name": "Deux fois", "captain": officer.pk, "partner": people[1].pk, "third": officer.pk}
    )
    assert twice.context["form"].non_field_errors()
    assert not Team.objects.filter(name="Deux fois").exists()


def test_a_team_of_four_is_founded_and_filled_through_its_pages(sign_in, captain, partner):  # noqa: F811
    client = sign_in(captain)
    client.post(reverse("clubs:found_team"), {"name": "Draveurs", "size": "4", "club": ""})
    team = Team.objects.get()
    page = html.unescape(client.get(reverse("pages:team", args=[team.slug])).content.decode())
    assert [place.slot for place in client.get(reverse("clubs:invite", args=[team.slug])).context["free"]] == [
        2,
        3,
        4,
        5,
        6,
    ]
    assert page.count(f"{reverse('clubs:invite', args=[team.slug])}?place=") == 5
    sent = client.post(reverse("clubs:invite_player", args=[team.slug]), {"player": partner.slug, "slot": "6"})
    assert sent.url == reverse("pages:team", args=[team.slug])
    assert TeamInvitation.objects.get().slot == 6
    for slot in ("7", "0", "x", ""):
        answer = client.post(reverse("clubs:invite_link", args=[team.slug]), {"slot": slot})
        assert answer.status_code == 422
    assert TeamInvitation.objects.count() == 1
    services.revoke(by=captain, invitation=TeamInvitation.objects.get())
    edit = client.get(reverse("clubs:edit_team", args=[team.slug]))
    assert edit.context["size_form"].initial == {"size": 4}
    assert client.post(reverse("clubs:resize_team", args=[team.slug]), {"size": "3"}).status_code == 302
    assert client.post(reverse("clubs:resize_team", args=[team.slug]), {"size": "5"}).status_code == 422
    team.refresh_from_db()
    assert team.size == 3
    in_team(team, 2, "Lise")
    assert client.get(reverse("clubs:edit_team", args=[team.slug])).context["size_form"] is None
    assert sign_in(partner).post(reverse("clubs:resize_team", args=[team.slug]), {"size": "2"}).status_code == 403


def test_a_club_sees_all_players_of_its_larger_teams(client):
    officer = a_login("Gaston Roy", "gaston@example.org")
    club = services.found_club(by=officer, name="Les Pieux", town="Grand-Mère")
    people = [a_player(name) for name in ("Océane", "Réjean", "Yvon", "Lise")]
    services.form_team(by=SITE, name="Draveurs", players=people, club=club)
    page = html.unescape(client.get(reverse("pages:club", args=[club.slug])).content.decode())
    assert all(person.display_name in page for person in people)
