"""Clubs: creating, joining, leaving, roles, teams; services and pages, by role."""

import pytest
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import selectors, services
from tock_league.clubs.models import Club, ClubRole, Membership, Team
from tock_league.common.errors import Conflict, NotAllowed, Refused

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def a_member(name, club=None, **login):
    player = create_player(display_name=name, user=create_user(**login) if login else None)
    if club is not None:
        services.join(by=player, club=club)
    return player


@pytest.fixture
def officer():
    return a_member("Gaston Pronovost", email="gaston@example.org")


@pytest.fixture
def club(officer):
    return services.found_club(by=officer, name="Club de tock de Shawinigan", town="Shawinigan")


@pytest.fixture
def sign_in(client):
    def _as(player):
        client.force_login(player.user, backend=BACKEND)
        return client

    return _as


def test_a_founder_is_the_first_member_and_officer(club, officer):
    (member,) = selectors.members(club)
    assert (member.player, member.home, [role.name for role in member.roles]) == (officer, True, ["officer"])
    assert club.slug == "club-de-tock-de-shawinigan"


def test_a_club_name_is_taken_once_and_the_refusal_names_it(club, officer):
    with pytest.raises(Refused) as error:
        services.found_club(by=officer, name="Club de tock de Shawinigan", town="Trois-Rivières")
    assert error.value.field == "name"
    assert Club.objects.count() == 1


def test_a_club_never_takes_the_address_of_a_page():
    assert services.found_club(by=SITE, name="New", town="York").slug != "new"


def test_joining_is_idempotent_and_a_second_home_club_is_refused(club):
    other = services.found_club(by=SITE, name="Les Pieux", town="Grand-Mère")
    player = a_member("Océane Trudel", club)
    assert services.join(by=player, club=club) == Membership.objects.get(player=player)
    with pytest.raises(Refused) as error:
        services.join(by=player, club=other)
    assert (error.value.code, error.value.field) == ("I01", "home")
    assert "Shawinigan" in str(error.value.sentence)
    assert not services.join(by=player, club=other, home=False).home


def test_leaving_ends_membership_and_roles_and_a_player_may_come_back(club):
    player = a_member("Océane Trudel", club)
    services.give_role(by=SITE, club=club, player=player, name="organiser")
    services.leave(by=player, club=club)
    assert not ClubRole.objects.filter(player=player, until__isnull=True).exists()
    with pytest.raises(Conflict):
        services.leave(by=player, club=club)
    assert services.join(by=player, club=club).until is None


def test_the_last_officer_stays_until_there_is_another(club, officer):
    for leave in (
        lambda: services.leave(by=officer, club=club),
        lambda: services.end_role(by=officer, role=ClubRole.objects.get()),
    ):
        with pytest.raises(Conflict) as error:
            leave()
        assert error.value.code == "last_officer"
    services.give_role(by=officer, club=club, player=a_member("Océane", club), name="officer")
    services.leave(by=officer, club=club)


def test_roles_are_given_by_officers_to_members_only(club, officer):
    member, stranger = a_member("Océane", club), a_member("Réjean")
    for person in (member, stranger, None):
        with pytest.raises(NotAllowed):
            services.give_role(by=person, club=club, player=member, name="organiser")
    with pytest.raises(Refused) as error:
        services.give_role(by=officer, club=club, player=stranger, name="organiser")
    assert error.value.field == "player"
    with pytest.raises(Refused) as error:
        services.give_role(by=officer, club=club, player=member, name="king")
    assert error.value.field == "name"


def test_an_officer_of_one_club_has_no_rights_in_another(club, officer):
    other = services.found_club(by=SITE, name="Les Pieux", town="Grand-Mère")
    with pytest.raises(NotAllowed):
        services.edit_club(by=officer, club=other, name="Le club de Gaston", town="X Y", about="")
    with pytest.raises(NotAllowed):
        services.join(by=officer, club=other, player=a_member("Océane"))


def test_a_team_is_two_to_four_different_people(club, officer):
    one = a_member("Océane", club)
    others = [a_member(name) for name in ("Réjean", "Yvon", "Lise")]
    for players in ([], [one], [one, one], [one, officer, one], [one, officer, *others]):
        with pytest.raises(Refused) as error:
            services.form_team(by=SITE, name="Draveurs", players=players, club=club)
        assert (error.value.field, error.value.code) == ("players", "team_size")
    assert not Team.objects.exists()


def test_a_team_name_is_free_again_in_another_club_and_for_drawn_pairs(club, officer):
    pair = [officer, a_member("Océane", club)]
    services.form_team(by=officer, name="Draveurs", players=pair, club=club)
    with pytest.raises(Refused) as error:
        services.form_team(by=officer, name="Draveurs", players=pair, club=club)
    assert error.value.field == "name"
    services.form_team(by=officer, name="Draveurs", players=pair, club=club, drawn=True)
    assert [team.name for team in selectors.teams_of_club(club)] == ["Draveurs"]


def test_only_officers_and_organisers_form_a_team_without_asking_its_players(club, officer):
    one, other, stranger = a_member("Océane", club), a_member("Martine", club), a_member("Réjean")
    for person in (one, stranger, None):
        with pytest.raises(NotAllowed):
            services.form_team(by=person, name="Draveurs", players=[one, other], club=club)
    team = services.form_team(by=officer, name="Draveurs", players=[one, other], club=club)
    assert [spell.player for spell in team.spells.all()] == [one, other]
    with pytest.raises(NotAllowed):
        services.form_team(by=officer, name="Vieux Pieux", players=[one, other])


