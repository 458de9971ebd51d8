"""The plan of a tournament: the organiser's choices before the first entry, as plain data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from tock_league.common.numbers import is_whole

from . import registry
from .format import Format
from .kind import (
    BERTHS,
    BY_FIELD,
    FINAL,
    LOSERS,
    MAX_QUALIFY,
    MAX_ROUNDS,
    OPTIONAL_PHASES,
    PHASES,
    SEMI,
    Kind,
    PlanError,
    StagePlan,
)

BEST_OF = (1, 3, 5, 7, 9)
MAX_PAUSE_S = 86_400
CLUBS = ("off", "soft", "hard")
MISSED = ("loss", "tie")  # what a round counts as that a late team has missed


def _one_game() -> dict[str, int]:
    return dict.fromkeys(PHASES, 1)


@dataclass(frozen=True)
class TournamentPlan:
    """The plan of a tournament. A kind reads only some of the settings: see `Kind.fields`."""

    kind: str  # key of the registry
    third_place: bool = True  # whether there is a match for third place
    reset_final: bool = True  # whether a second final follows if the winner of the losers' bracket wins the first
    groups: int = 0  # number of groups
    qualify: int = 0  # entries of each group that advance
    # How many advance from all groups together, in place of `qualify` of each: 0 for that, or BY_FIELD.
    berths: int = 0
    legs: int = 1  # 2 with return matches
    rounds: int = 0  # of a Swiss tournament
    best_of: Mapping[str, int] = field(default_factory=_one_game)  # maximum number of games of a match, by phase
    pause_s: int = 300  # seconds from the last result of a round to the first game of the next
    auto: bool = True  # whether rounds start without a click
    late_rounds: int = 1  # rounds that a team may miss that is entered after the start; 0: nobody comes late
    late_points: str = "loss"  # what a missed round of a Swiss tournament counts as: "loss" or "tie"
    clubs: str = "off"  # meetings of teams of one club: "off" (free), "soft" (avoided) or "hard" (never)

    def __post_init__(self) -> None:
        """Raise PlanError naming the field that is out of its range."""
        if self.kind not in registry.kinds():
            raise PlanError("plan_kind", "kind")
        for name in ("third_place", "reset_final", "auto"):
            if not isinstance(getattr(self, name), bool):
                raise PlanError("plan_type", name)
        for name in ("groups", "qualify", "legs", "rounds", "pause_s", "late_rounds"):
            if not is_whole(getattr(self, name)):
                raise PlanError("plan_type", name)
        if self.berths not in BERTHS or isinstance(self.berths, bool):
            raise PlanError("plan_berths", "berths")
        known, needed = {*PHASES, *OPTIONAL_PHASES}, set(PHASES)
        if not needed <= set(self.best_of) <= known or any(games not in BEST_OF for games in self.best_of.values()):
            raise PlanError("best_of_even", "best_of")
        if not 0 <= self.pause_s <= MAX_PAUSE_S:
            raise PlanError("plan_pause", "pause_s")
        if self.clubs not in CLUBS:
            raise PlanError("plan_clubs", "clubs")
        if not 0 <= self.late_rounds <= MAX_ROUNDS:
            raise PlanError("plan_late_rounds", "late_rounds")
        if self.late_points not in MISSED:
            raise PlanError("plan_late_points", "late_points")
        self.chosen.check(self)

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
        """Return the plan as JSON data, for `read`."""
        return {**asdict(self), "best_of": dict(self.best_of)}

    def for_field(self, entries: int) -> "TournamentPlan":
        """Return the plan with the number of berths that a field of so many entries has."""
        if self.berths != BY_FIELD:
            return self
        most = min(entries // 2, self.groups * MAX_QUALIFY)
        return replace(self, berths=max(number for number in BERTHS if 0 < number <= max(most, 2)))

    @property
    def chosen(self) -> Kind:
        """The kind of tournament."""
        return registry.kinds()[self.kind]

    @property
    def least(self) -> int:
        """The minimum number of entries."""
        return self.chosen.least(self)

    @property
    def stages(self) -> tuple[StagePlan, ...]:
        """The stages in their order."""
        return self.chosen.stages(self)

    @property
    def formats(self) -> tuple[Format, ...]:
        """The formats of the stages."""
        return tuple(registry.format_of(stage.format) for stage in self.stages)

    @property
    def has_bracket(self) -> bool:
        """Whether one of the stages is a bracket; if not, a table ranks the whole tournament."""
        return any(made.is_bracket for made in self.formats)

    @property
    def has_groups(self) -> bool:
        """Whether one of the stages has named groups."""
        return any(stage.groups for stage in self.stages)

    @property
    def is_one_table(self) -> bool:
        """Whether everybody meets everybody in one table."""
        return not self.has_groups and all(made.all_meet for made in self.formats)

    @property
    def has_paired_rounds(self) -> bool:
        """Whether one of the stages pairs each round from the results of the earlier ones."""
        return any(made.pairs_as_it_goes for made in self.formats)

    @property
    def tiebreaks(self) -> tuple[str, ...]:
        """The default tie-breaks of its tables: those of its first stage with a table, else those of any table."""
        tables = [made.tiebreaks for made in self.formats if not made.is_bracket]
        return tables[0] if tables else registry.calendar_format().tiebreaks

    def games(self, phase: str, label: str = "", label_no: int = 1) -> int:
        """Return the best-of of a match in `phase`, GROUP or BRACKET, with a bracket's `label` (`bracket.Node`)."""
        if label in (FINAL, "reset"):
            return self.best_of[FINAL]
        found = self.best_of[phase]
        if label == "losers":
            found = self.best_of.get(LOSERS, found)
        is_semi = label == "semi" or (label in ("winners", "losers") and not label_no)
        return self.best_of.get(SEMI, found) if is_semi else found
