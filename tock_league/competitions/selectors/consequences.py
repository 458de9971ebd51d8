"""What a ruling, or an entry that leaves, brings about: worked out in memory, before anybody signs.

`world_of` loads a competition once; `ruling` and `leaving` say what would be written; `World.after` is the competition with
that written. The services write exactly this, so a preview and what then happens cannot part.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Table
from tock_league.common.errors import NotThere, Refused

from ..core.advancement import FAULTS, Link, places_move, played_again, seats_after
from ..core.effective import KINDS, Effect, Effective, EffectPlan, Line, Version, ledger_of, penalties
from ..core.groups import Qualified, qualified
from ..core.leaving import Award, Meeting, awards
from ..core.scoring import PLAYED, MatchResult
from ..core.standings import Row
from ..models import BracketEdge, Competition, Entry, Match, ResultEffect, ResultVersion, StageInput
from .effective import BEHIND_ALL, effects_of, folded, going_forward, versions_of
from .ranking import OUT, Field, field_of, groups_with_tables, rank, result_of, seated, with_sides

S = Match.State
BEGUN = (S.LIVE, S.REPORTED, S.CONTESTED, S.CONFIRMED, S.AWARDED)
NEEDS_GAME = ("forfeit_game", "rating")
NEEDS_SIDE = ("result", "forfeit_game")
MOST_POINTS = 100


@dataclass(frozen=True)
class Planned:
    """An effect to be written on `match`; `derived`: it follows from the others by the bracket."""

    match: int
    effect: Effect
    derived: bool = False


@dataclass(frozen=True)
class Change:
    """What is to be written: effects, lifts (ids of effects in force), awards, and the state of an entry that leaves.

    `freed`: matches that have begun and whose seats move all the same, since they are played again or no longer are.
    """

    planned: tuple[Planned, ...] = ()
    lifted: frozenset[int] = frozenset()
    awards: tuple[Award, ...] = ()
    states: Mapping[int, str] = field(default_factory=dict)
    freed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Berth:
    """A seat of a bracket that belongs to a rank of a group."""

    match: int
    position: int
    group: int
    rank: int


@dataclass(frozen=True)
class World:
    """A competition in memory. `seats`: entries by position; `fields`: by group id, of a league under None."""

    competition: Competition
    matches: Mapping[int, Match]
    versions: Mapping[int, Sequence[Version]]
    effects: Mapping[int, Sequence[Effect]]
    seats: Mapping[int, tuple[int | None, ...]]
    fields: Mapping[int | None, Field]
    links: tuple[Link, ...]
    berths: tuple[Berth, ...] = ()

    def result(self, match: int) -> Effective:
        """The effective result."""
        return folded(self.matches[match], self.versions[match], self.effects[match])

    def forward(self, match: int) -> Effective:
        """The result that a bracket follows."""
        return folded(self.matches[match], self.versions[match], going_forward(self.effects[match]))

    def rows(self, group: int | None) -> tuple[Row, ...]:
        """The ranked rows of a group."""
        made: list[MatchResult] = []
        for pk, match in self.matches.items():
            if group is None or match.round.group_id == group:
                result = result_of(match, self.seats[pk], self.result(pk))
                if result is not None:
                    made.append(result)
        return rank(self.fields[group], made)

    def after(self, change: Change) -> "World":
        """The same competition with `change` written."""
        effects = {pk: [e for e in known if e.seq not in change.lifted] for pk, known in self.effects.items()}
        for planned in change.planned:
            effects[planned.match].append(planned.effect)
        versions = {pk: list(known) for pk, known in self.versions.items()}
        for award in change.awards:
            versions[award.match].append(_version(versions[award.match], award, self.matches[award.match].sides))
        fields = dict(self.fields)
        for entry, state in change.states.items():
            fields = {pk: known.leaving(entry, state) for pk, known in fields.items()}
        fields = {pk: replace(known, taken=_taken(self, effects, pk)) for pk, known in fields.items()}
        world = replace(self, effects=effects, versions=versions, fields=fields)
        start = {**self.seats, **world.from_groups()}
        lifted = {pk: [e for e in known if e.seq not in change.lifted] for pk, known in self.effects.items()}
        fixed = replace(self, effects=lifted).begun - change.freed
        seats = seats_after(self.links, self.seats, self.forward, world.forward, fixed, start)
        return replace(world, seats=seats)

    def from_groups(self) -> dict[int, tuple[int | None, ...]]:
        """The seats that the tables of groups fill, until a match of their bracket has begun."""
        stages = {
            match.round.group.stage_id
            for pk, match in self.matches.items()
            if pk in self.begun or any(row.source != ResultVersion.Source.RULES for row in match.versions.all())
        }
        open_berths = [b for b in self.berths if self.matches[b.match].round.group.stage_id not in stages]
        going = {group: self.going_on(group) for group in {berth.group for berth in open_berths}}
        seats: dict[int, tuple[int | None, ...]] = {}
        for berth in open_berths:
            entries = list(seats.get(berth.match, self.seats[berth.match]))
            passed = going[berth.group]
            entries[berth.position] = passed[berth.rank - 1] if berth.rank <= len(passed) else None
            seats[berth.match] = tuple(entries)
        return seats

    def going_on(self, group: int) -> tuple[int, ...]:
        """Who goes on from a group, best first; () while it is being played or a tie is in the way."""
        inside = [pk for pk, match in self.matches.items() if match.round.group_id == group]
        if not inside or any(self.result(pk).state == "open" for pk in inside):
            return ()
        rows = [row for row in self.rows(group) if row.entry not in self.fields[group].out]
        most = max(berth.rank for berth in self.berths if berth.group == group)
        made = qualified(rows, min(most, len(rows)))
        return made.entries if isinstance(made, Qualified) else ()

    @property
    def begun(self) -> frozenset[int]:
        """The matches in which something has happened."""
        return frozenset(
            pk for pk, match in self.matches.items() if _has_begun(match) or self.result(pk).state == "decided"
        )

    def downstream(self, matches: Iterable[int]) -> set[int]:
        """These matches, and those of the bracket that they lead to."""
        found = set(matches)
        for link in sorted(self.links, key=lambda link: link.number):
            if link.source in found:
                found.add(link.target)
        return found


def _has_begun(match: Match) -> bool:
    """A match is still “called” while its first game is being played: the table knows."""
    if match.state in BEGUN:
        return True
    table = match.table
    return match.state != S.VOID and table is not None and table.state in (Table.State.PLAYING, Table.State.FINISHED)


def world_of(competition: Competition) -> World:
    """Load the competition: nine queries, and seven for each of its groups."""
    matches = {match.pk: match for match in with_sides(Match.objects.filter(competition=competition))}
    for match in matches.values():
        match.competition = competition
    inputs = StageInput.objects.filter(
        stage__competition=competition, source_group__isnull=False, match__isnull=False
    ).order_by("slot")
    edges = BracketEdge.objects.filter(from_match__competition=competition).order_by("from_no")
    groups = list(groups_with_tables(competition))
    fields: dict[int | None, Field] = {group.pk: field_of(competition, group) for group in groups}
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
            Link(edge.from_match_id, edge.outcome, edge.to_match_id, edge.to_position, edge.from_no) for edge in edges
        ),
        berths=tuple(
            Berth(row.match_id or 0, row.position or 0, row.source_group_id or 0, row.rank or 0) for row in inputs
        ),
    )


def ruling(world: World, effects: Sequence[EffectPlan], lifts: Iterable[int] = ()) -> Change:
    """Answer what signing `effects` and lifting the effects `lifts` would write, with what follows for the bracket.

    An effect that is lifted takes along what its ruling had derived. Raises Refused with field `effects`, code: effect_kind,
    match, game_number, position, entry, amount, fault, unplayed_game.
    """
    for plan in effects:
        _check(world, plan)
    rows = _with_derived(world, lifts)
    lifted = frozenset(row.pk for row in rows)
    change = Change(lifted=lifted, freed=frozenset(row.match_id for row in rows if row.derived))
    for target in _crowded(world, change):
        replay = Effect(seq=BEHIND_ALL + len(change.planned), kind="replay", after=_last(world, target))
        planned = (*change.planned, Planned(target, replay, derived=True))
        change = replace(change, planned=planned, freed=change.freed | {target})
    begun = world.after(change).begun  # what is lifted may bring a later match back
    for plan in effects:
        effect = Effect(
            seq=BEHIND_ALL + len(change.planned),
            kind=_kind(world, plan),
            after=_last(world, plan.match_id),
            game=plan.game_number,
            position=plan.position,
            entry=plan.entry_id,
            amount=plan.amount,
        )
        before = world.after(change).forward(plan.match_id)
        made = replace(change, planned=(*change.planned, Planned(plan.match_id, effect)))
        moves = places_move(before, world.after(made).forward(plan.match_id))
        again = played_again(plan.match_id, world.links, begun) if moves else ()
        if again and plan.fault != "own":
            effect = replace(effect, keeps_place=True)
            change = replace(change, planned=(*change.planned, Planned(plan.match_id, effect)))
            continue
        change = made
        for target in again:
            replay = Effect(seq=BEHIND_ALL + len(change.planned), kind="replay", after=_last(world, target))
            planned = (*change.planned, Planned(target, replay, derived=True))
            change = replace(change, planned=planned, freed=change.freed | {target})
    return change


def leaving(world: World, entry: Entry, how: str) -> Change:
    """Answer what an entry's withdrawal or disqualification would write. `how`: withdrawal or disqualification."""
    out = {pk for known in world.fields.values() for pk in known.out}
    out |= set(world.competition.entries.filter(state__in=list(OUT)).values_list("pk", flat=True))
    meetings = []
    for pk, match in sorted(world.matches.items(), key=lambda item: (item[1].round_id, item[1].number)):
        seats = world.seats[pk]
        if entry.pk not in seats:
            continue
        position = seats.index(entry.pk)
        rival = seats[1 - position]
        result = world.result(pk)
        meetings.append(
            Meeting(
                match=pk,
                format=match.round.group.stage.format,
                group=match.round.group_id,
                position=position,
                state=result.state,
                played=result.state == "decided" and result.fact in PLAYED,
                opponent="unknown" if rival is None else "out" if rival in out else "in",
            )
        )
    policy = world.competition.regulations.body.get("withdrawal", "expunge_before_half")
    state = Entry.State.WITHDRAWN if how == "withdrawal" else Entry.State.DISQUALIFIED
    return Change(awards=awards(meetings, how, policy=policy), states={entry.pk: state})


