"""What a kind of tournament is: which stages follow each other, each played in one format, and how that is told.

A kind stands beside its format, or in a file of its own where it joins several: see `registry`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

# The phases of a tournament, each with its own best-of, as stored plans name them.
GROUP, BRACKET, FINAL = PHASES = ("group", "knockout", "final")
MAX_GROUPS, MAX_QUALIFY, MAX_ROUNDS = 16, 8, 20


class PlanError(ValueError):
    """A plan that cannot be played; `code` and `field` are those of the refusal the person reads."""

    def __init__(self, code: str, field: str) -> None:
        super().__init__(f"{code} in {field}")
        self.code = code
        self.field = field


class Texts(Protocol):
    """Django's `translation` module, or anything that translates as it does; the core itself imports no Django."""

    def gettext(self, message: str) -> str: ...

    def ngettext(self, singular: str, plural: str, number: int) -> str: ...


class Settings(Protocol):
    """What a kind reads of a plan: see `plan.TournamentPlan`."""

    @property
    def third_place(self) -> bool: ...

    @property
    def groups(self) -> int: ...

    @property
    def qualify(self) -> int: ...

    @property
    def legs(self) -> int: ...

    @property
    def rounds(self) -> int: ...

    @property
    def clubs(self) -> str: ...

    def games(self, phase: str, label: str = "") -> int:
        """Return the best-of of a match in `phase`, GROUP or BRACKET, with a bracket's `label`."""
        ...


@dataclass(frozen=True)
class StagePlan:
    """A stage as the draw writes it.

    `format`: key of the registry, with its `options`. `phase`: under which name its best-of stands in the plan.
    `groups`: the entries are dealt into so many groups named A, B, ...; 0: one group without a name. `qualify`: so many of
    each group go on to the next stage.
    """

    format: str
    options: Mapping[str, Any] = field(default_factory=dict)
    phase: str = "group"
    groups: int = 0
    qualify: int = 0


class Kind(Protocol):
    """One kind of tournament, as the organiser chooses it."""

    @property
    def key(self) -> str:
        """How plans name it."""
        ...

    @property
    def place(self) -> int:
        """Its place among the choices; the first one is preselected."""
        ...

    @property
    def fields(self) -> tuple[str, ...]:
        """The settings that only some kinds read, and this one does."""
        ...

    def check(self, plan: Settings) -> None:
        """Raise PlanError where a setting of `fields` is out of its range."""
        ...

    def least(self, plan: Settings) -> int:
        """Return the fewest entries it can be played with."""
        ...

    def stages(self, plan: Settings) -> tuple[StagePlan, ...]:
        """Return the stages in their order."""
        ...

    def title(self, texts: Texts) -> str:
        """Return what the organiser's form says of it."""
        ...

    def summary(self, plan: Settings, texts: Texts) -> str:
        """Return it in a few words, such as "Swiss, 5 rounds"."""
        ...

    def details(self, plan: Settings, texts: Texts) -> list[str]:
        """Return the sentences that follow the summary where there is room."""
        ...

    def games(self, plan: Settings, texts: Texts) -> str:
        """Return the most games of a match, phase by phase."""
        ...
