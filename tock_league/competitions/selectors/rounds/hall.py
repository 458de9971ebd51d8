"""The hall as the desk sees it: its tables, and the match at each."""

from dataclasses import dataclass

from ...models import Competition, HallTable, Match
from .matches import MatchView, views

S = Match.State
UNDER_WAY = (S.SCHEDULED, S.CALLED, S.LIVE, S.REPORTED, S.CONTESTED)


@dataclass(frozen=True)
class TableView:
    """A table of the list, with the match that is under way there."""

    table: HallTable
    match: MatchView | None


@dataclass(frozen=True)
class Hall:
    """The tables of the list in the order of their numbers, and the matches under way, those without a table first."""

    tables: tuple[TableView, ...]
    matches: tuple[MatchView, ...]


def hall(competition: Competition) -> Hall:
    """Return the hall of an event now; of a league or club night the matches of rounds that are not decided. Nine queries."""
    rows = HallTable.objects.filter(competition=competition).select_related("entry__team", "entry__player")
    under_way = views(competition.matches.filter(state__in=UNDER_WAY).order_by("table_no", "starts_at", "number"))
    under_way.sort(key=lambda view: (view.match.table_no is not None, view.starts_at is None, view.match.table_no or 0))
    at = {view.match.table_no: view for view in reversed(under_way)}
    return Hall(tuple(TableView(row, at.get(row.number)) for row in rows.order_by("number")), tuple(under_way))