def _check(world: World, plan: EffectPlan) -> None:
    """Raise Refused when the effect cannot be: an unknown kind, another competition's match, a game that is not there."""

    def refuse(code: str, sentence: object) -> Refused:
        return Refused(code, sentence, field="effects")  # type: ignore[arg-type]

    if plan.kind not in KINDS:
        raise refuse("effect_kind", _("There is no such effect."))
    if plan.fault not in FAULTS:
        raise refuse("fault", _("Say whose error it was: their own, another side’s, or the referee’s."))
    match = world.matches.get(plan.match_id)
    if match is None:
        raise refuse("match", _("This match does not belong to the competition."))
    if plan.game_number is not None and not 1 <= plan.game_number <= match.best_of:
        raise refuse("game_number", _("The match has no game of this number."))
    if plan.kind in NEEDS_GAME and plan.game_number is None:
        raise refuse("game_number", _("Say which game of the match."))
    if (plan.kind in NEEDS_SIDE and plan.position is None) or (
        plan.position is not None and not 0 <= plan.position < match.sides
    ):
        raise refuse("position", _("Choose one of the teams of the match."))
    if plan.kind == "points":
        if plan.entry_id is None or plan.entry_id not in {
            pk for known in world.fields.values() for pk in known.entries
        }:
            raise refuse("entry", _("Choose a team of this competition."))
        if plan.amount == 0 or abs(plan.amount) > MOST_POINTS:
            raise refuse("amount", _("Match points: a whole number from −100 to 100, and not 0."))
    elif plan.entry_id is not None:
        raise refuse("entry", _("Only points name a team."))
    if plan.kind == "rating" and plan.amount not in (0, 1):
        raise refuse("amount", _("A game is in the ratings or it is not."))
    if plan.game_number is not None and plan.kind in ("result", "rating", "void", "replay"):
        known = ledger_of(world.versions[match.pk], world.effects[match.pk], sides=match.sides, best_of=match.best_of)
        if plan.game_number not in known.games:
            raise refuse("unplayed_game", _("This game has no result that could be changed."))


