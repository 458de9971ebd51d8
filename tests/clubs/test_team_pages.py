"""The pages of teams, by role: the captain's actions, an invited person's view, and what is refused to others."""

import html
import re

import pytest
from django.urls import reverse

from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import create_player, create_user
from tock_league.clubs import selectors, services
from tock_league.clubs.models import Team, TeamInvitation

pytestmark = pytest.mark.django_db
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def a_login(name, email):
    return create_player(display_name=name, user=create_user(email=email))


@pytest.fixture
def captain():
    return a_login("Martine Gélinas", "martine@example.org")


@pytest.fixture
def partner():
    return a_login("Océane Trudel", "oceane@example.org")


@pytest.fixture
def team(captain):
    return services.found_team(by=captain, name="Draveurs")


@pytest.fixture
def sign_in(client):
    def _as(player):
        client.force_login(player.user, backend=BACKEND)
        return client

    return _as


def text(answer):
    return html.unescape(answer.content.decode())


def link_in(answer):
    return re.search(r'value="http://testserver(/teams/invitations/[^"]+/)"', answer.content.decode())[1]


def test_a_player_founds_a_team_and_lands_where_the_partner_is_invited(sign_in, captain):
    client = sign_in(captain)
    answer = client.post(reverse("clubs:found_team"), {"name": "Draveurs", "size": "2", "club": ""})
    team = Team.objects.get()
    assert answer.url == reverse("clubs:invite", args=[team.slug])
    assert client.get(answer.url).status_code == 200
    assert client.get(reverse("pages:team", args=[team.slug])).status_code == 200


@pytest.mark.parametrize("name", ["<b>Draveurs</b>", "D\x00raveurs", "D", "", "D" * 1_000_000, "Dra\u202everus"])
def test_a_bad_name_comes_back_beside_its_field(name, sign_in, captain):
    client = sign_in(captain)
    answer = client.post(reverse("clubs:found_team"), {"name": name, "size": "2", "club": ""})
    assert answer.status_code == 200
    assert "name" in answer.context["form"].errors
    assert not Team.objects.exists()


def test_a_club_of_others_is_neither_offered_nor_accepted(sign_in, captain):
    club = services.found_club(by=SITE, name="Les Pieux", town="Grand-Mère")
    client = sign_in(captain)
    answer = client.post(reverse("clubs:found_team"), {"name": "Draveurs", "size": "2", "club": club.slug})
    assert "club" in answer.context["form"].errors
    services.join(by=captain, club=club)
    assert client.get(reverse("clubs:found_team") + f"?club={club.slug}").context["form"].initial["club"] == club.slug
    client.post(reverse("clubs:found_team"), {"name": "Draveurs", "size": "2", "club": club.slug})
    assert Team.objects.get().club == club
    assert "Draveurs" in text(client.get(reverse("pages:club", args=[club.slug])))


def test_by_name_the_invited_person_finds_it_on_the_first_page_and_accepts(sign_in, captain, partner, team):
    client = sign_in(captain)
    found = client.get(reverse("clubs:invite", args=[team.slug]) + "?place=2&q=oc%C3%A9")
    assert "Océane Trudel" in text(found)
    sent = client.post(reverse("clubs:invite_player", args=[team.slug]), {"player": partner.slug, "slot": 2})
    assert sent.url == reverse("pages:team", args=[team.slug])
    client = sign_in(partner)
    for page in (reverse("pages:home"), reverse("pages:tonight"), reverse("pages:player", args=[partner.slug])):
        assert "Martine Gélinas" in text(client.get(page))
    invitation = TeamInvitation.objects.get()
    client.post(reverse("clubs:answer", args=[invitation.pk]), {"accept": "yes"})
    assert [player.pk for player in selectors.roster(team).starters] == [captain.pk, partner.pk]
    assert 'id="waiting"' not in text(client.get(reverse("pages:home")))


def test_invitations_are_shown_only_to_the_invited_person(sign_in, captain, partner, team):
    services.invite(by=captain, team=team, player=partner, slot=2)
    client = sign_in(captain)
    for page in (reverse("pages:home"), reverse("pages:player", args=[partner.slug])):
        assert 'id="waiting"' not in text(client.get(page))
    client.logout()
    public = text(client.get(reverse("pages:team", args=[team.slug])))
    assert "Océane Trudel" not in public  # the question is between the two people


def test_a_link_is_shown_once_and_leads_a_visitor_through_signing_in(client, sign_in, captain, partner, team):
    sign_in(captain)
    made = client.post(reverse("clubs:invite_link", args=[team.slug]), {"slot": 2})
    link = link_in(made)
    assert made.headers["Cache-Control"].startswith("max-age=0")
    token = link.split("/")[-2]
    assert token not in text(client.get(reverse("pages:team", args=[team.slug])))
    client.logout()
    page = text(client.get(link))
    assert "Draveurs" in page
    assert f"/accounts/login/?next={link}" in page
    assert client.post(link + "answer/", {"accept": "yes"}).url.startswith("/accounts/login/")
    sign_in(partner)
    assert client.post(link + "answer/", {"accept": "yes"}).url == reverse("pages:team", args=[team.slug])
    assert client.get(link).status_code == 409
    assert client.post(link + "answer/", {"accept": "yes"}).status_code == 409
    assert client.get("/teams/invitations/never-made/").status_code == 404


