"""The differences between rule sets of Nim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.engine.cards import NUMBER, pack
from games.engine.errors import UnknownRules

SEATS = TEAMS = 2
LEAST_HEAP = 8


@dataclass(frozen=True, slots=True)
class NimRules:
    """`most`: how many a seat may take at once."""

    id: str
    most: int

    @property
    def teams(self) -> Mapping[int, Sequence[int]]:
        return {SEATS: (TEAMS,)}

    def deck(self, seats: int) -> Sequence[int]:
        return tuple(NUMBER[text] for text in pack(1, ()))

    def check_table(self, seats: int, teams: int) -> None:
        if (seats, teams) != (SEATS, TEAMS):
            raise UnknownRules("no_such_table", f"{self.id} is played by two, each alone")
