"""The draw: from seeded entries to stages, groups, rounds, matches and the ways between them.

Everything that can be known is written at once: a bracket with all its matches, whose seats say where they are filled
from, and every round that is planned. Other rounds are paired one by one (services.rounds.publishing).
"""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from tock_league.accounts.permissions import Person, require
from tock_league.common.errors import Conflict, Refused
from tock_league.common.transactions import writing

from ...core import bracket as brackets
from ...core import groups as pools
from ...core import registry
from ...core.format import FormatError
from ...core.kind import StagePlan
from ...core.plan import TournamentPlan
from ...models import BracketEdge, Competition, Entry, Group, Match, Meeting, PairingRun, Round, Side, Stage, StageInput
from ..entries.checkin import field_substitutes
from ..entries.entry_states import eligible
from ..entries.seeding import give_seeds
from ..shared import telling
from ..shared.journal import note
from ..shared.locking import lock_competition
from ..shared.refusals import not_now
from .match_rows import write_matches

C = Competition.State
Source = Entry | tuple[Group, int] | tuple[Stage, int, int]  # an entry, rank of a group, or the nth best of a rank


def draw(*, by: Person, competition: Competition) -> list[Stage]:
    """Write the stages of a tournament whose entries are closed; return them in their order.

    Seeds are given first, the way the competition says. Raises Conflict: not closed, drawn already, check-in not over;
    Refused: too few teams for the plan, which names what would fit.
    """
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        if not competition.is_planned or competition.state != C.CLOSED:
            raise not_now(competition, (C.CLOSED,))
        if Stage.objects.filter(competition=competition).exists():
            raise Conflict("drawn", _("The draw is made already."), state=competition.state)
        waiting = Entry.objects.filter(competition=competition, state=Entry.State.ACCEPTED)
        if competition.has_check_in and waiting.exists():
            raise Conflict("check_in_open", _("Close the check-in first: some teams have not checked in."))
        plan = TournamentPlan.read(competition.plan).for_field(eligible(competition).count())
        _enough(competition, plan)
        for entry in eligible(competition) if competition.has_check_in else ():
            field_substitutes(competition, entry, by)
        entries = give_seeds(by, competition)
        try:
            stages = _write(competition, plan, entries)
        except FormatError as error:
            raise Refused(error.code, _("This plan cannot be played with these teams."), field=error.field) from error
        note(competition, "draw.made", by, stages=[_told(stage) for stage in stages])
        telling.event("draw_published", competition, by, once=stages[0].pk)
        return stages


def discard(*, by: Person, competition: Competition) -> None:
    """Take the draw back while the tournament has not started; entries may change again."""
    with writing():
        competition = lock_competition(competition.pk)
        require(by, "competition.organise", competition, needed="organiser")
        if competition.state != C.CLOSED or not competition.is_planned:
            raise not_now(competition, (C.CLOSED,))
        stages = Stage.objects.filter(competition=competition)
        if not stages.exists():
            return
        StageInput.objects.filter(stage__in=stages).delete()
        BracketEdge.objects.filter(from_match__competition=competition).delete()
        Meeting.objects.filter(stage__in=stages).delete()
        PairingRun.objects.filter(round__group__stage__in=stages).delete()
        Side.objects.filter(stage__in=stages).delete()
        Match.objects.filter(competition=competition).delete()
        Round.objects.filter(group__stage__in=stages).delete()
        Group.objects.filter(stage__in=stages).delete()
        stages.delete()
        note(competition, "draw.discarded", by)


def _enough(competition: Competition, plan: TournamentPlan) -> None:
    count = eligible(competition).count()
    if count < plan.least:
        raise Refused(
            "too_few_entries",
            _("This plan needs at least %(least)d teams and %(count)d are here: change the plan.")
            % {"least": plan.least, "count": count},
            field="entries",
        )
    if count > plan.chosen.most:
        raise Refused(
            "too_many_entries",
            _("This plan is for %(most)d teams at most and %(count)d are here: change the plan.")
            % {"most": plan.chosen.most, "count": count},
            field="entries",
        )
    if plan.groups and count // plan.groups < plan.stages[0].needs:
        raise Refused(
            "groups_too_small",
            _("%(qualify)d teams go on from each group, which has fewer: change the plan.")
            % {"qualify": plan.stages[0].needs},
            field="groups",
        )
    if plan.rounds >= count + count % 2:
        raise Refused(
            "too_many_rounds",
            _("%(count)d teams meet each other in %(most)d rounds at most: change the plan.")
            % {"count": count, "most": count + count % 2 - 1},
            field="rounds",
        )


def _write(competition: Competition, plan: TournamentPlan, entries: Sequence[Entry]) -> list[Stage]:
    """Write the plan's stages: the first from the entries, each further one from those who go on from the groups before."""
    made: list[Stage] = []
    sources: list[Source] = list(entries)
    for ordinal, stage_plan in enumerate(plan.stages, start=1):
        stage = Stage.objects.create(
            competition=competition, ordinal=ordinal, format=stage_plan.format, options=dict(stage_plan.options)
        )
        made.append(stage)
        inputs = _inputs(stage, sources)
        if registry.format_of(stage.format).is_bracket:
            _bracket(stage, plan, stage_plan, inputs)
            continue
        groups = _groups(stage, plan, stage_plan, entries)
        if stage_plan.qualify or stage_plan.best:
            places = pools.crossing(stage_plan.groups, stage_plan.qualify, stage_plan.best)
            sources = [(groups[group - 1], rank) for group, rank in places]
            sources += [(stage, stage_plan.qualify + 1, number) for number in range(1, stage_plan.best + 1)]
    return made


