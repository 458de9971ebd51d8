"""The penalty tables for their page."""

from dataclasses import dataclass
from datetime import date

from tock_league.common import clock

from ...core import penalties
from ..cases.words import in_language
from .context import HERE


@dataclass(frozen=True)
class StepView:
    """One step: the name of the penalty, and of the most severe one that the head referee may give, or ""."""

    code: str
    penalty: str
    up_to: str


@dataclass(frozen=True)
class RowView:
    """One infraction of the table, in the reader's language."""

    code: str
    infraction: str
    remedy: str
    steps: tuple[StepView, ...]


@dataclass(frozen=True)
class TableView:
    """One version of a penalty table."""

    version: str
    game: str  # the family of games
    effective_from: date
    in_force: bool  # whether it is today
    rows: tuple[RowView, ...]


def tables() -> list[TableView]:
    """Return every version, those of Tock first, of each family the newest first."""
    today = clock.now().astimezone(HERE).date()
    newest = sorted(reversed(penalties.all_tables()), key=lambda table: table.game)
    return [
        TableView(
            table.version,
            table.game,
            table.effective_from,
            table is penalties.table_in_force(today, table.game),
            tuple(
                RowView(
                    row.code,
                    in_language(row.infraction),
                    in_language(row.remedy),
                    tuple(
                        StepView(
                            step.penalty,
                            in_language(table.penalties[step.penalty]),
                            in_language(table.penalties[step.up_to]) if step.up_to else "",
                        )
                        for step in row.steps
                    ),
                )
                for row in table.rows
            ),
        )
        for table in newest
    ]
