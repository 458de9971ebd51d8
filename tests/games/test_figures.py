"""The figures of a game leave out what was taken back."""

import random

import pytest

from games import store
from games.models import Game
from games.selectors import figures
from tests.games.test_taking_back import play_on, practice
from tock_league.accounts.models import Player

pytestmark = pytest.mark.django_db


def test_plays_that_were_taken_back_count_nowhere(players: list[Player]) -> None:
    sat = practice(players)
    assert figures.figures(sat.game) is None  # it runs
    before = len(own_rows(sat.game))
    play_on(sat, random.Random(2))
    assert not sat.send(0, "take_back").code
    play_on(sat, random.Random(3))
    assert not sat.send(0, "resign").code
    found = figures.figures(Game.objects.select_related("table").get(pk=sat.game.pk))
    assert found is not None
    assert len(own_rows(sat.game)) == before + 2
    assert found.seats[0].turns == before + 1


def own_rows(game: Game) -> list[object]:
    return [row for row in store.load(game.pk) if row.kind == "play" and row.body.get("seat") == 0]
