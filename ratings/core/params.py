"""The parameters of the rating method: versioned data, changed only with an evaluation report."""

from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Params:
    """One version of the parameters; all in rating points unless said otherwise."""

    mu0: float = 25.0  # the mu of a new player
    sigma0: float = 25.0 / 3.0  # the sigma of a new player
    beta: float = 25.0 / 6.0  # standard deviation of one player's performance in one game
    tau: float = 25.0 / 300.0  # standard deviation of the change of a skill from game to game
    idle_per_day: float = 0.0185  # growth of sigma squared per player and whole day without a rated game
    season: float = 1.0  # growth of sigma squared per player at a new season
    synergy: float = 2.0  # added per member to the sigma squared of a new team
    seed_floor: float = 5.0  # minimum sigma of an estimate copied from another ladder of the same game
    tie_probability: float = 0.10  # probability of a tie; only for games of more than two teams
    engine: str = "closed_form"
    engine_version: str = "1"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str):
                continue
            if not isfinite(value) or value < 0:
                raise ValueError(f"{field.name}: {value!r} is not a finite number of at least 0")
        if self.sigma0 <= 0 or self.beta <= 0:
            raise ValueError("sigma0 and beta: must be greater than 0")
        if not 0 < self.tie_probability < 1:
            raise ValueError(f"tie_probability: {self.tie_probability!r} is not between 0 and 1")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Return the parameters in `values`; raise ValueError for an unknown field or an invalid value."""
        unknown = set(values) - {field.name for field in fields(cls)}
        if unknown:
            raise ValueError(f"{', '.join(sorted(unknown))}: no such parameter")
        return cls(**values)


DEFAULT = Params()
