"""Who tries the steps of a sequence."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from tock_league.accounts.models import Player
from tock_league.arbitration.models import Case, Ruling
from tock_league.common import clock

from .promises import barred
from .stage import Stage

Act = Callable[[], object] | None  # what is tried; None where nothing can be


class Trying:
    """The people of one sequence, its dice and its clock."""

    def __init__(self, stage: Stage, seed: int, hand: Any) -> None:
        self.stage, self.hand, self.seed = stage, hand, seed
        self.dice = random.Random(f"cases {seed}")
        self.case: Case | None = None  # that the next step is about

    def who(self, likely: Sequence[Player], often: float = 0.8) -> Player:
        """Return one of the likely people, or now and then anybody."""
        people = likely if likely and self.dice.random() < often else self.stage.people
        return self.dice.choice(list(people))

    def about_them(self, players: Sequence[Player]) -> Player:
        """Return one of the players, more often one who is kept out."""
        kept_out = {player.pk for player in self.kept_out()}
        found = [player for player in players if player.pk in kept_out]
        return self.dice.choice(found if found and self.dice.random() < 0.7 else list(players))

    def kept_out(self) -> list[Player]:
        """Return the players whom a ruling keeps out now."""
        if not Ruling.objects.filter(penalty__in=("suspension", "ban")).exists():
            return []
        now = barred(clock.now())
        return [player for player in self.stage.players if player.pk in now]