def _inputs(stage: Stage, sources: Sequence[Source]) -> list[StageInput]:
    made = []
    for slot, source in enumerate(sources, start=1):
        row = StageInput(stage=stage, slot=slot, stage_ordinal=stage.ordinal)
        if isinstance(source, Entry):
            row.entry = source
        elif len(source) == 3:
            row.source_ordinal, row.rank, row.best = source[0].ordinal, source[1], source[2]
        else:
            row.source_group, row.rank = source
            row.source_ordinal = source[0].stage.ordinal
        made.append(row)
    return StageInput.objects.bulk_create(made)


def _groups(stage: Stage, plan: TournamentPlan, stage_plan: StagePlan, entries: Sequence[Entry]) -> list[Group]:
    """Write the stage's groups, dealt by the snake of the seeds or by lots, with the rounds that are planned."""
    competition = stage.competition
    drawn = competition.seeding == Competition.Seeding.LOTS
    dealt = pools.distribute(
        [entry.pk for entry in entries],
        max(stage_plan.groups, 1),
        "drawn" if drawn else "snake",
        seed=competition.lots_seed,
        names={entry.pk: entry.slug for entry in entries},
    )
    form, options = registry.format_of(stage.format), registry.options_of(stage.format, stage.options)
    made = []
    for ordinal, members in enumerate(dealt, start=1):
        name = chr(ord("A") + ordinal - 1) if stage_plan.groups else ""
        group = Group.objects.create(stage=stage, ordinal=ordinal, name=name)
        made.append(group)
        for round_plan in form.plan(list(members), options):
            row = Round.objects.create(group=group, number=round_plan.number)
            write_matches(competition, row, round_plan, best_of=plan.games(stage_plan.phase))
    return made


def _bracket(stage: Stage, plan: TournamentPlan, stage_plan: StagePlan, slots: Sequence[StageInput]) -> None:
    """Write the whole bracket: its seats are filled from `slots` by seed, and by edges from earlier matches."""
    bracket = registry.bracket_of(stage.format, stage.options, len(slots))
    group = Group.objects.create(stage=stage, ordinal=1)
    inputs = {row.slot: row for row in slots}
    rounds = {number: Round.objects.create(group=group, number=number) for number in range(1, bracket.rounds + 1)}
    matches: dict[int, Match] = {}
    sides = []
    for node in bracket.nodes:
        match = matches[node.number] = Match.objects.create(
            competition=stage.competition,
            round=rounds[node.round],
            number=node.place,
            label=node.label,
            label_no=node.label_no,
            best_of=plan.games(stage_plan.phase, node.label, node.label_no),
            state=Match.State.WAITING,
        )
        for position, seed in enumerate(node.seeds):
            if seed is not None:
                inputs[seed].match, inputs[seed].position = match, position
            entry = inputs[seed].entry if seed is not None else None
            sides.append(Side(stage=stage, round=rounds[node.round], match=match, position=position, entry=entry))
        if all(side.entry is not None for side in sides[-2:]):
            match.state = Match.State.READY
            match.save(update_fields=["state"])
    Side.objects.bulk_create(sides)
    StageInput.objects.bulk_update(inputs.values(), ["match", "position"])
    _byes(stage, rounds[1], [inputs[seed].entry_id for seed in bracket.byes])
    BracketEdge.objects.bulk_create(_edges(bracket, matches))


def _byes(stage: Stage, first: Round, entries: Sequence[int | None]) -> None:
    Side.objects.bulk_create(
        Side(stage=stage, round=first, entry_id=entry, kind=Side.Kind.PAIRING_BYE)
        for entry in entries
        if entry is not None
    )


def _edges(bracket: brackets.Bracket, matches: Mapping[int, Match]) -> list[BracketEdge]:
    outcome = {brackets.WIN: BracketEdge.Outcome.WINNER, brackets.LOSS: BracketEdge.Outcome.LOSER}
    return [
        BracketEdge(
            from_match=matches[edge.source],
            outcome=outcome[edge.outcome],
            to_match=matches[edge.target],
            to_position=edge.position,
            only_position=edge.only,
            from_no=edge.source,
            to_no=edge.target,
        )
        for edge in bracket.edges
    ]


def _told(stage: Stage) -> dict[str, object]:
    """What the journal is told of a drawn stage: who stands in which group and slot, by public names."""
    slots = []
    for row in stage.inputs.select_related("entry", "source_group").order_by("slot"):
        group = row.source_group.name if row.source_group is not None else "best "
        slots.append(row.entry.slug if row.entry is not None else f"{group}{row.rank}")
    groups = {
        group.name: list(
            Entry.objects.filter(side_rows__round__group=group)
            .order_by("seed")
            .distinct()
            .values_list("slug", flat=True)
        )
        for group in stage.groups.order_by("ordinal")
        if group.name
    }
    return {"ordinal": stage.ordinal, "format": stage.format, "slots": slots, "groups": groups}
