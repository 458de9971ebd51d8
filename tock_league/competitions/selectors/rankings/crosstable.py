"""Cross-tables: each entry's result against each other one, in the order of the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils.functional import Promise

from ...models import Entry
from ..rounds.matches import MatchView


class Named(Protocol):
    """A line of a table."""

    @property
    def entry(self) -> Entry: ...

    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Cell:
    """One match from the row entry's side: its score, or "" before it is decided; `outcome` for the colour.

    `how`: see `MatchView.how`.
    """

    slug: str
    text: str
    outcome: str
    title: str
    is_live: bool
    how: str | Promise


@dataclass(frozen=True)
class CrossRow:
    """An entry's line."""

    number: int
    name: str
    entry_slug: str
    cells: tuple[tuple[Cell, ...] | None, ...]  # per column, the matches against that entry; None against itself


def crosstable(table: Sequence[Named], matches: Sequence[MatchView]) -> tuple[CrossRow, ...]:
    """Return the cross-table of a group. `table`: its rows, best first; `matches`: those of the group. No query."""
    met: dict[tuple[int, int], list[Cell]] = {}
    for view in matches:
        home, away = view.home, view.away
        if home.entry_id is None or away.entry_id is None:
            continue
        for own, other in ((home, away), (away, home)):
            assert own.entry_id is not None
            assert other.entry_id is not None
            text = f"{own.score} – {other.score}" if view.is_decided else ""
            outcome = own.outcome if view.is_decided else ""
            cell = Cell(view.match.slug, text, outcome, view.title, view.is_live, view.how)
            met.setdefault((own.entry_id, other.entry_id), []).append(cell)
    return tuple(
        CrossRow(
            number,
            line.name,
            line.entry.slug,
            tuple(None if other is line else tuple(met.get((line.entry.pk, other.entry.pk), ())) for other in table),
        )
        for number, line in enumerate(table, start=1)
    )
