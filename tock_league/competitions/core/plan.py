"""How a tournament is played: what the organiser chooses before the first entry, as plain data.

| kind | what it is |
| --- | --- |
| knockout | single elimination, with byes and, if wanted, a match for third place |
| groups_knockout | round-robin groups, then the best `qualify` of each in a knockout |
| swiss | `rounds` rounds, each pairing entries with about the same score who have not met |
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from tock_league.common.numbers import is_whole

KNOCKOUT, GROUPS_KNOCKOUT, SWISS = "knockout", "groups_knockout", "swiss"
KINDS = (KNOCKOUT, GROUPS_KNOCKOUT, SWISS)
PHASES = ("group", "knockout", "final")
BEST_OF = (1, 3, 5, 7, 9)
MAX_GROUPS, MAX_QUALIFY, MAX_ROUNDS, MAX_PAUSE_S = 16, 8, 20, 86_400
CLUBS = ("off", "soft", "hard")


class PlanError(ValueError):
    """A plan that cannot be played; `code` and `field` are those of the refusal the person reads."""

    def __init__(self, code: str, field: str) -> None:
        super().__init__(f"{code} in {field}")
        self.code = code
        self.field = field


def _one_game() -> dict[str, int]:
    return dict.fromkeys(PHASES, 1)


@dataclass(frozen=True)
class TournamentPlan:
    """`groups`, `qualify` (of each group), `legs`: of groups_knockout; `rounds`, `clubs` (whether teams of one club meet): of
    swiss. `best_of`: games of a match by phase; Swiss rounds are of the phase "group". `pause_s`: seconds from the last
    result of a round to the first game of the next. `auto`: rounds follow each other without a click.
    """

    kind: str
    third_place: bool = True
    groups: int = 0
    qualify: int = 0
    legs: int = 1
    rounds: int = 0
    best_of: Mapping[str, int] = field(default_factory=_one_game)
    pause_s: int = 300
    auto: bool = True
    clubs: str = "off"

    def __post_init__(self) -> None:
        """Raise PlanError naming the field that is out of its range."""
        if self.kind not in KINDS:
            raise PlanError("plan_kind", "kind")
        for name in ("third_place", "auto"):
            if not isinstance(getattr(self, name), bool):
                raise PlanError("plan_type", name)
        for name in ("groups", "qualify", "legs", "rounds", "pause_s"):
            if not is_whole(getattr(self, name)):
                raise PlanError("plan_type", name)
        if set(self.best_of) != set(PHASES) or any(games not in BEST_OF for games in self.best_of.values()):
            raise PlanError("best_of_even", "best_of")
        if not 0 <= self.pause_s <= MAX_PAUSE_S:
            raise PlanError("plan_pause", "pause_s")
        if self.clubs not in CLUBS:
            raise PlanError("plan_clubs", "clubs")
        if self.kind == GROUPS_KNOCKOUT:
            if not 1 <= self.groups <= MAX_GROUPS:
                raise PlanError("plan_groups", "groups")
            if not 1 <= self.qualify <= MAX_QUALIFY or self.groups * self.qualify < 2:
                raise PlanError("plan_qualify", "qualify")
            if self.legs not in (1, 2):
                raise PlanError("plan_legs", "legs")
        if self.kind == SWISS and not 1 <= self.rounds <= MAX_ROUNDS:
            raise PlanError("plan_rounds", "rounds")

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> "TournamentPlan":
        """Return the plan of a stored object. Raises PlanError for an unknown field or a bad value."""
        unknown = set(value) - {known.name for known in fields(cls)}
        if unknown:
            raise PlanError("plan_field", min(unknown))
        if "kind" not in value:
            raise PlanError("plan_kind", "kind")
        if not isinstance(value.get("best_of", {}), Mapping):
            raise PlanError("best_of_even", "best_of")
        return cls(**{**value, "best_of": {**_one_game(), **value.get("best_of", {})}})

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON; `read` gives it back."""
        return {**asdict(self), "best_of": dict(self.best_of)}

    @property
    def least(self) -> int:
        """The fewest entries it can be played with."""
        return max(2 * self.groups, self.groups * self.qualify) if self.kind == GROUPS_KNOCKOUT else 2

    def games(self, phase: str, label: str = "") -> int:
        """Return the best-of of a match in `phase` ("group" or "knockout") with a bracket's `label`."""
        return self.best_of["final" if label == "final" else phase]
