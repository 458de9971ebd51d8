"""Where a player's entries stand in all running competitions, in a number of queries that does not depend on how many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tock_league.accounts.models import Player

from ...core.effective import penalties
from ...core.scoring import MatchResult
from ...core.standings import StandingRow
from ...models import Competition, Entry, Match, ResultEffect, RosterSpot, StandingOverride
from ...permissions import PRIVATE_STATES
from ..results.effective import effective_of, effects_in_force, plain_effect
from ..rounds.matches import DECIDED
from . import ranking
from .group_tables import fields_of
from .ranking import OUT, Field, groups_with_tables_of
from .standings import FORM_LENGTH, number

Where = tuple[int, int | None]  # a competition, and its group; None for a league


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

    Three queries when there are none, else about sixteen.
    """
    spots = RosterSpot.objects.filter(player=player, left__isnull=True).values("entry")
    own = list(
        Entry.objects.filter(pk__in=spots, competition__state=Competition.State.RUNNING)
        .filter(competition__is_rehearsal=False)
        .exclude(competition__state__in=PRIVATE_STATES)
        .exclude(state__in=ranking.NOT_TAKING_PART)
        .select_related("team__club", "player", "competition__regulations")
        .order_by("-competition__created_at", "pk")
    )
    if not own:
        return []
    competitions = {entry.competition_id: entry.competition for entry in own}
    rows = _rows(list(competitions.values()), {entry.pk for entry in own})
    return [_place(entry, rows.get(entry.pk, ())) for entry in own]


def _place(entry: Entry, rows: Sequence[StandingRow]) -> OwnPlace:
    row = next((row for row in rows if row.entry == entry.pk), None)
    if row is None or not any(other.played for other in rows):
        return OwnPlace(entry)
    form = tuple([meeting.outcome for meeting in row.meetings if not meeting.missed][-FORM_LENGTH:])
    return OwnPlace(entry, row.rank, len(rows), number(row.points.value), form)


def _rows(competitions: Sequence[Competition], own: set[int]) -> dict[int, Sequence[StandingRow]]:
    """Return by entry of `own` the rows of the last table in which it is ranked."""
    results: dict[Where, list[MatchResult]] = {}
    decided = Match.objects.filter(competition__in=competitions, state__in=DECIDED)
    for match in ranking.with_sides(decided.order_by("round__number", "number").select_related("competition")):
        result = ranking.result_of(match, ranking.seated(match), effective_of(match))
        group = match.round.group_id if match.competition.plan else None
        if result is not None:
            results.setdefault((match.competition_id, group), []).append(result)
    found: dict[int, Sequence[StandingRow]] = {}
    for where, field in _fields(competitions):
        if own & set(field.entries):
            rows = ranking.rank(field, results.get(where, ()))
            found |= {row.entry: rows for row in rows if row.entry in own}
    return found


def _fields(competitions: Sequence[Competition]) -> list[tuple[Where, Field]]:
    """Return the field of each league, then of each group that has a table, in the order of the stages."""
    leagues = [made for made in competitions if not made.plan]
    groups = list(groups_with_tables_of([made for made in competitions if made.plan]))
    effects: dict[Where, list[ResultEffect]] = {}
    points = effects_in_force().filter(competition__in=competitions, kind=ResultEffect.Kind.POINTS)
    for effect in points.select_related("match__round"):
        for group in (None, effect.match.round.group_id):
            effects.setdefault((effect.competition_id, group), []).append(effect)
    taken = {where: penalties(map(plain_effect, rows)) for where, rows in effects.items()}
    settled: dict[int, list[int]] = {}
    overrides = StandingOverride.objects.filter(group__in=groups).order_by("place")
    for group, entry in overrides.values_list("group", "entry"):
        settled.setdefault(group, []).append(entry)
    entries: dict[int, dict[int, Entry]] = {}
    inside = Entry.objects.filter(competition__in=leagues).exclude(state__in=ranking.NOT_TAKING_PART)
    for one in inside.order_by("seed", "pk"):
        entries.setdefault(one.competition_id, {})[one.pk] = one
    fields = fields_of(groups, {group.pk: taken.get((group.stage.competition_id, group.pk), {}) for group in groups})
    return [
        *(
            ((made.pk, None), _league(made, entries.get(made.pk, {}), taken.get((made.pk, None), {})))
            for made in leagues
        ),
        *(
            (
                (group.stage.competition_id, group.pk),
                replace(fields[group.pk], settled=tuple(settled.get(group.pk, ()))),
            )
            for group in groups
        ),
    ]


def _league(made: Competition, entries: Mapping[int, Entry], taken: Mapping[int, int]) -> Field:
    out = {pk: OUT[Entry.State(entry.state)] for pk, entry in entries.items() if entry.state in OUT}
    return Field(made, entries, out, taken=taken)
