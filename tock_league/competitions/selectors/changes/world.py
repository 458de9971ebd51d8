"""A snapshot of a competition in memory, on which rulings and withdrawals are computed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...core import groups
from ...core.advancement import Link, seats_after
from ...core.berths import in_berths
from ...core.effective import Effective, PlainEffect, Version, penalties
from ...core.scoring import PLAYED, MatchResult
from ...core.standings import StandingRow
from ...models import BracketEdge, Competition, Match, ResultVersion, StageInput
from ..rankings.ranking import Field, field_of, groups_with_tables, rank, result_of, seated, with_sides
from ..results.effective import effects_of, going_forward, resolved, versions_of, written_by_rules
from ..rounds import progress


@dataclass(frozen=True)
class PlannedResultEffect:
    """An effect to be written on `match`."""

    match: int
    effect: PlainEffect
    derived: bool = False  # whether it is a consequence of the others in the bracket


@dataclass(frozen=True)
class Change:
    """A change to be written."""

    planned: tuple[PlannedResultEffect, ...] = ()  # the effects to write
    lifted: frozenset[int] = frozenset()  # ids of effects in force
    # Matches that have begun but whose seats may still move, because they are played again or no longer are.
    freed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Berth:
    """A seat of a bracket that belongs to a rank of a group, or to one of the best of a rank in all groups of a stage."""

    match: int
    position: int
    group: int  # 0 where `best` is set
    rank: int
    best: int  # see StageInput; 0 for none
    stage: int  # the ordinal of the stage of the groups


@dataclass(frozen=True)
class World:
    """A competition in memory. `matches`, `versions`, `effects` and `seats` are by match id."""

    competition: Competition
    matches: Mapping[int, Match]
    versions: Mapping[int, Sequence[Version]]
    effects: Mapping[int, Sequence[PlainEffect]]
    seats: Mapping[int, tuple[int | None, ...]]  # the entries by position; None where an entry is not known yet
    fields: Mapping[int | None, Field]  # by group id; of a league under None
    links: tuple[Link, ...]  # the edges of its brackets
    berths: tuple[Berth, ...] = ()  # the seats that belong to a rank of a group

    def result(self, match: int) -> Effective:
        """Return the effective result."""
        return resolved(self.matches[match], self.versions[match], self.effects[match])

    def forward(self, match: int) -> Effective:
        """Return the result that a bracket follows."""
        return resolved(self.matches[match], self.versions[match], going_forward(self.effects[match]))

    def rows(self, group: int | None) -> tuple[StandingRow, ...]:
        """Return the ranked rows of a group."""
        made: list[MatchResult] = []
        for pk, match in self.matches.items():
            if group is None or match.round.group_id == group:
                result = result_of(match, self.seats[pk], self.result(pk))
                if result is not None:
                    made.append(result)
        return rank(self.fields[group], made)

    def after(self, change: Change) -> "World":
        """Return the same competition with `change` written."""
        effects = {pk: [e for e in known if e.seq not in change.lifted] for pk, known in self.effects.items()}
        for planned in change.planned:
            effects[planned.match].append(planned.effect)
        fields = {pk: replace(known, taken=_taken(self, effects, pk)) for pk, known in self.fields.items()}
        world = replace(self, effects=effects, fields=fields)
        start = {**self.seats, **world.from_groups()}
        lifted = {pk: [e for e in known if e.seq not in change.lifted] for pk, known in self.effects.items()}
        fixed = replace(self, effects=lifted).begun - change.freed
        seats = seats_after(self.links, self.seats, self.forward, world.forward, fixed, start)
        return replace(world, seats=seats)

    def from_groups(self) -> dict[int, tuple[int | None, ...]]:
        """Return the seats that the tables of groups fill, until a match of their bracket has begun."""
        stages = {
            match.round.group.stage_id
            for pk, match in self.matches.items()
            if match.state in progress.BEGUN
            or progress.at_a_table(match)
            or self.result(pk).state == "decided"
            or any(row.source != ResultVersion.Source.RULES for row in match.versions.all())
        }
        open_berths = [b for b in self.berths if self.matches[b.match].round.group.stage_id not in stages]
        going = {group: self.going_on(group) for group in {berth.group for berth in open_berths if berth.group}}
        seats: dict[int, tuple[int | None, ...]] = {}
        for berth in open_berths:
            entries = list(seats.get(berth.match, self.seats[berth.match]))
            if berth.best:
                entries[berth.position] = self.best(berth)
                seats[berth.match] = tuple(entries)
                continue
            passed = going[berth.group]
            entries[berth.position] = passed[berth.rank - 1] if berth.rank <= len(passed) else None
            seats[berth.match] = tuple(entries)
        return seats

    def going_on(self, group: int) -> tuple[int, ...]:
        """Return who goes on from a group, best first; () while it is being played or a tie is in the way."""
        inside = [pk for pk, match in self.matches.items() if match.round.group_id == group]
        if not inside or any(self.result(pk).state == "open" for pk in inside):
            return ()
        most = max(berth.rank for berth in self.berths if berth.group == group or berth.best)
        return groups.going_on(groups.qualification(self.rows(group), most, self.fields[group].out))

    def best(self, berth: Berth) -> int | None:
        """Return who takes a berth of the best of a rank; None while it is not known, or where nobody is left."""
        inside = {
            match.round.group for match in self.matches.values() if match.round.group.stage.ordinal == berth.stage
        }
        groups_of = sorted(inside, key=lambda group: group.ordinal)
        if any(self.result(pk).state == "open" for pk, match in self.matches.items() if match.round.group in inside):
            return None
        rows = [self.rows(group.pk) for group in groups_of]
        made = [
            groups.qualification(table, berth.rank, self.fields[group.pk].out)
            for group, table in zip(groups_of, rows, strict=True)
        ]
        if any(isinstance(one, groups.Tie) for one in made):
            return None
        number = sum(other.best > 0 and other.stage == berth.stage for other in self.berths)
        names = {pk: entry.slug for group in groups_of for pk, entry in self.fields[group.pk].entries.items()}
        going = [groups.going_on(one) for one in made]
        seed = self.competition.lots_seed
        return in_berths(rows, going, rank=berth.rank, best=number, seed=seed, names=names)[berth.best - 1]

    @cached_property
    def begun(self) -> frozenset[int]:
        """The matches whose seats stay as they are, as `progress.begun_of` has it."""
        awarded = {pk for pk, match in self.matches.items() if self._awarded_by_rules(pk, match)}
        found = {
            pk
            for pk, match in self.matches.items()
            if pk not in awarded and (progress.begun(match) or self.result(pk).state == "decided")
        }
        return progress.built_on(found, awarded, [(link.source, link.target) for link in self.links])

    def _awarded_by_rules(self, pk: int, match: Match) -> bool:
        made = self.result(pk)
        unplayed = made.state == "decided" and made.fact not in PLAYED and not progress.at_a_table(match)
        return unplayed and written_by_rules(match, self.versions[pk], self.effects[pk]) is not None

    def downstream(self, matches: Iterable[int]) -> set[int]:
        """Return these matches, and those of the bracket that they lead to."""
        found = set(matches)
        for link in sorted(self.links, key=lambda link: link.number):
            if link.source in found:
                found.add(link.target)
        return found


def world_of(competition: Competition) -> World:
    """Load the competition: nine queries, and seven for each of its groups."""
    matches = {match.pk: match for match in with_sides(Match.objects.filter(competition=competition))}
    for match in matches.values():
        match.competition = competition
    inputs = StageInput.objects.filter(
        stage__competition=competition, source_ordinal__isnull=False, match__isnull=False
    ).order_by("slot")
    edges = BracketEdge.objects.filter(from_match__competition=competition).order_by("from_no")
    tables = groups_with_tables(competition)
    fields: dict[int | None, Field] = {group.pk: field_of(competition, group) for group in tables}
    if not competition.plan:
        fields = {None: field_of(competition)}
    return World(
        competition=competition,
        matches=matches,
        versions={pk: versions_of(match) for pk, match in matches.items()},
        effects={pk: effects_of(match) for pk, match in matches.items()},
        seats={pk: tuple(seated(match)) for pk, match in matches.items()},
        fields=fields,
        links=tuple(
            Link(
                edge.from_match_id,
                edge.outcome,
                edge.to_match_id,
                edge.to_position,
                edge.from_no,
                edge.only_position,
            )
            for edge in edges
        ),
        berths=tuple(
            Berth(
                row.match_id or 0,
                row.position or 0,
                row.source_group_id or 0,
                row.rank or 0,
                row.best or 0,
                row.source_ordinal or 0,
            )
            for row in inputs
        ),
    )


def _taken(world: World, effects: Mapping[int, Sequence[PlainEffect]], group: int | None) -> dict[int, int]:
    """Return the match points off in one group."""
    inside = [pk for pk, match in world.matches.items() if group is None or match.round.group_id == group]
    return penalties(effect for pk in inside for effect in effects[pk])