def _kind(world: World, plan: EffectPlan) -> str:
    """A game that is void is played again where the match needs it; a bracket cannot do without a whole match either."""
    stage = world.matches[plan.match_id].round.group.stage
    if plan.kind == "void" and (plan.game_number is not None or stage.format.startswith("knockout/")):
        return "replay"
    return plan.kind


def _last(world: World, match: int) -> int:
    return world.versions[match][-1].number if world.versions[match] else 0


def _with_derived(world: World, lifts: Iterable[int]) -> list[ResultEffect]:
    """The effects to lift that are in force, with those their rulings derived."""
    asked = set(lifts)
    rows = ResultEffect.objects.filter(competition=world.competition, lift__isnull=True)
    named = list(rows.filter(pk__in=asked))
    if len(named) < len(asked) and ResultEffect.objects.filter(
        competition=world.competition, pk__in=asked
    ).count() < len(asked):
        raise NotThere
    rulings = {row.ruling for row in named}
    return list(rows.filter(Q(pk__in=asked) | Q(ruling__in=rulings, derived=True)))


def _crowded(world: World, change: Change) -> list[int]:
    """The matches begun with somebody whom a lift brings back into another match of the same round: they are played again."""
    if not change.freed:
        return []
    after = world.after(change)
    back = {
        (world.matches[pk].round_id, entry) for pk in change.freed for entry in after.seats[pk] if entry is not None
    }
    return [
        pk
        for pk, match in world.matches.items()
        if pk not in change.freed and any((match.round_id, entry) in back for entry in after.seats[pk])
    ]


def _taken(world: World, effects: Mapping[int, Sequence[Effect]], group: int | None) -> dict[int, int]:
    """The match points off in one group."""
    inside = [pk for pk, match in world.matches.items() if group is None or match.round.group_id == group]
    return penalties(effect for pk in inside for effect in effects[pk])


def _version(known: Sequence[Version], award: Award, sides: int) -> Version:
    lines = (
        ()
        if award.fact == "void"
        else tuple(Line(p, "win" if p == award.winner else "loss", 0 if p == award.winner else 1) for p in range(sides))
    )
    return Version(known[-1].number + 1 if known else 1, None, award.fact, lines)
