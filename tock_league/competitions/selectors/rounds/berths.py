"""The best of those with one rank in all groups of a stage, and the seats that they take."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...core import berths as core
from ...core import groups as pools
from ...core.standings import StandingRow
from ...models import Group, Stage, StageInput
from .progress import groups_are_over, ranked


@dataclass(frozen=True)
class Best:
    """The berths of a stage that the best of a rank take."""

    stage: Stage
    rank: int
    number: int
    groups: tuple[Group, ...]  # all of the stage, in order


def best_of(stage: Stage) -> Best | None:
    """Return the berths that the best of a rank of this stage have; None without any. Two queries."""
    rows = StageInput.objects.filter(
        best__isnull=False, source_ordinal=stage.ordinal, stage__competition=stage.competition_id
    )
    ranks = list(rows.values_list("rank", flat=True))
    if not ranks:
        return None
    return Best(stage, ranks[0] or 0, len(ranks), tuple(stage.groups.select_related("stage").order_by("ordinal")))


def compared(best: Best) -> tuple[core.Compared, ...]:
    """Return the entries that are compared, best first; () while a group is being played or a tie is in the way.

    A dozen queries for each group.
    """
    found = _tables(best)
    if found is None:
        return ()
    tables, going = found
    candidates = [order[best.rank - 1] if len(order) >= best.rank else None for order in going]
    return core.compare(tables, candidates, seed=best.stage.competition.lots_seed, names=_names(best.stage))


def taken(stage: Stage) -> tuple[int | None, ...]:
    """Return the entries in the berths of the best, by `StageInput.best` from 1; () while they are not known."""
    best = best_of(stage)
    found = _tables(best) if best is not None else None
    if best is None or found is None:
        return ()
    seed, names = stage.competition.lots_seed, _names(stage)
    return core.in_berths(*found, rank=best.rank, best=best.number, seed=seed, names=names)


def _tables(best: Best) -> tuple[Sequence[tuple[StandingRow, ...]], Sequence[tuple[int, ...]]] | None:
    if not groups_are_over(best.groups):
        return None
    tables, going = [], []
    for group in best.groups:
        rows, field = ranked(group)
        made = pools.qualification(rows, best.rank, field.out)
        if isinstance(made, pools.Tie):
            return None
        tables.append(rows)
        going.append(made.entries)
    return tables, going


def _names(stage: Stage) -> dict[int, str]:
    return dict(stage.competition.entries.values_list("pk", "slug"))
