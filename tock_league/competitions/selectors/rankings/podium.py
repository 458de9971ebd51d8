"""The podium: first, second and third, as far as results make it certain."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from ...models import Competition, Entry

STEPS = 3


@dataclass(frozen=True)
class PodiumStep:
    """One place of the podium; equals share a rank."""

    rank: int
    entry: Entry

    @property
    def name(self) -> str:
        return str(self.entry)


def podium(competition: Competition, ranks: Iterable[tuple[int, int]]) -> list[PodiumStep]:
    """Return the first three ranks.

    `ranks`: (rank, entry id) as far as they are certain; once the tournament is finished the ranks that were written
    hold instead. One query.
    """
    first = [(rank, entry) for rank, entry in ranks if rank <= STEPS]
    concerned = Q(final_rank__lte=STEPS) | Q(pk__in=[entry for _rank, entry in first])
    by_id = {entry.pk: entry for entry in competition.entries.filter(concerned).select_related("team__club", "player")}
    written = [(entry.final_rank, entry.pk) for entry in by_id.values() if entry.final_rank is not None]
    found = sorted(written) if written else first
    return [PodiumStep(rank, by_id[entry]) for rank, entry in found if rank <= STEPS and entry in by_id]
