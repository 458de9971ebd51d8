"""The podium: first, second and third, as far as results make it certain."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


def podium(competition: Competition, ranks: Iterable[tuple[int, int]], entries: Sequence[Entry]) -> list[PodiumStep]:
    """Return the first three ranks.

    `ranks`: (rank, entry id) as far as they are certain; once the tournament is finished the ranks that were written
    hold instead. `entries`: all entries of the page. No query.
    """
    by_id = {entry.pk: entry for entry in entries}
    written = [(entry.final_rank, entry.pk) for entry in entries if entry.final_rank is not None]
    found = sorted(written) if written else list(ranks)
    return [PodiumStep(rank, by_id[entry]) for rank, entry in found if rank <= STEPS and entry in by_id]
