"""Finished games, announced as a table does, and the evenings on which they are played."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count

from games.announcements import GameFinished
from ratings import services
from tock_league.accounts.models import Player
from tock_league.common import clock
from tock_league.common.transactions import writing


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


def evening(hand: clock.Frozen, hours: float = 24) -> None:
    """Advance the clock to the next evening."""
    hand.set(clock.now() + timedelta(hours=hours))
