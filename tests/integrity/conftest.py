"""Fixtures of the watch: a ladder of six pairs, of which two mostly meet each other, and a head referee."""

from collections.abc import Callable

import pytest

from ratings import services as ratings
from ratings.models import Ladder
from tests.accounts.signing import a_player
from tests.ratings.announced import Finished, evening
from tests.ratings.conftest import at, finished, people, settled  # noqa: F401  fixtures
from tock_league.accounts.models import Player
from tock_league.accounts.permissions import SITE
from tock_league.accounts.services import give_role
from tock_league.common import clock

KEY = "shawinigan:2"
Play = Callable[[int], Ladder]


@pytest.fixture
def head(at: clock.Frozen) -> Player:  # noqa: F811
    """The head referee of the site, with a login."""
    player = a_player("Ghislain Trottier", "arbitre@example.org")
    give_role(player=player, name="head_referee", by=SITE)
    return player


@pytest.fixture
def arranged(at: clock.Frozen, people: list[Player], finished: Finished) -> Play:  # noqa: F811
    """Return a function: after a round of all pairs, the first pair beats the second so many times; all is rated."""

    def play(times: int) -> Ladder:
        pairs = [people[2 * i : 2 * i + 2] for i in range(8)]
        for i in range(0, 8, 2):
            evening(at)
            finished(pairs[i], pairs[i + 1])
        for _ in range(times):
            evening(at)
            finished(pairs[0], pairs[1])
        at.advance(minutes=2)
        while ratings.rate_waiting(ladder_key=KEY).applied:
            pass
        return Ladder.objects.get(key=KEY)

    return play
