"""The comparison of those with one rank in all groups, as a page shows it."""

from dataclasses import dataclass

from ...models import Competition, Entry, StageInput
from ..rounds.berths import best_of, compared


@dataclass(frozen=True)
class BestRow:
    """An entry that is compared. Values are a match."""

    entry: Entry
    group: str
    matches: int
    points: float
    margin: float
    wins: float
    left_out: tuple[Entry, ...]  # the last of its group, against whom matches do not count
    goes_on: bool
    separated_by: str  # see `core.berths.Compared`


@dataclass(frozen=True)
class BestView:
    """The comparison of one rank. `rows`: best first; none before all groups are over."""

    stage: int
    rank: int
    number: int  # how many go on
    rows: tuple[BestRow, ...]


def of_tournament(competition: Competition) -> list[BestView]:
    """Return the comparisons of a tournament, by stage. One query without any, else a dozen for each group."""
    found: list[BestView] = []
    if not StageInput.objects.filter(stage__competition=competition, best__isnull=False).exists():
        return found
    for stage in competition.stages.select_related("competition__regulations").order_by("ordinal"):
        best = best_of(stage)
        if best is None:
            continue
        rows = compared(best)
        keys = {pk for row in rows for pk in (row.entry, *row.left_out)}
        entries = competition.entries.select_related("team__club", "player").in_bulk(keys)
        made = tuple(
            BestRow(
                entry=entries[row.entry],
                group=best.groups[row.group].name,
                matches=row.matches,
                points=float(row.points),
                margin=float(row.margin),
                wins=float(row.wins),
                left_out=tuple(entries[pk] for pk in row.left_out),
                goes_on=place <= best.number,
                separated_by=row.separated_by,
            )
            for place, row in enumerate(rows, start=1)
        )
        found.append(BestView(stage.ordinal, best.rank, best.number, made))
    return found
