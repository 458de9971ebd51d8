"""The table: ranked rows that explain themselves.

Entries are split by the first criterion, parts still tied by the second, and so on. Between two neighbours the table
keeps every criterion consulted, both values, and which one separated them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .tiebreaks import Explained, Meeting, Record, explain, split


@dataclass(frozen=True)
class Step:
    """One criterion asked about two neighbours; `decides` on the last step when it separated them."""

    criterion: str
    ahead: Explained
    behind: Explained
    decides: bool


@dataclass(frozen=True)
class Row:
    """One line. `ordinal` 1..n; `rank` is shared while nothing separates. `why`: this entry against the next one down."""

    entry: int
    ordinal: int
    rank: int
    played: int
    wins: int
    ties: int
    losses: int
    points: Explained
    margin: Explained
    meetings: tuple[Meeting, ...]
    why: tuple[Step, ...] = ()

    @property
    def separated_by(self) -> str:
        """The criterion that puts this row before the next one, "" for the last row and for equals."""
        return self.why[-1].criterion if self.why and self.why[-1].decides else ""


def standings(record: Record, criteria: Sequence[str]) -> tuple[Row, ...]:
    """Answer the rows, best first. `criteria`: keys of tiebreaks.SUPPORTED, in order; raises ValueError for others."""
    entries = tuple(record.meetings)
    asked: list[tuple[tuple[str, tuple[int, ...]], ...]] = []  # between row i and i + 1: what was asked, among whom
    settled: list[bool] = []
    order = _order(entries, tuple(criteria), (), record, asked, settled)
    rows: list[Row] = []
    for index, entry in enumerate(order):
        steps: tuple[Step, ...] = ()
        if index + 1 < len(order):
            below = order[index + 1]
            steps = tuple(
                Step(
                    criterion,
                    explain(criterion, entry, tied, record),
                    explain(criterion, below, tied, record),
                    decides=settled[index] and place == len(asked[index]) - 1,
                )
                for place, (criterion, tied) in enumerate(asked[index])
            )
        rank = index + 1 if index == 0 or settled[index - 1] else rows[-1].rank
        rows.append(_row(entry, index + 1, rank, steps, record))
    return tuple(rows)


def _order(
    tied: tuple[int, ...],
    criteria: tuple[str, ...],
    path: tuple[tuple[str, tuple[int, ...]], ...],
    record: Record,
    asked: list[tuple[tuple[str, tuple[int, ...]], ...]],
    settled: list[bool],
) -> tuple[int, ...]:
    """Answer `tied` in order; append to `asked` and `settled` one item for each gap between neighbours."""
    if len(tied) < 2:
        return tied
    if not criteria:
        asked.extend([path] * (len(tied) - 1))
        settled.extend([False] * (len(tied) - 1))
        return tied
    step = (criteria[0], tied)
    order: tuple[int, ...] = ()
    for part in split(criteria[0], tied, record):
        if order:
            asked.append((*path, step))
            settled.append(True)
        order += _order(part, criteria[1:], (*path, step), record, asked, settled)
    return order


def _row(entry: int, ordinal: int, rank: int, why: tuple[Step, ...], record: Record) -> Row:
    meetings = record.meetings[entry]
    return Row(
        entry=entry,
        ordinal=ordinal,
        rank=rank,
        played=len(meetings),
        wins=sum(meeting.outcome == "win" for meeting in meetings),
        ties=sum(meeting.outcome == "tie" for meeting in meetings),
        losses=sum(meeting.outcome == "loss" for meeting in meetings),
        points=explain("points", entry, (), record),
        margin=explain("margin", entry, (), record),
        meetings=meetings,
        why=why,
    )
