"""All tables of a tournament, in a number of queries that does not depend on the number of groups."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from ...core.effective import penalties
from ...core.registry import format_of
from ...core.scoring import MatchResult, SideResult
from ...models import Competition, Entry, Group, RosterSpot, Side, StageInput, StandingOverride
from ..results.effective import plain_effect
from ..rounds.matches import MatchView
from ..rounds.matches import views as views_of
from .ranking import BYES, NOT_TAKING_PART, OUT, Field, groups_with_tables
from .standings import StandingView, rows_of, table


@dataclass(frozen=True)
class GroupField:
    """A group that has a table, with all that its table is made from."""

    group: Group
    field: Field
    matches: tuple[MatchView, ...]
    qualify: int  # how many go on; 0 if nobody does
    settled: tuple[StandingOverride, ...]  # how ties were settled, in the order given; printed under the table
    rounds: int  # of a format that pairs as it goes; otherwise 0

    @property
    def decided(self) -> list[MatchView]:
        return [view for view in self.matches if view.is_decided]

    @property
    def is_over(self) -> bool:
        """Whether every match of every round is decided or void; then the first `qualify` have qualified."""
        made = {view.match.round.number for view in self.matches}
        done = all(view.is_decided or view.match.state == "void" for view in self.matches)
        return bool(made) and done and len(made) >= self.rounds


@dataclass(frozen=True)
class GroupTable:
    """A group with its table, best first, and its matches."""

    group: Group
    rows: list[StandingView]
    matches: tuple[MatchView, ...]
    settled: tuple[StandingOverride, ...]  # as GroupField has it


@dataclass(frozen=True)
class NamedTable:
    """A table with the name of its group, "" for that of a league or club night."""

    group: str
    stage: int
    rows: list[StandingView]  # best first


def all_tables(competition: Competition, views: Iterable[MatchView] | None = None) -> list[NamedTable]:
    """Return the tables of a competition: one for each group of a tournament, else one. A pure knockout has none.

    `views`: all its matches, where the caller has them already. Seven queries, and seven more without them.
    """
    if not competition.is_planned:
        decided = [view for view in views if view.is_decided] if views is not None else None
        return [NamedTable("", 1, table(competition, decided))]
    if views is None:
        views = views_of(competition.matches.all())
    return [NamedTable(one.group.name, one.group.stage.ordinal, one.rows) for one in of_groups(competition, views)]


def of_groups(competition: Competition, views: Iterable[MatchView]) -> list[GroupTable]:
    """Return every group that has a table, in order. `views`: the competition's matches. Seven queries."""
    return [
        GroupTable(made.group, rows_of(made.field, made.decided), made.matches, made.settled)
        for made in group_fields(competition, views)
    ]


def group_fields(competition: Competition, views: Iterable[MatchView]) -> list[GroupField]:
    """Return every group that has a table, in order, before it is ranked. `views`: the competition's matches. Seven queries."""
    groups = list(groups_with_tables(competition))
    if not groups:
        return []
    by_group: dict[int, list[MatchView]] = {group.pk: [] for group in groups}
    for view in views:
        if view.match.round.group_id in by_group:
            by_group[view.match.round.group_id].append(view)
    taken = {
        group: penalties(plain_effect(row) for view in found for row in view.match.effects.all())
        for group, found in by_group.items()
    }
    fields = fields_of(groups, taken)
    going: dict[int, int] = {}
    for source in StageInput.objects.filter(source_group__in=groups).values_list("source_group", flat=True):
        going[source or 0] = going.get(source or 0, 0) + 1
    settled: dict[int, list[StandingOverride]] = {}
    for row in StandingOverride.objects.filter(group__in=groups).select_related("entry__team").order_by("place"):
        settled.setdefault(row.group_id, []).append(row)
    made = []
    for group in groups:
        matches = tuple(by_group[group.pk])
        field = fields[group.pk]
        order = {row.entry_id: row.how for row in settled.get(group.pk, ())}
        as_it_goes = format_of(group.stage.format).pairs_as_it_goes
        wanted = int(group.stage.options.get("rounds", 0)) if as_it_goes else 0
        ranked = Field(field.competition, field.entries, field.out, field.byes, order, field.taken)
        made.append(
            GroupField(group, ranked, matches, going.get(group.pk, 0), tuple(settled.get(group.pk, ())), wanted)
        )
    return made


def fields_of(groups: Sequence[Group], taken: Mapping[int, Mapping[int, int]]) -> dict[int, Field]:
    """Return the field of each group, as ranking.field_of reads one, without what was settled. Five queries.

    `groups`: from `groups_with_tables`, of any competitions, with all that have a table of each stage. `taken`: the points
    deducted by rulings, by group and entry.
    """
    spots = RosterSpot.objects.filter(left__isnull=True).select_related("player").order_by("role", "slot")
    entries: dict[int, dict[int, Entry]] = {}
    for entry in (
        Entry.objects.filter(competition__in={group.stage.competition_id for group in groups})
        .exclude(state__in=NOT_TAKING_PART)
        .select_related("team", "player")
        .prefetch_related(Prefetch("roster", spots, to_attr="now"))
        .order_by("seed", "pk")
    ):
        entries.setdefault(entry.competition_id, {})[entry.pk] = entry
    members: dict[int, set[int]] = {group.pk: set() for group in groups}
    byes: dict[int, list[MatchResult]] = {group.pk: [] for group in groups}
    sides = Side.objects.filter(round__group__in=groups, entry__isnull=False).order_by("round__number", "pk")
    for group, at, kind, member in sides.values_list("round__group", "round__number", "kind", "entry"):
        members[group].add(member)
        if kind in BYES:
            byes[group].append(MatchResult(0, at, kind, (SideResult(member, BYES[Side.Kind(kind)]),)))
    of_stage = Counter(group.stage_id for group in groups)
    alone = {group.stage_id: group.pk for group in groups if of_stage[group.stage_id] == 1}
    inputs = StageInput.objects.filter(stage__in=alone, entry__isnull=False)
    for stage, member in inputs.values_list("stage", "entry"):
        members[alone[stage]].add(member)
    return {group.pk: _field(group, entries, members[group.pk], byes[group.pk], taken) for group in groups}


def _field(
    group: Group,
    entries: Mapping[int, Mapping[int, Entry]],
    members: Collection[int],
    byes: Sequence[MatchResult],
    taken: Mapping[int, Mapping[int, int]],
) -> Field:
    competition = group.stage.competition
    inside = {pk: entry for pk, entry in entries.get(competition.pk, {}).items() if pk in members}
    return Field(
        competition=competition,
        entries=inside,
        out={pk: OUT[Entry.State(entry.state)] for pk, entry in inside.items() if entry.state in OUT},
        byes=tuple(byes),
        taken=taken.get(group.pk, {}),
    )
