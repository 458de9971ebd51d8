"""Every table and every final order as lines of text: the same standings give the same lines, on every machine."""

from collections.abc import Iterator

from ...models import Competition, Entry
from ..rounds.progress import ranks
from .ranking import groups_with_tables, order
from .standings import table


def lines(competition: Competition) -> Iterator[str]:
    """Yield the standings of a competition, best first, recomputed from its results; then its final ranks.

    Of a table: `table GROUP RANK PLACE ENTRY POINTS`, of the final order `final RANK ENTRY`. A dozen queries a group.
    """
    names = dict(Entry.objects.filter(competition=competition).values_list("pk", "slug"))
    if not competition.is_planned:
        for view in table(competition):
            row = view.row
            yield f"table - {row.rank} {row.ordinal} {names[row.entry]} {row.points.value}"
        return
    for group in groups_with_tables(competition):
        for place in order(group):
            where = f"{group.stage.ordinal}.{group.ordinal}"
            yield f"table {where} {place.rank} {place.ordinal} {names[place.entry_id]} {place.points}"
    for rank, entry in ranks(competition):
        yield f"final {rank} {names[entry]}"
