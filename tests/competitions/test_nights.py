"""Club nights with drawn partners."""

import pytest

from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.clubs import services as clubs
from tock_league.common.errors import Conflict, Refused
from tock_league.competitions.core.lots import draw_sides
from tock_league.competitions.models import Entry
from tock_league.competitions.selectors.seasons import competitions
from tock_league.competitions.services.seasons import nights, regulations

from .world import FIRST_ROUND, a_club, a_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(hand):
    return nights.announce_night(
        by=SITE, club=a_club(), name="Soirée du vendredi", regulations=regulations.freeze(code="night")
    )


def test_the_seed_is_published_before_anybody_comes(night):
    assert night.state == "published"
    assert night.lots_seed
    assert not night.entries.exists()


def test_partners_are_those_anybody_draws_from_the_seed(night):
    players = [a_player(f"Joueur {number}") for number in range(8)]
    made = nights.draw_and_start(by=SITE, night=night, players=players, starts_at=FIRST_ROUND)
    pairs = [tuple(spot.player.slug for spot in entry.roster.order_by("slot")) for entry in made]
    assert pairs == list(draw_sides(night.lots_seed, [player.slug for player in reversed(players)]))
    assert all(entry.team.drawn for entry in made)
    night.refresh_from_db()
    assert night.state == "running"
    assert night.matches.count() == 6
    assert night.matches.last().starts_at.minute == 20  # the third round, 80 minutes after 19:00


def test_partners_are_drawn_once(night):
    players = [a_player(f"Joueur {number}") for number in range(4)]
    nights.draw_and_start(by=SITE, night=night, players=players, starts_at=FIRST_ROUND)
    with pytest.raises(Conflict):
        nights.draw_and_start(by=SITE, night=night, players=players, starts_at=FIRST_ROUND)


def test_two_members_of_one_name_from_before_play_and_a_guest_of_that_name_does_not(night):
    players = [a_player(f"Joueur {number}") for number in range(4)]
    for player in players[:2]:
        clubs.join(by=SITE, club=night.club, player=player)
    Player.objects.filter(pk=players[1].pk).update(display_name="Joueur 0")
    Player.objects.filter(pk=players[3].pk).update(display_name="JOUEUR 0")
    read = list(Player.objects.filter(pk__in=[player.pk for player in players]))
    with pytest.raises(Refused, match="name_confusable"):
        nights.draw_teams(by=SITE, night=night, players=read)
    Player.objects.filter(pk=players[3].pk).update(display_name="Joueur 3")
    read = list(Player.objects.filter(pk__in=[player.pk for player in players]))
    assert len(nights.draw_teams(by=SITE, night=night, players=read)) == 2


def test_drawn_teams_do_not_count_against_the_days_limit(hand, settings):
    settings.TEAMS_FORMED_PER_DAY = 1
    officer = a_player("Organisatrice")
    night = nights.announce_night(
        by=officer, club=a_club(by=officer), name="Soirée", regulations=regulations.freeze(code="night")
    )
    players = [a_player(f"Joueur {number}") for number in range(8)]
    assert len(nights.draw_teams(by=officer, night=night, players=players)) == 4


def test_an_odd_evening_is_refused_and_nothing_is_written(night):
    players = [a_player(f"Joueur {number}") for number in range(5)]
    with pytest.raises(Refused) as error:
        nights.draw_and_start(by=SITE, night=night, players=players, starts_at=FIRST_ROUND)
    assert (error.value.field, error.value.code) == ("players", "odd_players")
    assert not Entry.objects.exists()
    night.refresh_from_db()
    assert night.state == "published"


def test_everybody_can_draw_the_partners_again_from_the_page(night, client):
    players = [a_player(f"Joueur {number}") for number in range(6)]
    made = nights.draw_and_start(by=SITE, night=night, players=players, starts_at=FIRST_ROUND)
    lots = competitions.lots(night)
    drawn = [spot.player.slug for entry in made for spot in entry.roster.order_by("slot")]
    assert [public for _name, public, _lot in lots] == drawn
    page = client.get(f"/competitions/{night.slug}/regulations/").content.decode()
    assert lots[0][2][:16] in page