# pages


def test_visitors_read_the_clubs_and_change_nothing(client, club):
    assert "Club de tock de Shawinigan" in client.get(reverse("clubs:list")).content.decode()
    assert client.get(reverse("pages:club", args=[club.slug])).status_code == 200
    for name in ("join", "leave", "give_role", "end_role"):
        answer = client.post(reverse(f"clubs:{name}", args=[club.slug]))
        assert answer.status_code == 302
        assert answer.url.startswith("/accounts/login/")
    for name, args in (("found", []), ("edit", [club.slug]), ("form_team", [club.slug])):
        assert client.get(reverse(f"clubs:{name}", args=args)).status_code == 302


def test_a_player_founds_a_club_and_bad_names_come_back_with_their_field(sign_in, club):
    client = sign_in(a_member("Océane", email="o@example.org"))
    bad = client.post(reverse("clubs:found"), {"name": club.name, "town": "T"})
    assert set(bad.context["form"].errors) == {"name", "town"}
    good = client.post(reverse("clubs:found"), {"name": "Les Pieux", "town": "Grand-Mère", "about": ""})
    assert good.url == "/clubs/les-pieux/"
    assert client.get(good.url).status_code == 200


def test_only_officers_see_the_page_that_looks_after_the_club(sign_in, club, officer):
    member = a_member("Océane", club, email="o@example.org")
    assert sign_in(member).get(reverse("clubs:edit", args=[club.slug])).status_code == 403
    client = sign_in(officer)
    page = client.get(reverse("clubs:edit", args=[club.slug]))
    assert page.status_code == 200
    changed = {"name": "Club de Shawi", "town": "Shawinigan", "about": "Légion"}
    assert client.post(reverse("clubs:edit", args=[club.slug]), changed).status_code == 302
    club.refresh_from_db()
    assert (club.name, club.slug) == ("Club de Shawi", "club-de-tock-de-shawinigan")
    role = {"player": member.slug, "name": "organiser"}
    assert client.post(reverse("clubs:give_role", args=[club.slug]), role).status_code == 302
    made = ClubRole.objects.get(player=member)
    assert client.post(reverse("clubs:end_role", args=[club.slug]), {"role": made.pk}).status_code == 302
    assert client.post(reverse("clubs:end_role", args=[club.slug]), {"role": "x"}).status_code == 404
    assert (
        client.post(reverse("clubs:give_role", args=[club.slug]), {"player": "nobody", "name": "officer"}).status_code
        == 404
    )
    assert (
        client.post(reverse("clubs:give_role", args=[club.slug]), {"player": member.slug, "name": "king"}).status_code
        == 422
    )


def test_joining_and_leaving_by_the_buttons(sign_in, club):
    player = a_member("Océane", email="o@example.org")
    client = sign_in(player)
    client.post(reverse("clubs:join", args=[club.slug]), {"home": "on"})
    assert selectors.home_club(player) == club
    client.post(reverse("clubs:leave", args=[club.slug]))
    assert selectors.home_club(player) is None
    assert client.post(reverse("clubs:leave", args=[club.slug])).status_code == 409
    assert client.get(reverse("clubs:join", args=[club.slug])).status_code == 405
    assert client.post(reverse("clubs:join", args=["nowhere"])).status_code == 404


def test_the_officers_team_form_offers_members_and_refuses_a_pair_of_one(sign_in, club, officer):
    one, stranger = a_member("Océane", club, email="o@example.org"), a_member("Réjean", email="r@example.org")
    other = a_member("Martine", club)
    address = reverse("clubs:form_team", args=[club.slug])
    for person in (stranger, one):
        assert sign_in(person).get(address).status_code == 403
    client = sign_in(officer)
    assert "Réjean" not in client.get(address).content.decode()
    bad = client.post(address, {"name": "Draveurs", "captain": one.pk, "partner": one.pk})
    assert bad.context["form"].non_field_errors()
    assert not Team.objects.exists()
    foreign = client.post(address, {"name": "Draveurs", "captain": one.pk, "partner": stranger.pk})
    assert "partner" in foreign.context["form"].errors
    assert client.post(address, {"name": "Draveurs", "captain": one.pk, "partner": other.pk}).status_code == 302
    assert Team.objects.get().name == "Draveurs"


def test_the_list_of_clubs_takes_as_many_queries_for_ten_as_for_one(client, club, django_assert_num_queries):
    # 1 clubs with their numbers of members
    with django_assert_num_queries(1):
        client.get(reverse("clubs:list"))
    for number in range(9):
        services.found_club(by=SITE, name=f"Club {number}", town="Mauricie")
    with django_assert_num_queries(1):
        client.get(reverse("clubs:list"))


def test_a_member_of_another_club_joins_as_a_guest(sign_in, club):
    other = services.found_club(by=SITE, name="Les Pieux", town="Grand-Mère")
    player = a_member("Océane", other, email="o@example.org")
    client = sign_in(player)
    assert 'name="home"' not in client.get(reverse("pages:club", args=[club.slug])).content.decode()
    client.post(reverse("clubs:join", args=[club.slug]))
    assert not selectors.membership(player, club).home
    refused = client.post(reverse("clubs:join", args=[club.slug]), {"home": "on"})
    assert refused.status_code == 302  # a member already: nothing changes
    assert selectors.home_club(player) == other
