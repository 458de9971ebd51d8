"""Every table of the rulebook: rule set, seats, teams, full ranking; named as in the samples."""

from dataclasses import dataclass

from games.engine import registry
from games.engine.tock.game import GAME
from games.engine.tock.position import Position

from .reference import sheets


@dataclass(frozen=True)
class Configuration:
    """One kind of table. `full`: individual play with full ranking."""

    rules: str
    seats: int
    teams: int
    full: bool = False

    @property
    def individual(self) -> bool:
        return self.teams == self.seats

    def __str__(self) -> str:
        return f"{self.rules} {self.seats}/{self.teams}" + (" full" if self.full else "")

    def new(self, dealer: int = 0) -> Position:
        """Return the engine's new game at such a table."""
        return GAME.new(
            registry.rules(self.rules), seats=self.seats, teams=self.teams, dealer=dealer, full_ranking=self.full
        )


ALL = tuple(
    Configuration(rules, seats, teams, full)
    for rules, tables in sheets.TABLES.items()
    for seats, numbers in tables.items()
    for teams in numbers
    for full in ((False, True) if teams == seats else (False,))
)
