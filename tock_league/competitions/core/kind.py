"""The interface of a kind of tournament: its stages, each played in one format, and its texts.

A kind is in the file of its format, or in its own file if it combines several formats: see `registry`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

# The phases of a tournament, each with its own best-of, as stored plans name them.
GROUP, BRACKET, FINAL = PHASES = ("group", "knockout", "final")
# Further phases that a plan may name: the semi-finals, or the finals of the winners' and losers' brackets; the rest of the
# losers' bracket. Without them they are as the phase of the bracket.
SEMI, LOSERS = OPTIONAL_PHASES = ("semi", "losers")
MOST_ENTRIES = 1024  # of a kind without a limit of its own
MAX_GROUPS, MAX_QUALIFY, MAX_ROUNDS = 16, 8, 20
BY_FIELD = -1  # of `Settings.berths`: the largest power of two that is at most half of the field
BERTHS = (BY_FIELD, 0, 2, 4, 8, 16, 32)


class PlanError(ValueError):
    """An invalid plan; `code` and `field` are those of the refusal shown to the user."""

    def __init__(self, code: str, field: str) -> None:
        super().__init__(f"{code} in {field}")
        self.code = code
        self.field = field


class Texts(Protocol):
    """The functions of Django's `translation` module that the core needs; the core imports no Django."""

    def gettext(self, message: str) -> str: ...

    def ngettext(self, singular: str, plural: str, number: int) -> str: ...


class Settings(Protocol):
    """The settings of a plan that kinds read: see `plan.TournamentPlan`."""

    @property
    def third_place(self) -> bool: ...

    @property
    def reset_final(self) -> bool: ...

    @property
    def groups(self) -> int: ...

    @property
    def qualify(self) -> int: ...

    @property
    def berths(self) -> int: ...

    @property
    def legs(self) -> int: ...

    @property
    def rounds(self) -> int: ...

    @property
    def clubs(self) -> str: ...

    @property
    def late_rounds(self) -> int: ...

    @property
    def late_points(self) -> str: ...

    def games(self, phase: str, label: str = "", label_no: int = 1) -> int:
        """Return the best-of of a match in `phase`, GROUP or BRACKET, with a bracket's `label` (`bracket.Node`)."""
        ...


@dataclass(frozen=True)
class StagePlan:
    """A stage, as the draw creates it."""

    format: str  # key of the registry
    options: Mapping[str, Any] = field(default_factory=dict)  # of the format
    phase: str = "group"  # the key of its best-of in the plan
    groups: int = 0  # number of groups, named A, B, ...; 0 for one group without a name
    qualify: int = 0  # number of entries of each group that advance to the next stage
    best: int = 0  # how many more advance: the best, over all groups, of those with the next rank

    @property
    def needs(self) -> int:
        """The minimum number of entries of a group."""
        return max(self.qualify + (self.best > 0), 2) if self.groups else 2


class Kind(Protocol):
    """A kind of tournament that the organiser can choose."""

    @property
    def key(self) -> str:
        """Its name in plans."""
        ...

    @property
    def place(self) -> int:
        """Its position among the choices; the first one is preselected."""
        ...

    @property
    def most(self) -> int:
        """The maximum number of entries at the draw."""
        ...

    @property
    def fields(self) -> tuple[str, ...]:
        """The optional settings of a plan that this kind reads."""
        ...

    def check(self, plan: Settings) -> None:
        """Raise PlanError if a setting of `fields` is out of its range."""
        ...

    def least(self, plan: Settings) -> int:
        """Return the minimum number of entries."""
        ...

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the stages in their order."""
        ...

    def title(self, texts: Texts) -> str:
        """Return its description in the organiser's form."""
        ...

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return a short description, such as "Swiss, 5 rounds"."""
        ...

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return further sentences, shown after the summary if there is room."""
        ...

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the maximum number of games of a match for each phase, as a text."""
        ...


def bracket_games(plan: Settings, texts: Texts) -> str:
    """Return the maximum number of games of a match in a bracket: before the final, in the final, in other semi-finals."""
    told = {"games": plan.games(BRACKET), "semi": plan.games(BRACKET, "semi"), "final": plan.games(BRACKET, "final")}
    if told["semi"] != told["games"]:
        return texts.gettext("bracket %(games)s, semi-finals %(semi)s, final %(final)s") % told
    return texts.gettext("bracket %(games)s, final %(final)s") % told
