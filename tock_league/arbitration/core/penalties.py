"""The penalty table: the measures and the penalty for each infraction, and the steps for repeated offences.

A table is data (`core/tables/`), one file a version, in the languages of the site, never edited once it is in force: a case
uses the version in force on the day of the act, and cites version and row. A measure repairs the running game; a
penalty punishes the offence. Source: docs/arbitration.md, "Adding a version of the penalty table".
"""

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from types import MappingProxyType
from typing import Final

from . import tables

NONE = "none"
SEVERITY: Final = (
    NONE,
    "caution",
    "warning",
    "warning_point",
    "blind_burn",
    "game_forfeit",
    "match_forfeit",
    "exclusion",
    "suspension",
    "ban",
)
# Penalties from this one on take away points, a result or a right, and need the head referee's signature.
HEAD_ONLY: Final = frozenset(SEVERITY) - {NONE, "caution", "warning", "blind_burn"}
ENDS_THE_GAME: Final = HEAD_ONLY - {"warning_point"}
CONDUCT: Final = "abuse"  # the family of findings about conduct, of which only the outcome is published
REMEDIES: Final = ("blind_burn", "touch", "rewind", "clock")


@dataclass(frozen=True, slots=True)
class Words:
    """One text in the languages of the table."""

    fr: str
    en: str
    es: str

    def of(self, language: str) -> str:
        """Return the text in `language` ("fr-ca" counts as "fr"); French when it is missing."""
        return {"en": self.en, "es": self.es}.get(language[:2], self.fr)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a row of the table."""

    penalty: str  # the standard penalty
    up_to: str = ""  # the most severe penalty that the head referee may consider; "" for no other

    def allows(self, penalty: str) -> bool:
        """Return whether `penalty` is within this step, so that it is no deviation."""
        top = self.up_to or self.penalty
        return penalty == self.penalty or (penalty == top and at_least(penalty, self.penalty))


@dataclass(frozen=True, slots=True)
class Infraction:
    """One infraction: a row of the table."""

    code: str
    family: str  # offences of one family count together
    infraction: Words
    remedy: Words
    steps: tuple[Step, ...]  # for the first, second and third finding
    remedies: tuple[str, ...] = ()  # the allowed measures, of REMEDIES
    window: str = "day"  # the period in which findings count; "day": the same day

    @property
    def due(self) -> tuple[str, ...]:
        """Return the measures that a finding demands while the game runs: a finding of talking burns a card.

        The table of a game without burns does not have this measure. Source: docs/arbitration.md, "At the table".
        """
        return ("blind_burn",) if self.family == "talk" and "blind_burn" in self.remedies else ()

    def step(self, earlier: int) -> int:
        """Return which step (from 1) applies after `earlier` findings in force of this family; the last one repeats."""
        if earlier < 0:
            raise ValueError("findings are counted from 0")
        return min(earlier, len(self.steps) - 1) + 1


@dataclass(frozen=True)
class PenaltyTable:
    """One version of the penalty table of one family of games."""

    version: str  # such as "2026/1"
    effective_from: date
    rows: tuple[Infraction, ...]  # in the order of the page
    # The name of each penalty of the table in every language, the mildest first.
    penalties: MappingProxyType[str, Words]
    suspension_days: int  # how long a suspension lasts
    game: str = "tock"  # the family of games

    @property
    def remedies(self) -> tuple[str, ...]:
        """Return the measures that some row opens to the referee, in the order of REMEDIES."""
        known = {remedy for row in self.rows for remedy in row.remedies}
        return tuple(remedy for remedy in REMEDIES if remedy in known)

    def row(self, code: str) -> Infraction:
        """Return the row of that code. Raises KeyError."""
        return next((row for row in self.rows if row.code == code), None) or _missing(code)


def _missing(code: str) -> Infraction:
    raise KeyError(code)


@dataclass(frozen=True, slots=True)
class Finding:
    """A penalty in force: whose, of which family, on which day of the place where it was played."""

    player: int
    family: str
    day: date


def earlier(findings: Sequence[Finding], *, player: int, row: Infraction, day: date) -> int:
    """Return how many findings in force count towards the next one of `player` under `row` on `day`.

    Pass findings in force only: a quashed ruling no longer counts.
    """
    return sum(finding.player == player and finding.family == row.family and finding.day == day for finding in findings)


def at_least(penalty: str, other: str) -> bool:
    """Return whether `penalty` is as severe as `other` or more. Raises ValueError for an unknown penalty."""
    return SEVERITY.index(penalty) >= SEVERITY.index(other)


@cache
def all_tables() -> tuple[PenaltyTable, ...]:
    """Return every version, the oldest first: each file of `core/tables/` that ends in `TABLE = ...`.

    Raises ValueError when two versions have the same name, or a row breaks the rules of `check`.
    """
    found = []
    for module in pkgutil.iter_modules(tables.__path__):
        table: PenaltyTable = importlib.import_module(f"{tables.__name__}.{module.name}").TABLE
        check(table)
        found.append(table)
    if len({table.version for table in found}) != len(found):
        raise ValueError("two penalty tables have the same version")
    return tuple(sorted(found, key=lambda table: (table.effective_from, table.version)))


def table_in_force(day: date, game: str = "tock") -> PenaltyTable:
    """Return the table of the family `game` in force on `day`; before its first version, that first version.

    A family without a table uses Tock's.
    """
    found = all_tables()
    tables = [table for table in found if table.game == game] or [table for table in found if table.game == "tock"]
    known = [table for table in tables if table.effective_from <= day]
    return known[-1] if known else tables[0]


def by_version(version: str) -> PenaltyTable:
    """Return that version. Raises KeyError."""
    for table in all_tables():
        if table.version == version:
            return table
    raise KeyError(version)


def check(table: PenaltyTable) -> None:
    """Raise ValueError when the table repeats a row, names an unknown measure or penalty, or a later step is milder."""
    codes = [row.code for row in table.rows]
    if len(set(codes)) != len(codes) or not codes or table.suspension_days < 1:
        raise ValueError(f"table {table.version}: a repeated row, or a suspension under a day")
    named = list(table.penalties)
    if named != [one for one in SEVERITY if one in table.penalties]:
        raise ValueError(f"table {table.version}: penalties must be named, the mildest first")
    for row in table.rows:
        given = {penalty for step in row.steps for penalty in (step.penalty, step.up_to) if penalty}
        if given - set(named):
            raise ValueError(f"table {table.version}, row {row.code}: a penalty that the table does not have")
        if not row.steps or set(row.remedies) - set(REMEDIES) or row.window != "day":
            raise ValueError(f"table {table.version}, row {row.code}: bad measures, steps or window")
        mild = [step.penalty for step in row.steps]
        if [SEVERITY.index(one) for one in mild] != sorted(SEVERITY.index(one) for one in mild):
            raise ValueError(f"table {table.version}, row {row.code}: the penalty of a later step is milder")
        if any(step.up_to and not at_least(step.up_to, step.penalty) for step in row.steps):
            raise ValueError(f"table {table.version}, row {row.code}: `up_to` is milder than the penalty")
