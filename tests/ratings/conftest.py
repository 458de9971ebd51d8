"""Fixtures of the rating tests: players, finished games and a clock."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from ratings import services
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player
from tock_league.clubs.models import Club, Membership
from tock_league.common import clock

from .announced import Finished
from .board_world import play_season, team
from .history import START

NAMES = [
    *("Martine Gélinas", "Réjean Lampron", "Diane Tellier", "Jocelyn Hubert", "Océane Trudel", "Yvon Bellemare"),
    *("Maïka Ottawa", "Andréa Rojas", "Gaston Pronovost", "Sylvie Doucet", "Marc Villemure", "Lise Caron"),
    *("Benoît Lafleur", "Ginette Milot", "Steeve Gauthier", "Chantal Bordeleau"),
]


@pytest.fixture
def at(db: None) -> Iterator[clock.Frozen]:
    """The clock, frozen at START."""
    with clock.frozen(START) as hand:
        yield hand


@pytest.fixture
def people(at: clock.Frozen) -> list[Player]:
    """Sixteen players."""
    return [create_player(display_name=name) for name in NAMES]


@pytest.fixture
def finished(at: clock.Frozen) -> Finished:
    return Finished(at)


@pytest.fixture
def settled(at: clock.Frozen) -> Callable[[], services.Rated]:
    """Return a function that waits until the entries are old enough and rates them."""

    def settle(key: str = "shawinigan:2") -> services.Rated:
        at.advance(seconds=2)
        rated = services.rate_waiting(ladder_key=key)
        while rated.resting == timedelta(0):  # more than a batch waits
            more = services.rate_waiting(ladder_key=key)
            rated = replace(more, applied=rated.applied + more.applied, changes=rated.changes + more.changes)
        return rated

    return settle


@pytest.fixture
def clubs(people: list[Player]) -> list[Club]:
    """Two clubs of eight members each, with four named pairs."""
    made = [
        Club.objects.create(slug="shawinigan", name="Club de tock de Shawinigan", town="Shawinigan"),
        Club.objects.create(slug="grand-mere", name="Club de tock de Grand-Mère", town="Grand-Mère"),
    ]
    for i, player in enumerate(people):
        Membership.objects.create(club=made[i // 8], player=player, home=True, since=clock.now())
    for i in range(8):
        team(f"Équipe {i + 1}", people[2 * i : 2 * i + 2], made[i // 4])
    return made


@pytest.fixture
def season(at: clock.Frozen, people: list[Player], clubs: list[Club], finished: Finished) -> None:
    play_season(at, people, finished, rounds=30)
