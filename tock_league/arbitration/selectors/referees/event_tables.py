"""The tables of an event, for its referees."""

from dataclasses import dataclass

from games.models import Game
from tock_league.competitions.models import Competition, Match

SHOWN = (Match.State.CALLED, Match.State.LIVE, Match.State.REPORTED, Match.State.CONTESTED)
MOST = 40


@dataclass(frozen=True)
class TableRow:
    """A match under way."""

    match: Match
    number: int  # of its table in the room, or of the match in its round
    title: str
    frozen: bool  # whether its clocks are stopped


def tables_of(competition: Competition) -> list[TableRow]:
    """Return the matches of the event that are open, played or contested, by table. Three queries."""
    found = (
        Match.objects.filter(competition=competition, state__in=SHOWN)
        .select_related("table", "round")
        .prefetch_related("side_rows__entry__team", "side_rows__entry__player")
        .order_by("table_no", "starts_at", "pk")[:MOST]
    )
    matches = list(found)
    stopped = set(
        Game.objects.filter(
            table__in=[match.table_id for match in matches if match.table_id], state=Game.State.PLAYING, frozen=True
        ).values_list("table_id", flat=True)
    )
    return [
        TableRow(
            match=match,
            number=match.table_no or index,
            title=" – ".join(str(side.entry) for side in match.side_rows.all() if side.entry is not None),
            frozen=match.table_id in stopped,
        )
        for index, match in enumerate(matches, 1)
    ]
