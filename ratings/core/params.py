"""The numbers of the rating method: versioned data, changed only with an evaluation report."""

from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Params:
    """One version of the parameters; all in rating points unless said otherwise."""

    mu0: float = 25.0  # a new player's estimate
    sigma0: float = 25.0 / 3.0  # and its uncertainty
    beta: float = 25.0 / 6.0  # spread of one player's performance in one game
    tau: float = 25.0 / 300.0  # drift of a skill from game to game
    idle_per_day: float = 0.0185  # what sigma squared gains per whole day without a rated game, per player
    season: float = 1.0  # what sigma squared gains at a new season, per player
    synergy: float = 2.0  # what a team's sigma squared starts with above its players', per member
    seed_floor: float = 5.0  # least uncertainty of a start taken over from another ladder of the same game
    tie_probability: float = 0.10  # only for games of more than two teams
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
        """Return the parameters in `values`; ValueError names a field that is unknown."""
        unknown = set(values) - {field.name for field in fields(cls)}
        if unknown:
            raise ValueError(f"{', '.join(sorted(unknown))}: no such parameter")
        return cls(**values)


DEFAULT = Params()