def test_the_captain_is_told_that_the_link_is_for_the_partner(sign_in, captain, team):
    client = sign_in(captain)
    link = link_in(client.post(reverse("clubs:invite_link", args=[team.slug]), {"slot": 2}))
    assert "/answer/" not in client.get(link).content.decode()
    assert client.post(link + "answer/", {"accept": "yes"}).status_code == 422


def test_a_second_offer_of_one_place_is_refused_on_the_page_that_asked(sign_in, captain, partner, team):
    client = sign_in(captain)
    address = reverse("clubs:invite_player", args=[team.slug])
    client.post(address, {"player": partner.slug, "slot": 2})
    again = client.post(address, {"player": partner.slug, "slot": 3})
    assert again.status_code == 422
    assert 'role="alert"' in again.content.decode()
    assert TeamInvitation.objects.count() == 1


@pytest.mark.parametrize(
    "data", [{}, {"slot": 1, "player": "x"}, {"slot": 2}, {"slot": "99999999999999999999", "player": "x"}]
)
def test_a_hand_made_invitation_is_refused(data, sign_in, captain, team):
    assert sign_in(captain).post(reverse("clubs:invite_player", args=[team.slug]), data).status_code == 422
    assert not TeamInvitation.objects.exists()


def test_only_the_captain_reaches_the_pages_of_the_team(client, sign_in, captain, partner, team):
    doors = {
        "invite": None,
        "edit_team": None,
        "invite_link": {"slot": 2},
        "invite_player": {"player": partner.slug, "slot": 2},
        "set_place": {"player": captain.slug, "slot": 2},
        "dissolve": {},
    }

    def answers():
        return {
            name: (client.get if data is None else client.post)(reverse(f"clubs:{name}", args=[team.slug]), data or {})
            for name, data in doors.items()
        }

    assert {answer.status_code for answer in answers().values()} == {302}
    sign_in(partner)
    assert {name: answer.status_code for name, answer in answers().items()} == dict.fromkeys(doors, 403)
    removed = client.post(reverse("clubs:remove_player", args=[team.slug, captain.slug]))
    assert removed.status_code == 403
    assert selectors.roster(team).starters == (captain,)


def test_a_strangers_invitation_is_refused_and_a_missing_one_not_found(sign_in, captain, partner, team):
    invitation = services.invite(by=captain, team=team, player=partner, slot=2)
    client = sign_in(a_login("Réjean Lampron", "rejean@example.org"))
    assert client.post(reverse("clubs:answer", args=[invitation.pk]), {"accept": "yes"}).status_code == 403
    assert client.post(reverse("clubs:revoke", args=[invitation.pk])).status_code == 403
    for pk in (0, 999_999, 10**30):
        assert client.post(reverse("clubs:answer", args=[pk]), {"accept": "yes"}).status_code == 404
    sign_in(partner)
    assert client.post(reverse("clubs:answer", args=[invitation.pk]), {"accept": "perhaps"}).status_code == 422


def test_the_history_of_the_roster_is_public(client, captain, partner, team):
    services.answer(by=partner, invitation=services.invite(by=captain, team=team, player=partner, slot=2), accept=True)
    services.leave_team(by=partner, team=team)
    page = text(client.get(reverse("pages:team", args=[team.slug])))
    assert "Océane Trudel" in page
    assert client.get(reverse("pages:team", args=["nowhere1"])).status_code == 404


def test_leaving_and_dissolving_by_the_buttons(sign_in, captain, partner, team):
    services.answer(by=partner, invitation=services.invite(by=captain, team=team, player=partner, slot=2), accept=True)
    client = sign_in(partner)
    assert client.post(reverse("clubs:leave_team", args=[team.slug])).status_code == 302
    assert client.post(reverse("clubs:leave_team", args=[team.slug])).status_code == 409
    client = sign_in(captain)
    assert client.post(reverse("clubs:dissolve", args=[team.slug])).status_code == 302
    assert client.post(reverse("clubs:dissolve", args=[team.slug])).status_code == 409
    page = text(client.get(reverse("pages:team", args=[team.slug])))
    assert "/edit/" not in page
    assert client.get(reverse("clubs:edit_team", args=[team.slug])).status_code == 403  # no captain is left


def test_a_search_with_a_control_character_finds_nobody_and_says_why(sign_in, captain, team):
    page = sign_in(captain).get(reverse("clubs:invite", args=[team.slug]) + "?q=a%00b")
    assert page.status_code == 200
    assert "q" in page.context["search"].errors
