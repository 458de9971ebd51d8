"""The bytes of deleted rows: SQLite keeps them until the file is rewritten."""

from pathlib import Path

import pytest
from django.db import connection

from games.models import Game
from games.services import tables
from tests.people.searching import files_with
from tock_league.accounts.services import create_player, create_user
from tock_league.people import erasure, parts
from tock_league.people.models import Erased

pytestmark = pytest.mark.django_db(transaction=True)
NAME, ADDRESS = "Philomène Désaulniers", "philomene@exemple.quebec"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL reuses the space by itself")
def test_an_erased_name_is_not_in_the_file_of_the_database() -> None:
    file = Path(connection.settings_dict["NAME"])
    player = create_player(display_name=NAME, user=create_user(email=ADDRESS))
    for number in range(40):  # more than a page, so that pages become free
        create_player(display_name=f"Autre {number}", user=create_user(email=f"autre{number}@exemple.quebec"))
    erasure.erase(parts.person_of(player=player))
    game = tables.open_practice(guest_key="visitor").games.get()
    # Left by a visitor: it has no clock and never ends.
    Game.objects.filter(pk=game.pk).update(state=Game.State.PLAYING)
    assert files_with(file.parent, ADDRESS)
    assert erasure.wipe_traces()
    assert files_with(file.parent, NAME, ADDRESS) == []
    assert not erasure.wipe_traces()  # nobody was erased since
    assert Erased.objects.get().wiped
