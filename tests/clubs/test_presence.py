"""Who is here now: of the own clubs and teams alone, never children, never whoever hides or is blocked."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.children import a_child, a_guardian, consented
from tests.accounts.signing import a_player as a_signed_up_player
from tests.accounts.signing import sign_in
from tests.documents import squeezed
from tock_league.accounts import blocks, sessions
from tock_league.accounts.models import Player
from tock_league.accounts.services import edit_profile
from tock_league.clubs import presence, services
from tock_league.clubs.models import Club, Team
from tock_league.common import clock

pytestmark = pytest.mark.django_db


def a_player(name: str) -> Player:
    return a_signed_up_player(name, f"{name.lower()}@example.org")


class World:
    """A club of Anna, Bruno and Carole; Denis is Anna's partner; Edith is nobody's."""

    def __init__(self) -> None:
        names = ("Anna", "Bruno", "Carole", "Denis", "Edith")
        self.anna, self.bruno, self.carole, self.denis, self.edith = (a_player(name) for name in names)
        self.club: Club = services.found_club(by=self.anna, name="Club de tock de Shawinigan", town="Shawinigan")
        for player in (self.bruno, self.carole):
            services.join(by=player, club=self.club)
        self.team: Team = services.found_team(by=self.anna, name="Les As")
        offer = services.invite(by=self.anna, team=self.team, player=self.denis, slot=2)
        services.answer(by=self.denis, invitation=offer, accept=True)
        Player.objects.update(language="en")


@pytest.fixture
def hand():
    with clock.frozen(clock.now()) as held:
        yield held


@pytest.fixture
def world(hand) -> World:
    return World()


def comes(player: Player) -> Client:
    """Sign in, as a browser does."""
    client = Client(headers={"accept-language": "en", "accept": "text/html,*/*"})
    sign_in(client, player.user)
    return client


def names(people) -> list[str]:
    return [one.display_name for one in people]


def test_people_of_the_own_clubs_and_teams_are_here_while_they_use_the_site(world, hand):
    browsers = {player: comes(player) for player in (world.anna, world.bruno, world.denis, world.edith)}
    assert names(presence.present(world.anna)) == ["Bruno", "Denis"]
    assert names(presence.present(world.bruno)) == ["Anna"]
    assert names(presence.present_in_club(world.anna, world.club)) == ["Bruno"]
    assert names(presence.present_in_team(world.denis, world.team)) == ["Anna"]
    hand.advance(seconds=sessions.LONGEST_STEP_S + 60)
    browsers[world.bruno].get(reverse("clubs:list"))  # goes on reading: the only one
    hand.advance(seconds=120)
    assert names(presence.present(world.anna)) == ["Bruno"]
    browsers[world.bruno].logout()
    assert presence.present(world.anna) == []


def test_use_is_written_often_enough_for_whoever_goes_on(world, hand):
    """A person who opens a page each minute is here the whole time, though not each page writes."""
    client = comes(world.bruno)
    for _minute in range(25):
        hand.advance(seconds=60)
        client.get(reverse("clubs:list"))
        assert names(presence.present(world.anna)) == ["Bruno"]
    assert timedelta(seconds=sessions.LONGEST_STEP_S) < presence.HERE_FOR


def test_strangers_and_visitors_see_nobody(world):
    for player in (world.anna, world.bruno):
        comes(player)
    assert presence.present(None) == presence.present(world.edith) == []
    assert presence.present_in_club(world.edith, world.club) == presence.present_in_club(None, world.club) == []
    assert presence.present_in_team(world.bruno, world.team) == presence.present_in_team(None, world.team) == []
    assert "Here now" not in squeezed(
        comes(world.edith).get(reverse("pages:club", args=[world.club.slug])).content.decode()
    )


def test_who_hides_blocks_or_has_left_is_not_seen(world):
    for player in (world.bruno, world.carole, world.denis):
        comes(player)
    assert len(presence.present(world.anna)) == 3
    edit_profile(
        by=world.bruno, player=world.bruno, display_name="Bruno", language="fr", time_zone="America/Toronto",
        shows_presence=False,
    )  # fmt: skip
    assert names(presence.present(world.anna)) == ["Carole", "Denis"]
    blocks.block(by=world.carole, player=world.anna)
    assert names(presence.present(world.anna)) == ["Denis"]
    services.leave_team(by=world.denis, team=world.team)
    assert presence.present(world.anna) == []


def test_children_are_not_seen_and_see_nobody(world):
    child, guardian = a_child(), a_guardian()
    consented(child, guardian)
    services.join(by=child, club=world.club)
    comes(child)
    comes(world.bruno)
    assert child.shows_presence
    assert names(presence.present(world.anna)) == ["Bruno"]
    assert presence.present(child) == presence.present_in_club(child, world.club) == []


def test_pages_of_club_and_team_show_it_to_members_and_the_profile_switches_it_off(world):
    bruno = comes(world.bruno)
    club = squeezed(comes(world.anna).get(reverse("pages:club", args=[world.club.slug])).content.decode())
    assert "Here now" in club
    form = {"display_name": "Bruno", "language": "en", "time_zone": "America/Toronto", "page_for": "clubs"}
    assert bruno.post(reverse("accounts:profile"), form | {"shows_presence": "on"}).status_code == 302
    assert names(presence.present(world.anna)) == ["Bruno"]
    assert bruno.post(reverse("accounts:profile"), form).status_code == 302  # the switch is off
    assert presence.present(world.anna) == []
    comes(world.denis)
    team = squeezed(comes(world.anna).get(reverse("pages:team", args=[world.team.slug])).content.decode())
    assert "Here now" in team
    assert "Denis" in team


def test_it_takes_three_queries(world, django_assert_num_queries):
    for player in (world.bruno, world.carole, world.denis):
        comes(player)
    with django_assert_num_queries(3):  # whether the reader is a child, blocks, the people
        assert len(presence.present(world.anna)) == 3
