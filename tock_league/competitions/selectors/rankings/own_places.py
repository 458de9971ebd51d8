"""Where a player's entries stand in all running competitions, in a number of queries that does not depend on how many."""

from dataclasses import dataclass

from tock_league.accounts.models import Player

from ...models import Competition, Entry, RosterSpot
from ...permissions import PRIVATE_STATES
from .kept.keeping import kept_of
from .kept.rows import Kept
from .ranking import NOT_TAKING_PART


@dataclass(frozen=True)
class OwnPlace:
    """An entry in a running competition, with its place in the newest table that ranks it."""

    entry: Entry
    rank: int | None = None  # None: there is no table, as in a knockout, or no result yet
    of: int = 0  # how many are ranked there
    points: str = ""
    form: tuple[str, ...] = ()  # the last results: "win", "tie", "loss"

    @property
    def competition(self) -> Competition:
        return self.entry.competition

    @property
    def name(self) -> str:
        return str(self.entry)


def own_places(player: Player) -> list[OwnPlace]:
    """Return the player's entries in running competitions that everybody may see, the newest competition first.

    Two queries when there are none, else three, and about twenty for each competition that has changed.
    """
    spots = RosterSpot.objects.filter(player=player, left__isnull=True).values("entry")
    own = list(
        Entry.objects.filter(pk__in=spots, competition__state=Competition.State.RUNNING)
        .filter(competition__is_rehearsal=False)
        .exclude(competition__state__in=PRIVATE_STATES)
        .exclude(state__in=NOT_TAKING_PART)
        .select_related("team__club", "player", "competition__regulations")
        .order_by("-competition__created_at", "pk")
    )
    if not own:
        return []
    rows = kept_of({entry.competition_id: entry.competition for entry in own}.values())
    return [_place(entry, rows[entry.competition_id]) for entry in own]


def _place(entry: Entry, rows: Kept) -> OwnPlace:
    tables = [table.lines for table in rows.tables if any(line.entry == entry.pk for line in table.lines)]
    if not tables or not any(line.played for line in tables[-1]):
        return OwnPlace(entry)
    line = next(line for line in tables[-1] if line.entry == entry.pk)
    return OwnPlace(entry, line.rank, len(tables[-1]), line.points, line.form)
