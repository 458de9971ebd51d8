"""The name of a child of before leaves the names of teams and tables, as at an erasure (decision 0030)."""

from games import people as games
from ratings import people as ratings
from tock_league.accounts.announcements import NameHidden
from tock_league.accounts.models import Player
from tock_league.clubs import people as clubs
from tock_league.common import clock
from tock_league.common.persons import Leaving, Person
from tock_league.competitions import people as competitions


def hide_name(told: NameHidden) -> None:
    """Handle NameHidden: put the pseudonym into names of teams and tables, and into texts of officials without a hash.

    What was signed, rulings and corrections, stays: only an erasure writes the permits for that (decision 0028).
    """
    player = Player.objects.get(pk=told.player_id)
    player.display_name = told.name
    person = Person(None, player)
    leaving = Leaving(person, told.pseudonym, clock.now(), competitions.events_of(person))
    competitions.clean_texts(leaving)
    clubs.name_teams(leaving)
    competitions.name_tables(leaving)
    games.name_tables(leaving)
    ratings.name_snapshots(leaving)
