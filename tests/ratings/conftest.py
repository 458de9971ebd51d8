"""Fixtures of the rating tests: players, finished games and a clock."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

import pytest

from games.announcements import GameFinished
from ratings import services
from tock_league.accounts.models import Player
from tock_league.accounts.services import create_player
from tock_league.common import clock
from tock_league.common.transactions import writing

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


class Finished:
    """Announces finished games, each in a transaction, as a table does."""

    def __init__(self, hand: clock.Frozen) -> None:
        self.hand = hand
        self.numbers = count(1)

    def __call__(
        self,
        a: Sequence[Player],
        b: Sequence[Player],
        *,
        ranks: tuple[int, int] = (0, 1),
        finished_at: datetime | None = None,
        **more: object,
    ) -> int:
        """Announce a game of `a` and `b`, which `a` won unless `ranks` says otherwise; return its id."""
        number = next(self.numbers)
        facts: dict[str, object] = {
            "game_id": number,
            "table_id": number,
            "rules": "shawinigan/1",
            "teams": 2,
            "sides": (tuple(p.pk for p in a), tuple(p.pk for p in b)),
            "ranks": ranks,
            "rated": True,
            "reason": "played",
            "finished_at": finished_at or clock.now(),
        }
        with writing():
            services.log_result(GameFinished(**{**facts, **more}))  # type: ignore[arg-type]
        return number


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


def evening(hand: clock.Frozen, hours: float = 24) -> None:
    """Advance the clock to the next evening."""
    hand.set(clock.now() + timedelta(hours=hours))
