"""Club nights with drawn partners."""

import pytest

from tock_league.accounts.permissions import SITE
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
