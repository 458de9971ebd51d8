"""Twenty histories of a ladder; `python -m tests.soak.ratings` runs more. See machine.py."""

import os

import pytest

from tock_league.accounts.models import Player
from tock_league.clubs import services as clubs
from tock_league.clubs.models import Club
from tock_league.common import clock

from .announced import Finished
from .machine import Machine

pytestmark = pytest.mark.both_databases
SEEDS = range(int(os.environ.get("TOCK_RATINGS_FROM", "0")), int(os.environ.get("TOCK_RATINGS_SEEDS", "20")))
STEPS = 30


@pytest.mark.parametrize("seed", SEEDS)
def test_at_rest_the_ratings_are_those_of_a_replay(
    seed: int, at: clock.Frozen, people: list[Player], finished: Finished
) -> None:
    homes = [Club.objects.create(slug=slug, name=slug, town=slug) for slug in ("batiscan", "shawinigan")]
    for number, person in enumerate(people):
        clubs.join(by=person, club=homes[number % 2])
    machine = Machine(seed, at, people, homes, finished)
    try:
        machine.run(STEPS)
    except BaseException:
        print("history:", " ".join(machine.done))
        raise
